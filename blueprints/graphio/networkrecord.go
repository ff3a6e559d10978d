package graphio

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/storage/value"
)

// networkParts is what a record has, whichever program wrote it.
type networkParts struct {
	id, attributes *graphson.Node
	used           []string // attributes that are no properties
	apoc           bool
}

// partsOf takes a record of a kind apart, which is what APOC calls it.
func (n *network) partsOf(r *graphson.Node, kind string) networkParts {
	properties, data := r.Field("properties"), r.Field("data")
	switch {
	case r.Field("type").Text() != kind:
	case properties.Kind() == graphson.NodeObject:
		return networkParts{id: r.Field("id"), attributes: properties, apoc: true}
	case n.lines || r.Field("start") != nil:
		return networkParts{id: r.Field("id"), attributes: &graphson.Node{}, apoc: true}
	}
	if data.Kind() == graphson.NodeObject {
		return networkParts{id: data.Field("id"), attributes: data, used: []string{"id", "source", "target"}}
	}
	return networkParts{id: r.Field("id"), attributes: r, used: []string{"id"}}
}

// node takes a node of any of the programs.
func (n *network) node(r *graphson.Node) error {
	p := n.partsOf(r, "node")
	v := &blueprints.VertexRecord{Label: defaultVertexLabel}
	var err error
	v.ID, err = n.id(p.id)
	if n.edgesOf == "" || n.adjacency {
		n.nodes = append(n.nodes, v.ID) // each has a place, also one that is bad
	}
	if err != nil {
		return fmt.Errorf("id: %w", err)
	}
	if v.ID.IsNull() {
		return fmt.Errorf("a node needs an id: it has the keys %s", keysOf(p.attributes))
	}
	if !p.apoc {
		p.used = n.label(&v.Label, p.attributes, p.used)
	} else if label := labelsOf(r.Field("labels")); label != "" {
		v.Label = label
	}
	if v.Properties, err = looseProperties(p.attributes, p.used, true); err == nil {
		err = n.sink.Vertex(v)
	}
	if err != nil {
		return fmt.Errorf("node %s: %w", v.ID.Brief(), err)
	}
	return nil
}

// label finds the label of a node among its attributes, and returns which are used.
func (n *network) label(label *string, attributes *graphson.Node, used []string) []string {
	keys := []string{vertexLabelKey, "labels", "label"}
	switch {
	case n.h.VertexLabel != "":
		keys = []string{n.h.VertexLabel}
	case n.texts: // of Cytoscape, where it is a text to show
		keys = keys[:1]
	}
	for _, key := range keys {
		if text := labelsOf(attributes.Field(key)); text != "" {
			*label = text
			return append(used, key)
		}
	}
	return used
}

// labelsOf makes one label of a text, or of several in an array.
func labelsOf(n *graphson.Node) string {
	switch n.Kind() {
	case graphson.NodeString:
		return colonLabels(n.Text())
	case graphson.NodeArray:
		all := make([]string, n.Len())
		for i := range all {
			if all[i] = n.Elem(i).Text(); n.Elem(i).Kind() != graphson.NodeString {
				return ""
			}
		}
		return strings.Join(all, labelSeparator)
	}
	return ""
}

// edge takes an edge of any of the programs but networkx' adjacency.
func (n *network) edge(r *graphson.Node) error {
	p := n.partsOf(r, "relationship")
	e := &blueprints.EdgeRecord{Label: defaultEdgeLabel}
	out, in := p.attributes.Field("source"), p.attributes.Field("target")
	if p.apoc {
		out, in, e.Label = r.Field("start").Field("id"), r.Field("end").Field("id"), r.Field("label").Text()
	} else {
		p.used = edgeLabelOf(&e.Label, p.attributes, append(p.used, "source", "target"))
	}
	var errs [4]error
	e.ID, errs[0] = n.id(p.id)
	e.Out, errs[1] = n.id(out)
	e.In, errs[2] = n.id(in)
	e.Properties, errs[3] = looseProperties(p.attributes, p.used, false)
	if err := errors.Join(errs[:]...); err != nil {
		return fmt.Errorf("edge: %w", err)
	}
	if e.Out.IsNull() || e.In.IsNull() {
		return fmt.Errorf("an edge needs a source and a target: it has the keys %s", keysOf(r))
	}
	return n.edges.add(n.n, e)
}

func edgeLabelOf(label *string, attributes *graphson.Node, used []string) []string {
	for _, key := range []string{edgeLabelKey, "label", "interaction"} {
		if text := attributes.Field(key); text.Kind() == graphson.NodeString && text.Text() != "" {
			*label = text.Text()
			return append(used, key)
		}
	}
	return used
}

// neighbours reads adjacency: for each node in order a list of its neighbours.
func (n *network) neighbours() error {
	if err := n.in.enter('[', "the adjacency"); err != nil {
		return err
	}
	place := -1
	return n.in.each(']', func() error {
		place++
		return n.array(func(r *graphson.Node) error {
			e := &blueprints.EdgeRecord{Label: defaultEdgeLabel, Out: value.Long(int64(place))}
			used := edgeLabelOf(&e.Label, r, []string{"id"})
			var errs [2]error
			e.In, errs[0] = n.id(r.Field("id"))
			e.Properties, errs[1] = looseProperties(r, used, false)
			if err := errors.Join(errs[:]...); err != nil {
				return err
			}
			if e.In.IsNull() {
				return errors.New("a neighbour needs an id")
			}
			return n.edges.add(n.n, e)
		})
	})
}

// looseProperties reads the attributes that were not used for something else. An array
// of a vertex becomes several values, unless it is empty or holds arrays or objects.
func looseProperties(r *graphson.Node, used []string, several bool) (ps []blueprints.PropertyRecord, err error) {
	for i := range r.Len() {
		key, n := r.Entry(i)
		if n.Kind() == graphson.NodeNull || slices.Contains(used, key) {
			continue
		}
		if several && n.Kind() == graphson.NodeArray && isFlat(n) {
			for k := range n.Len() {
				v, err := looseValue(n.Elem(k))
				if err != nil {
					return nil, fmt.Errorf("%q: %w", key, err)
				}
				ps = append(ps, blueprints.PropertyRecord{Key: key, Value: v})
			}
			continue
		}
		v, err := looseValue(n)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", key, err)
		}
		ps = append(ps, blueprints.PropertyRecord{Key: key, Value: v})
	}
	return ps, nil
}

func isFlat(n *graphson.Node) bool {
	for i := range n.Len() {
		switch n.Elem(i).Kind() {
		case graphson.NodeArray, graphson.NodeObject, graphson.NodeNull:
			return false
		}
	}
	return n.Len() > 0
}

// looseValue reads a value as Python writes it: whole numbers are Long, others Double.
func looseValue(n *graphson.Node) (value.Value, error) {
	switch n.Kind() {
	case graphson.NodeNumber:
		v, err := graphson.Number(n.Text())
		if err == nil && v.Kind() == value.KindInt {
			v = value.Long(v.Int64())
		}
		return v, err
	case graphson.NodeArray:
		all := make([]value.Value, n.Len())
		for i := range all {
			var err error
			if all[i], err = looseValue(n.Elem(i)); err != nil {
				return value.Null, err
			}
		}
		return value.List(all), nil
	case graphson.NodeObject:
		if n.Field("@type") == nil {
			m := value.NewMapSize(min(n.Len(), 1024))
			for i := range n.Len() {
				key, x := n.Entry(i)
				v, err := looseValue(x)
				if err != nil {
					return value.Null, err
				}
				m.PutString(key, v)
			}
			return m.Value(), nil
		}
	}
	d := graphson.Decoder{Form: form3}
	return d.Value(n)
}

// parseLoose parses a value of JSON, or of what Python makes of it: NaN and Infinity.
func parseLoose(raw []byte) (*graphson.Node, error) {
	n, err := graphson.Parse(raw)
	if err == nil {
		return n, nil
	}
	if quoted, changed := typeSpecials(string(raw)); changed {
		if n, err := graphson.Parse([]byte(quoted)); err == nil {
			return n, nil
		}
	}
	return n, err
}

// typeSpecials gives the numbers that JSON does not have the form that they have in
// GraphSON.
func typeSpecials(text string) (string, bool) {
	var b strings.Builder
	from := 0
	for n := 0; n < len(text); n++ {
		if text[n] == '"' {
			end, _ := jsonOver(&jsonSkip{}, text[n:], 0)
			n += end - 1
			continue
		}
		for _, name := range []string{"NaN", "-Infinity", "Infinity"} {
			if strings.HasPrefix(text[n:], name) {
				b.WriteString(text[from:n] + `{"@type":"g:Double","@value":"` + name + `"}`)
				n += len(name) - 1
				from = n + 1
				break
			}
		}
	}
	return b.String() + text[from:], from > 0
}
