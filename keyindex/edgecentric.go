package keyindex

import (
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// edgeIndex is an index on the edges of each vertex. Its entries stand with those of the
// other edge-centric indexes of the vertex.
type edgeIndex struct{ opened }

// each calls fn for the key of an entry at each end that has one.
func (x *edgeIndex) each(e *Element, values []byte, fn func(key []byte) error) error {
	for _, way := range x.def.Ways() {
		x.key = table.AppendEdgeEntry(x.key[:0], EdgeEntryOf(x.graph, x.def.Number, way, e, values))
		if err := fn(x.key); err != nil {
			return err
		}
	}
	return nil
}

// EdgeEntryOf is the entry that an end of an edge has in an edge-centric index.
func EdgeEntryOf(graph, number uint32, way table.Family, e *Element, values []byte) table.EdgeEntry {
	entry := table.EdgeEntry{Graph: graph, Index: number, Direction: way, Values: values, Edge: e.ID, Vertex: e.Out, Other: e.In}
	if way == table.InEdge {
		entry.Vertex, entry.Other = e.In, e.Out
	}
	return entry
}

func (x *edgeIndex) Put(tx storage.Tx, _ Elements, e *Element, values []byte, _ bool) error {
	return x.each(e, values, func(key []byte) error { return tx.Set(key, nil) })
}

func (x *edgeIndex) Take(tx storage.Tx, e *Element, values []byte) error {
	return x.each(e, values, tx.Delete)
}

func (x *edgeIndex) Holds(r storage.Reader, e *Element, values []byte) (bool, error) {
	all := true
	err := x.each(e, values, func(key []byte) error {
		ok, err := has(r, key)
		all = all && ok
		return err
	})
	return all, err
}

func (x *edgeIndex) Range() (from, to []byte) {
	from = table.AppendTable(nil, x.graph, table.EdgeIndex)
	return from, table.PrefixEnd(nil, from)
}

func (x *edgeIndex) Owner(dst []uint64, key, _ []byte) ([]uint64, []byte, bool, error) {
	e, err := table.DecodeEdgeEntry(key)
	return append(dst, e.Edge), e.Values, e.Index == x.def.Number, damaged(err)
}

func (x *edgeIndex) Erase(tx storage.Tx, key, _ []byte) error { return tx.Delete(key) }
