package blueprints

import (
	"encoding/binary"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage/table"
)

// cacheCommit applies one commit to a cache, key by key in order. Changes of one
// vertex's edges in one direction are gathered and applied at once.
type cacheCommit struct {
	c   *cache
	seq uint64

	// header is the last element whose cells were touched, to touch it once.
	vertex, edge uint64

	owner   uint64 // of the gathered changes
	target  *rowcache.Table[rowcache.Adjacency]
	changes []rowcache.Change
}

// cellRow is where the row of an element ends in its keys.
const cellRow = 4 + 1 + 8

func (w *cacheCommit) key(code table.Code, key []byte, del bool) {
	if len(key) <= cellRow {
		return
	}
	id := binary.BigEndian.Uint64(key[cellRow-8:])
	if code == table.Edges {
		if id != w.edge {
			w.edge = id
			w.c.edges.Touch(id, w.seq, nil)
		}
		return
	}
	switch f := table.Family(key[cellRow]); f {
	case table.OutEdge, table.InEdge:
		d := Out
		if f == table.InEdge {
			d = In
		}
		w.adjacency(id, d, key, del)
	default:
		if id != w.vertex {
			w.vertex = id
			w.c.vertices.Touch(id, w.seq, nil)
		}
	}
}

func (w *cacheCommit) adjacency(id uint64, d Direction, key []byte, del bool) {
	a, ok := decodeAdjacent(key, d)
	if !ok {
		return
	}
	w.gather(w.c.adjacency(d), id, rowcache.Change{
		Edge:    rowcache.Edge{Label: uint32(a.Label), Edge: uint64(a.Edge), Other: uint64(a.Other)},
		Removed: del,
	})
}

// label takes notice of an element that came under a label, or went.
func (w *cacheCommit) label(key []byte, del bool) {
	l, err := table.DecodeLabel(key)
	if err != nil {
		return
	}
	w.gather(w.c.labels(l.Class), uint64(l.Label), rowcache.Change{Edge: rowcache.Edge{Edge: l.Element}, Removed: del})
}

func (w *cacheCommit) gather(t *rowcache.Table[rowcache.Adjacency], id uint64, c rowcache.Change) {
	if id != w.owner || t != w.target {
		w.flush()
		w.owner, w.target = id, t
	}
	w.changes = append(w.changes, c)
}

// flush applies the gathered changes.
func (w *cacheCommit) flush() {
	if len(w.changes) == 0 {
		return
	}
	t := w.target
	t.Touch(w.owner, w.seq, func(old *rowcache.Adjacency) (rowcache.Adjacency, rowcache.Size, bool) {
		next, copied := old.Apply(w.changes)
		t.AddCopied(copied)
		return next, next.Size(), true
	})
	w.changes = w.changes[:0]
}
