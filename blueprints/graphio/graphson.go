package graphio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// ReadGraphSON streams a GraphSON 3 file: one vertex a line, each with both sides of
// its edges; or the same as {"vertices": [...]}. Edges are taken from the outgoing
// side and held back until all vertices came.
func ReadGraphSON(ctx context.Context, r io.Reader, sink blueprints.RecordSink, h Handler) error {
	g := &graphSON{in: &jsonStream{r: r}, sink: sink, h: h}
	g.edges.list.Options = h.Held
	defer g.edges.list.Close()
	for {
		err := g.next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	return g.edges.push(ctx, graphSONVertex, sink, h, true)
}

const graphSONVertex = "graphson vertex"

// graphSON is a file being read.
type graphSON struct {
	in    *jsonStream
	sink  blueprints.RecordSink
	h     Handler
	n     int // vertices met
	edges heldEdges
}

// failed says where the file cannot be taken apart.
func (g *graphSON) failed(err error) error {
	var stop *Stop
	if err == nil || errors.As(err, &stop) {
		return err
	}
	return fmt.Errorf("graphson at byte %d, vertex %d: %w", g.in.offset(), g.n+1, err)
}

// next takes a vertex, or several in one object; io.EOF at the end.
func (g *graphSON) next(ctx context.Context) error {
	c, err := g.in.next()
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case err != nil:
		return g.failed(err)
	case c != '{':
		return g.failed(fmt.Errorf("a vertex is expected to begin with '{', not with %q", c))
	}
	if g.n > 0 || !slices.Contains(g.in.keys(), "vertices") {
		return g.star(ctx)
	}
	if err := g.in.enter('{', "the graph"); err != nil {
		return g.failed(err)
	}
	inside := error(nil) // of a vertex, which says where it is
	err = g.in.each('}', func() error {
		key, err := g.in.key()
		if err != nil {
			return err
		}
		if key != "vertices" {
			_, err := g.in.value()
			return err
		}
		if err := g.in.enter('[', "the vertices"); err != nil {
			return err
		}
		return g.in.each(']', func() error { inside = g.star(ctx); return inside })
	})
	if inside != nil {
		return inside
	}
	return g.failed(err)
}

// star takes a vertex.
func (g *graphSON) star(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := g.in.value()
	if err != nil {
		return g.failed(err)
	}
	g.n++
	s := star{}
	err = s.parse(string(text))
	fields := []string{"vertex", s.id}
	g.h.at(g.n, fields)
	if err == nil {
		err = g.hold(&s)
	}
	if err == nil {
		err = g.sink.Vertex(&s.v)
	}
	if err != nil {
		return g.h.bad(graphSONVertex, g.n, fields, err)
	}
	return nil
}

func (g *graphSON) hold(s *star) error {
	for i := range s.edges {
		if err := g.edges.add(g.n, &s.edges[i]); err != nil {
			return err
		}
	}
	return nil
}

// star is a vertex with its outgoing edges.
type star struct {
	v     blueprints.VertexRecord
	edges []blueprints.EdgeRecord
	id    string // as it is written
}

func (s *star) parse(text string) error {
	var keys []string
	err := eachEntry(text, func(key, raw string) (err error) {
		keys = append(keys, key)
		switch key {
		case "id":
			s.id = raw
			if s.v.ID, err = decodeText(raw); err != nil {
				return fmt.Errorf("id: %w", err)
			}
		case "label":
			s.v.Label, err = jsonText(raw)
		case "outE":
			err = s.outEdges(raw)
		case "properties":
			err = s.properties(raw)
		}
		return err
	})
	if err != nil {
		return err
	}
	if s.id == "" {
		return fmt.Errorf("id: %w: is this a vertex of GraphSON? It has the keys %s", errMissing, strings.Join(keys, ", "))
	}
	for i := range s.edges {
		s.edges[i].Out = s.v.ID
	}
	return nil
}

func (s *star) properties(raw string) error {
	return eachEntry(raw, func(key, raw string) error {
		err := eachElement(raw, func(raw string) error {
			p := blueprints.PropertyRecord{Key: key}
			var val string
			err := eachEntry(raw, func(part, raw string) (err error) {
				switch part {
				case "id":
					p.ID, err = decodeText(raw)
				case "value":
					val = raw
				case "properties":
					err = eachEntry(raw, func(key, raw string) error {
						v, err := decodeText(raw)
						p.Meta = append(p.Meta, value.Property{Key: key, Value: v})
						return err
					})
				}
				return err
			})
			if err != nil {
				return err
			}
			p.Value, err = decodeText(val)
			s.v.Properties = append(s.v.Properties, p)
			return err
		})
		if err != nil {
			return fmt.Errorf("property %q: %w", key, err)
		}
		return nil
	})
}

func (s *star) outEdges(raw string) error {
	return eachEntry(raw, func(label, raw string) error {
		err := eachElement(raw, func(raw string) error {
			s.edges = append(s.edges, blueprints.EdgeRecord{Label: label})
			return readEdge(&s.edges[len(s.edges)-1], raw)
		})
		if err != nil {
			return fmt.Errorf("edge %q: %w", label, err)
		}
		return nil
	})
}

func readEdge(e *blueprints.EdgeRecord, raw string) error {
	var id, in string
	err := eachEntry(raw, func(key, raw string) error {
		switch key {
		case "id":
			id = raw
		case "inV":
			in = raw
		case "properties":
			return eachEntry(raw, func(key, raw string) error {
				v, err := decodeText(raw)
				e.Properties = append(e.Properties, blueprints.PropertyRecord{Key: key, Value: v})
				return err
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if e.ID, err = decodeText(id); err != nil {
		return err
	}
	e.In, err = decodeText(in)
	return err
}
