package graphio

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
)

// graphMLBatch is some records of a GraphML file. Its memory is used again, but for the
// strings.
type graphMLBatch struct {
	items    []graphMLItem
	vertices []blueprints.VertexRecord
	edges    []byte                      // as records
	props    []blueprints.PropertyRecord // of the vertices
	ofEdge   []blueprints.PropertyRecord // of the edge being read
}

// graphMLItem is a record, or why something is none.
type graphMLItem struct {
	kind   graphMLKind
	line   int
	at     int      // in vertices, or where the edge begins in edges
	end    int      // where it ends
	id     string   // of an edge that has one
	fields []string // of what is no record
	err    error
}

type graphMLKind uint8

const (
	graphMLNode graphMLKind = iota + 1
	graphMLEdge
	graphMLBad
)

// graphMLBatchItems is how many records a batch has at most.
const graphMLBatchItems = 1024

func (b *graphMLBatch) begin() *graphMLBatch {
	clear(b.items)
	b.items, b.vertices, b.edges, b.props = b.items[:0], b.vertices[:0], b.edges[:0], b.props[:0]
	return b
}

// refuse takes note of what is no record.
func (b *graphMLBatch) refuse(line int, fields []string, err error) {
	b.items = append(b.items, graphMLItem{kind: graphMLBad, line: line, fields: fields, err: err})
}

// push hands the vertices to sink, the edges to those that wait, and tells h of the rest.
func (b *graphMLBatch) push(edges *heldEdges, sink blueprints.RecordSink, h Handler) error {
	for i := range b.items {
		if err := b.item(&b.items[i], edges, sink, h); err != nil {
			return err
		}
	}
	return nil
}

func (b *graphMLBatch) item(it *graphMLItem, edges *heldEdges, sink blueprints.RecordSink, h Handler) error {
	switch it.kind {
	case graphMLEdge:
		return edges.hold(it.line, it.id, b.edges[it.at:it.end])
	case graphMLBad:
		h.at(it.line, it.fields)
		return h.bad(graphMLLine, it.line, it.fields, it.err)
	}
	v := &b.vertices[it.at]
	id := v.ID.Str()
	h.at(it.line, []string{"node", id})
	err := it.err
	if err == nil {
		err = sink.Vertex(v)
	}
	if err == nil {
		return nil
	}
	return h.bad(graphMLLine, it.line, []string{"node", id}, fmt.Errorf("node %q: %w", id, err))
}
