package blueprints

import (
	"encoding/binary"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// cellRow is where the row of an element ends in its keys.
const cellRow = 4 + 1 + 8

// cacheCommit applies one commit to a graph's cache, key by key in order. Changes of
// one element's cells, and of one vertex's edges in one direction, are gathered and
// applied at once.
type cacheCommit struct {
	g   *Graph
	c   *cache
	seq uint64

	element uint64 // of the gathered cells, which are vertices' or edges'
	code    table.Code
	cells   []storage.Change

	owner   uint64 // of the gathered changes
	target  *rowcache.Table[rowcache.Adjacency]
	changes []rowcache.Change
}

// begin turns to the keys of another graph, nil for one that is not open.
func (w *cacheCommit) begin(g *Graph) {
	w.flush()
	if w.g, w.c = g, nil; g != nil {
		w.c = g.cache
	}
}

func (w *cacheCommit) key(code table.Code, c storage.Change) {
	if len(c.Key) <= cellRow {
		return
	}
	id := binary.BigEndian.Uint64(c.Key[cellRow-8:])
	if code == table.Vertices {
		switch table.Family(c.Key[cellRow]) {
		case table.OutEdge:
			w.adjacency(id, Out, c.Key, c.Deleted)
			return
		case table.InEdge:
			w.adjacency(id, In, c.Key, c.Deleted)
			return
		}
	}
	if id != w.element || code != w.code {
		w.flushCells()
		w.element, w.code = id, code
	}
	w.cells = append(w.cells, c)
}

// flushCells applies the gathered cells.
func (w *cacheCommit) flushCells() {
	if len(w.cells) == 0 {
		return
	}
	if w.code == table.Edges {
		w.c.edges.Touch(w.element, w.seq, func(old *edgeRow) (edgeRow, rowcache.Size, bool) { return old.after(w.cells) })
	} else {
		w.c.vertices.Touch(w.element, w.seq, func(old *vertexRow) (vertexRow, rowcache.Size, bool) { return old.after(w.g, w.cells) })
	}
	clear(w.cells)
	w.cells = w.cells[:0]
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
		w.flushChanges()
		w.owner, w.target = id, t
	}
	w.changes = append(w.changes, c)
}

// flush applies all that is gathered.
func (w *cacheCommit) flush() {
	w.flushCells()
	w.flushChanges()
}

func (w *cacheCommit) flushChanges() {
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
