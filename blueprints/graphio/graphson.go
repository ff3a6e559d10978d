package graphio

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// ReadGraphSON streams a GraphSON 3 file: one vertex a line, each with both sides of
// its edges; or the same as {"vertices": [...]}. Edges are taken from the outgoing
// side and held back until all vertices came.
func ReadGraphSON(ctx context.Context, r io.Reader, sink blueprints.RecordSink, h Handler) error {
	d := json.NewDecoder(r)
	g := &graphSON{sink: sink, h: h}
	g.edges.list.Options = h.Held
	defer g.edges.list.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var s graphSONStar
		err := d.Decode(&s)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("graphson at byte %d, vertex %d: %w", d.InputOffset(), g.n+1, err)
		}
		if err := g.stars(&s); err != nil {
			return err
		}
	}
	return g.edges.push(ctx, graphSONVertex, sink, h, true)
}

const graphSONVertex = "graphson vertex"

// graphSONStar is a vertex with its edges.
type graphSONStar struct {
	ID         json.RawMessage
	Label      string
	OutE       orderedEdges             `json:"outE"`
	Properties orderedMap[[]graphSONVP] `json:"properties"`
	Vertices   []graphSONStar           `json:"vertices"`
}

type orderedEdges = orderedMap[[]graphSONEdge]

type graphSONVP struct {
	ID         json.RawMessage
	Value      json.RawMessage
	Properties orderedMap[json.RawMessage] `json:"properties"`
}

type graphSONEdge struct {
	ID         json.RawMessage
	InV        json.RawMessage             `json:"inV"`
	Properties orderedMap[json.RawMessage] `json:"properties"`
}

// orderedMap is a JSON object whose entries keep their order.
type orderedMap[T any] struct {
	keys   []string
	values []T
}

// UnmarshalJSON reads an object entry by entry.
func (m *orderedMap[T]) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return err
		}
		key, ok := tok.(string)
		if !ok {
			return fmt.Errorf("expected an object, found %v", tok)
		}
		var v T
		if err := d.Decode(&v); err != nil {
			return fmt.Errorf("%q: %w", key, err)
		}
		m.keys, m.values = append(m.keys, key), append(m.values, v)
	}
	return nil
}

type graphSON struct {
	sink  blueprints.RecordSink
	h     Handler
	n     int // vertices met
	edges heldEdges
}

// stars takes a vertex, or several in one object.
func (g *graphSON) stars(s *graphSONStar) error {
	if s.Vertices != nil {
		for i := range s.Vertices {
			if err := g.stars(&s.Vertices[i]); err != nil {
				return err
			}
		}
		return nil
	}
	g.n++
	fields := []string{"vertex", string(s.ID)}
	g.h.at(g.n, fields)
	if err := g.star(s); err != nil {
		return g.h.bad(graphSONVertex, g.n, fields, err)
	}
	return nil
}

func (g *graphSON) star(s *graphSONStar) error {
	id, err := decodeValue(s.ID)
	if err != nil {
		return fmt.Errorf("id: %w", err)
	}
	v := &blueprints.VertexRecord{ID: id, Label: s.Label}
	for i, key := range s.Properties.keys {
		for _, p := range s.Properties.values[i] {
			r, err := vertexProperty(key, p)
			if err != nil {
				return fmt.Errorf("property %q: %w", key, err)
			}
			v.Properties = append(v.Properties, r)
		}
	}
	var edges []blueprints.EdgeRecord
	for i, label := range s.OutE.keys {
		for _, e := range s.OutE.values[i] {
			r, err := edgeRecord(id, label, e)
			if err != nil {
				return fmt.Errorf("edge %q: %w", label, err)
			}
			edges = append(edges, r)
		}
	}
	for i := range edges {
		if err := g.edges.add(g.n, &edges[i]); err != nil {
			return err
		}
	}
	return g.sink.Vertex(v)
}

func vertexProperty(key string, p graphSONVP) (r blueprints.PropertyRecord, err error) {
	r.Key = key
	if len(p.ID) > 0 {
		if r.ID, err = decodeValue(p.ID); err != nil {
			return r, err
		}
	}
	if r.Value, err = decodeValue(p.Value); err != nil {
		return r, err
	}
	for i, k := range p.Properties.keys {
		v, err := decodeValue(p.Properties.values[i])
		if err != nil {
			return r, err
		}
		r.Meta = append(r.Meta, value.Property{Key: k, Value: v})
	}
	return r, nil
}

func edgeRecord(out value.Value, label string, e graphSONEdge) (r blueprints.EdgeRecord, err error) {
	r.Out, r.Label = out, label
	if r.ID, err = decodeValue(e.ID); err != nil {
		return r, err
	}
	if r.In, err = decodeValue(e.InV); err != nil {
		return r, err
	}
	for i, k := range e.Properties.keys {
		v, err := decodeValue(e.Properties.values[i])
		if err != nil {
			return r, err
		}
		r.Properties = append(r.Properties, blueprints.PropertyRecord{Key: k, Value: v})
	}
	return r, nil
}
