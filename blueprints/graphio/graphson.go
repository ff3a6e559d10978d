package graphio

import (
	"bufio"
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
	for i := range g.edges {
		if err := ctx.Err(); err != nil {
			return err
		}
		e := &g.edges[i]
		fields := []string{"edge", e.ID.JavaString(), e.Out.JavaString(), e.In.JavaString()}
		h.at(e.line, fields)
		if err := sink.Edge(&e.EdgeRecord); err != nil {
			if err := h.bad("graphson vertex", e.line, fields, fmt.Errorf("edge %s: %w", e.ID.JavaString(), err)); err != nil {
				return err
			}
		}
	}
	return nil
}

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
	edges []heldEdge
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
		return g.h.bad("graphson vertex", g.n, fields, err)
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
	var edges []heldEdge
	for i, label := range s.OutE.keys {
		for _, e := range s.OutE.values[i] {
			r, err := edgeRecord(id, label, e)
			if err != nil {
				return fmt.Errorf("edge %q: %w", label, err)
			}
			edges = append(edges, heldEdge{r, g.n})
		}
	}
	g.edges = append(g.edges, edges...)
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

// WriteGraphSON writes one vertex a line. The edges are held in memory meanwhile, for
// each vertex carries both its sides.
func WriteGraphSON(ctx context.Context, w io.Writer, source blueprints.RecordSource) error {
	out, in := edgesBy{ids: value.NewMap()}, edgesBy{ids: value.NewMap()}
	if err := source.EachEdge(func(e *blueprints.EdgeRecord) error {
		out.add(e.Out, *e)
		in.add(e.In, *e)
		return ctx.Err()
	}); err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	if err := source.EachVertex(func(v *blueprints.VertexRecord) error {
		s := &graphSONLine{buf: line[:0]}
		s.vertex(v, out.get(v.ID), in.get(v.ID))
		line = append(s.buf, '\n')
		if s.err == nil {
			_, s.err = b.Write(line)
		}
		return firstError(ctx.Err(), s.err)
	}); err != nil {
		return err
	}
	return b.Flush()
}

// edgesBy holds edges by the id of one endpoint.
type edgesBy struct {
	ids   *value.Map // id -> position in lists
	lists [][]blueprints.EdgeRecord
}

func (m *edgesBy) add(id value.Value, e blueprints.EdgeRecord) {
	at, ok := m.ids.Get(id)
	if !ok {
		at = value.Long(int64(len(m.lists)))
		m.ids.Put(id, at)
		m.lists = append(m.lists, nil)
	}
	m.lists[at.Int64()] = append(m.lists[at.Int64()], e)
}

func (m *edgesBy) get(id value.Value) []blueprints.EdgeRecord {
	at, ok := m.ids.Get(id)
	if !ok {
		return nil
	}
	return m.lists[at.Int64()]
}

// graphSONLine builds one line; the first error sticks.
type graphSONLine struct {
	buf []byte
	err error
}

func (s *graphSONLine) text(t string) { s.buf = append(s.buf, t...) }

func (s *graphSONLine) string(t string) {
	b, err := json.Marshal(t)
	s.err = firstError(s.err, err)
	s.buf = append(s.buf, b...)
}

func (s *graphSONLine) value(v value.Value) {
	b, err := appendValue(s.buf, v)
	s.err = firstError(s.err, err)
	s.buf = b
}

func (s *graphSONLine) vertex(v *blueprints.VertexRecord, out, in []blueprints.EdgeRecord) {
	s.text(`{"id":`)
	s.value(v.ID)
	s.text(`,"label":`)
	s.string(v.Label)
	s.edges("inE", "outV", in, func(e *blueprints.EdgeRecord) value.Value { return e.Out })
	s.edges("outE", "inV", out, func(e *blueprints.EdgeRecord) value.Value { return e.In })
	if len(v.Properties) > 0 {
		s.text(`,"properties":{`)
		s.grouped(len(v.Properties), func(i int) string { return v.Properties[i].Key }, func(i int) { s.vertexProperty(&v.Properties[i]) })
		s.text(`}`)
	}
	s.text(`}`)
}

// grouped writes "key":[...] for each key in the order of first use.
func (s *graphSONLine) grouped(n int, key func(int) string, write func(int)) {
	done := map[string]bool{}
	for i := 0; i < n; i++ {
		k := key(i)
		if done[k] {
			continue
		}
		if len(done) > 0 {
			s.text(",")
		}
		done[k] = true
		s.string(k)
		s.text(":[")
		for j := i; j < n; j++ {
			if key(j) != k {
				continue
			}
			if j > i {
				s.text(",")
			}
			write(j)
		}
		s.text("]")
	}
}

func (s *graphSONLine) vertexProperty(p *blueprints.PropertyRecord) {
	s.text(`{"id":`)
	s.value(p.ID)
	s.text(`,"value":`)
	s.value(p.Value)
	if len(p.Meta) > 0 {
		s.text(`,"properties":{`)
		for i, m := range p.Meta {
			if i > 0 {
				s.text(",")
			}
			s.string(m.Key)
			s.text(":")
			s.value(m.Value)
		}
		s.text(`}`)
	}
	s.text(`}`)
}

func (s *graphSONLine) edges(name, otherName string, list []blueprints.EdgeRecord, other func(*blueprints.EdgeRecord) value.Value) {
	if len(list) == 0 {
		return
	}
	s.text(`,"` + name + `":{`)
	s.grouped(len(list), func(i int) string { return list[i].Label }, func(i int) {
		e := &list[i]
		s.text(`{"id":`)
		s.value(e.ID)
		s.text(`,"` + otherName + `":`)
		s.value(other(e))
		if len(e.Properties) > 0 {
			s.text(`,"properties":{`)
			for j, p := range e.Properties {
				if j > 0 {
					s.text(",")
				}
				s.string(p.Key)
				s.text(":")
				s.value(p.Value)
			}
			s.text(`}`)
		}
		s.text(`}`)
	})
	s.text(`}`)
}
