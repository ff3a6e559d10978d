package gryo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// Read hands the vertices of a Gryo file to sink as they come, each before its incoming
// edges. So an edge may come before the vertex that it goes out of.
func Read(ctx context.Context, r io.Reader, sink blueprints.RecordSink) error {
	in := &input{r: bufio.NewReaderSize(r, 64<<10)}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := in.r.Peek(1); errors.Is(err, io.EOF) {
			return nil
		}
		v, edges := in.vertex()
		if in.err != nil {
			return in.err
		}
		if err := sink.Vertex(v); err != nil {
			return err
		}
		for i := range edges {
			if err := sink.Edge(&edges[i]); err != nil {
				return err
			}
		}
	}
}

// vertex reads one star graph. Edges are taken from its incoming side only, so that
// each comes once.
func (in *input) vertex() (*blueprints.VertexRecord, []blueprints.EdgeRecord) {
	if h := in.bytes(len(header)); in.err == nil && !bytes.Equal(h[:3], header[:3]) {
		in.fail("this is no Gryo file: it does not begin with %q", header[:3])
	}
	in.refs = in.refs[:0]
	if _, slot, _ := in.newRef(); slot >= 0 {
		in.keep(slot, "star graph")
	}
	if b := in.byte(); b != starVersion {
		in.fail("star graph of unknown version %d", b)
	}
	edgeProperties, metaProperties := in.nullableMap(), in.nullableMap()
	v := &blueprints.VertexRecord{ID: in.value(0), Label: in.string()}
	incoming := in.edges(v.ID, edgeProperties)
	in.edges(v.ID, nil)
	v.Properties = in.vertexProperties(metaProperties)
	in.end()
	return v, incoming
}

func (in *input) nullableMap() *value.Map {
	known, slot, null := in.newRef()
	if null || in.err != nil {
		return nil
	}
	if slot >= 0 {
		return in.mapContent(slot, 0)
	}
	m, ok := known.(*value.Map)
	if !ok {
		in.fail("expected a map")
	}
	return m
}

// string reads a string object where its class is known.
func (in *input) string() string {
	known, slot, null := in.newRef()
	if null || in.err != nil {
		return ""
	}
	if slot < 0 {
		v, ok := known.(value.Value)
		if !ok {
			in.fail("expected a string")
		}
		return v.Str()
	}
	s := in.text()
	in.keep(slot, value.String(s))
	return s
}

// edges reads one direction of a star graph.
func (in *input) edges(self value.Value, properties *value.Map) []blueprints.EdgeRecord {
	if !in.bool() {
		return nil
	}
	var out []blueprints.EdgeRecord
	for labels := in.int(); labels > 0 && in.err == nil; labels-- {
		label := in.string()
		for n := in.int(); n > 0 && in.err == nil; n-- {
			e := blueprints.EdgeRecord{Label: label, ID: in.value(0), Out: in.value(0), In: self}
			if properties != nil {
				e.Properties = propertiesOf(properties, e.ID)
			}
			out = append(out, e)
		}
	}
	return out
}

func propertiesOf(all *value.Map, id value.Value) []blueprints.PropertyRecord {
	v, ok := all.Get(id)
	if !ok || v.Map() == nil {
		return nil
	}
	var out []blueprints.PropertyRecord
	for i := 0; i < v.Map().Len(); i++ {
		k, x := v.Map().Entry(i)
		out = append(out, blueprints.PropertyRecord{Key: k.Str(), Value: x})
	}
	return out
}

func (in *input) vertexProperties(metas *value.Map) []blueprints.PropertyRecord {
	if !in.bool() {
		return nil
	}
	var out []blueprints.PropertyRecord
	for keys := in.int(); keys > 0 && in.err == nil; keys-- {
		key := in.string()
		for n := in.int(); n > 0 && in.err == nil; n-- {
			p := blueprints.PropertyRecord{Key: key, ID: in.value(0), Value: in.value(0)}
			if metas != nil {
				for _, m := range propertiesOf(metas, p.ID) {
					p.Meta = append(p.Meta, value.Property{Key: m.Key, Value: m.Value})
				}
			}
			out = append(out, p)
		}
	}
	return out
}

// end reads the terminator, an object of its own.
func (in *input) end() {
	in.refs = in.refs[:0]
	if c := in.varint(); c != classTerminator+2 {
		in.fail("expected the end of the vertex, found class %d", c-2)
	}
	in.varint() // the terminator's reference
	in.varint() // its array's reference
	if n := in.varint() - 1; n != len(terminator) || !bytes.Equal(in.bytes(n), terminator) {
		in.fail("the end of the vertex is damaged")
	}
}
