package graphio

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// The data keys that hold labels, as TinkerPop writes them, and the labels of
// elements without one.
const (
	vertexLabelKey     = "labelV"
	edgeLabelKey       = "labelE"
	defaultVertexLabel = "vertex"
	defaultEdgeLabel   = "edge"
	// labelSeparator stands between the labels of an element that has several, as
	// TinkerPop writes them: a graph of ours keeps one text.
	labelSeparator = "::"
)

// ReadGraphML streams a GraphML file. Edges are held back until the end of the file,
// for they may stand before their vertices. External entities are not resolved.
func ReadGraphML(ctx context.Context, r io.Reader, sink blueprints.RecordSink) error {
	m := &graphML{d: xml.NewDecoder(r), sink: sink, keys: map[string]graphMLKey{}}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		tok, err := m.d.Token()
		if errors.Is(err, io.EOF) {
			return m.finish(ctx)
		}
		if err != nil {
			return m.failed(err)
		}
		if start, ok := tok.(xml.StartElement); ok {
			if err := m.element(start); err != nil {
				return m.failed(err)
			}
		}
	}
}

// graphML is a file being read.
type graphML struct {
	d     *xml.Decoder
	sink  blueprints.RecordSink
	keys  map[string]graphMLKey
	edges []blueprints.EdgeRecord
	found bool // a graph element
}

// graphMLKey is a declared <key>.
type graphMLKey struct{ name, kind string }

func (m *graphML) failed(err error) error {
	line, column := m.d.InputPos()
	return fmt.Errorf("graphml at line %d, column %d: %w", line, column, err)
}

func (m *graphML) finish(ctx context.Context) error {
	if !m.found {
		return m.failed(errors.New("there is no graph element"))
	}
	for i := range m.edges {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.sink.Edge(&m.edges[i]); err != nil {
			return fmt.Errorf("edge %v: %w", m.edges[i].ID, err)
		}
	}
	return nil
}

func (m *graphML) element(start xml.StartElement) error {
	switch start.Name.Local {
	case "graph":
		m.found = true
	case "key":
		k := graphMLKey{name: attr(start, "attr.name"), kind: attr(start, "attr.type")}
		if k.name == "" {
			k.name = attr(start, "id")
		}
		m.keys[attr(start, "id")] = k
	case "node":
		return m.node(start)
	case "edge":
		return m.edge(start)
	}
	return nil
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (m *graphML) node(start xml.StartElement) error {
	v := &blueprints.VertexRecord{ID: value.String(attr(start, "id"))}
	label, ps, err := m.data(vertexLabelKey)
	if err != nil {
		return fmt.Errorf("node %q: %w", v.ID.Str(), err)
	}
	if label == "" {
		label = defaultVertexLabel
	}
	v.Label, v.Properties = label, ps
	if err := m.sink.Vertex(v); err != nil {
		return fmt.Errorf("node %q: %w", v.ID.Str(), err)
	}
	return nil
}

func (m *graphML) edge(start xml.StartElement) error {
	e := blueprints.EdgeRecord{Out: value.String(attr(start, "source")), In: value.String(attr(start, "target"))}
	if id := attr(start, "id"); id != "" {
		e.ID = value.String(id)
	}
	label, ps, err := m.data(edgeLabelKey)
	if err != nil {
		return fmt.Errorf("edge %q: %w", attr(start, "id"), err)
	}
	if label == "" {
		label = attr(start, "label")
	}
	if label == "" {
		label = defaultEdgeLabel
	}
	e.Label, e.Properties = label, ps
	m.edges = append(m.edges, e)
	return nil
}

// data reads the <data> elements up to the end of the present element.
func (m *graphML) data(labelKey string) (label string, ps []blueprints.PropertyRecord, err error) {
	for {
		tok, err := m.d.Token()
		if err != nil {
			return "", nil, err
		}
		switch t := tok.(type) {
		case xml.EndElement:
			return label, ps, nil
		case xml.StartElement:
			if t.Name.Local != "data" {
				if err := m.d.Skip(); err != nil {
					return "", nil, err
				}
				continue
			}
			var text string
			if err := m.d.DecodeElement(&text, &t); err != nil {
				return "", nil, err
			}
			key := attr(t, "key")
			if key == labelKey {
				label = text
				continue
			}
			p, err := m.property(key, text)
			if err != nil {
				return "", nil, err
			}
			ps = append(ps, p)
		}
	}
}

func (m *graphML) property(key, text string) (blueprints.PropertyRecord, error) {
	k, ok := m.keys[key]
	if !ok {
		k = graphMLKey{name: key, kind: "string"}
	}
	v, err := typed(k.kind, text)
	if err != nil {
		return blueprints.PropertyRecord{}, fmt.Errorf("data %q: %w", key, err)
	}
	return blueprints.PropertyRecord{Key: k.name, Value: v}, nil
}

// typed reads text as one of GraphML's attribute types.
func typed(kind, text string) (value.Value, error) {
	var v value.Value
	var err error
	switch kind {
	case "string", "":
		return value.String(text), nil
	case "boolean":
		var b bool
		b, err = strconv.ParseBool(text)
		v = value.Bool(b)
	case "int", "integer":
		var n int64
		n, err = strconv.ParseInt(text, 10, 32)
		v = value.Int(int32(n))
	case "long":
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		v = value.Long(n)
	case "float":
		var f float64
		f, err = strconv.ParseFloat(text, 32)
		v = value.Float(float32(f))
	case "double":
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		v = value.Double(f)
	default:
		return value.Null, fmt.Errorf("unknown attribute type %q", kind)
	}
	if err != nil {
		return value.Null, fmt.Errorf("%q is no %s", text, kind)
	}
	return v, nil
}
