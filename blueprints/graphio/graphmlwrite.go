package graphio

import (
	"bufio"
	"context"
	"encoding/xml"
	"fmt"
	"io"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// WriteGraphML writes a graph as GraphML. The format knows no multi-properties and no
// meta-properties; a graph that has them is refused rather than cut.
func WriteGraphML(ctx context.Context, w io.Writer, source blueprints.RecordSource) error {
	keys, err := graphMLKeys(ctx, source)
	if err != nil {
		return err
	}
	g := &graphMLWriter{w: bufio.NewWriterSize(w, 64<<10)}
	g.text(`<?xml version="1.0" encoding="UTF-8"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns"` +
		` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns` +
		` http://graphml.graphdrawing.org/xmlns/1.1/graphml.xsd">`)
	g.keys("node", vertexLabelKey, keys.nodes)
	g.keys("edge", edgeLabelKey, keys.edges)
	g.text(`<graph id="G" edgedefault="directed">`)
	if err := source.EachVertex(func(v *blueprints.VertexRecord) error {
		g.text(`<node`, ` id="`)
		g.escaped(v.ID.JavaString())
		g.text(`">`)
		g.data(vertexLabelKey, v.Label)
		g.properties(v.Properties)
		g.text(`</node>`)
		return firstError(ctx.Err(), g.err)
	}); err != nil {
		return err
	}
	if err := source.EachEdge(func(e *blueprints.EdgeRecord) error {
		g.text(`<edge id="`)
		g.escaped(e.ID.JavaString())
		g.text(`" source="`)
		g.escaped(e.Out.JavaString())
		g.text(`" target="`)
		g.escaped(e.In.JavaString())
		g.text(`">`)
		g.data(edgeLabelKey, e.Label)
		g.properties(e.Properties)
		g.text(`</edge>`)
		return firstError(ctx.Err(), g.err)
	}); err != nil {
		return err
	}
	g.text(`</graph></graphml>`)
	return firstError(g.err, g.w.Flush())
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// keySet holds the declared keys with their types, in the order of first use.
type keySet struct {
	names []string
	kinds map[string]string
}

func (s *keySet) add(owner string, p blueprints.PropertyRecord) error {
	kind := "string"
	switch p.Value.Kind() {
	case value.KindBool:
		kind = "boolean"
	case value.KindInt:
		kind = "int"
	case value.KindLong:
		kind = "long"
	case value.KindFloat:
		kind = "float"
	case value.KindDouble:
		kind = "double"
	}
	if s.kinds == nil {
		s.kinds = map[string]string{}
	}
	known, ok := s.kinds[p.Key]
	if !ok {
		s.names = append(s.names, p.Key)
	} else if known != kind {
		kind = "string"
	}
	s.kinds[p.Key] = kind
	if len(p.Meta) > 0 {
		return fmt.Errorf("%s: GraphML cannot hold the properties of the property %q", owner, p.Key)
	}
	return nil
}

type graphMLSchema struct{ nodes, edges keySet }

// graphMLKeys looks through the graph once, for keys stand before all elements.
func graphMLKeys(ctx context.Context, source blueprints.RecordSource) (*graphMLSchema, error) {
	k := &graphMLSchema{}
	err := source.EachVertex(func(v *blueprints.VertexRecord) error {
		seen := map[string]bool{}
		for _, p := range v.Properties {
			if seen[p.Key] {
				return fmt.Errorf("vertex %v: GraphML cannot hold several values of the property %q", v.ID, p.Key)
			}
			seen[p.Key] = true
			if err := k.nodes.add(fmt.Sprintf("vertex %v", v.ID), p); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	err = source.EachLoose(func(e *blueprints.EdgeRecord) error {
		for _, p := range e.Properties {
			if err := k.edges.add(fmt.Sprintf("edge %v", e.ID), p); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	return k, err
}

// graphMLWriter writes text; the first error sticks.
type graphMLWriter struct {
	w   *bufio.Writer
	err error
}

func (g *graphMLWriter) text(parts ...string) {
	for _, s := range parts {
		if g.err == nil {
			_, g.err = g.w.WriteString(s)
		}
	}
}

func (g *graphMLWriter) escaped(s string) {
	if g.err == nil {
		g.err = xml.EscapeText(g.w, []byte(s))
	}
}

func (g *graphMLWriter) keys(owner, labelKey string, s keySet) {
	write := func(name, kind string) {
		g.text(`<key id="`)
		g.escaped(name)
		g.text(`" for="`, owner, `" attr.name="`)
		g.escaped(name)
		g.text(`" attr.type="`, kind, `"></key>`)
	}
	write(labelKey, "string")
	for _, name := range s.names {
		write(name, s.kinds[name])
	}
}

func (g *graphMLWriter) data(key, text string) {
	g.text(`<data key="`)
	g.escaped(key)
	g.text(`">`)
	g.escaped(text)
	g.text(`</data>`)
}

func (g *graphMLWriter) properties(ps []blueprints.PropertyRecord) {
	for _, p := range ps {
		g.data(p.Key, p.Value.JavaString())
	}
}
