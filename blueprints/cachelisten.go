package blueprints

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// cellRow is where the row of an element ends in its keys.
const cellRow = 4 + 1 + 8

// cacheCommit applies one commit to a graph's cache, key by key in order. Changes of
// one element's cells, and of one vertex's edges in one direction, are gathered and
// applied at once.
type cacheCommit struct {
	listeners *listeners
	store     storage.Store
	visit     func(storage.Change) // w.change; made once

	number uint32 // of the graph
	g      *Graph
	c      *cache
	seq    uint64

	news []*Graph // whose history has commits that are not shown yet

	element uint64 // of the gathered cells, which are vertices' or edges'
	code    table.Code
	cells   []storage.Change

	owner   uint64 // of the gathered changes
	target  *rowcache.Table[rowcache.Adjacency]
	changes []rowcache.Change
	kept    []rowcache.Change // scratch: of these

	posting []byte // of the gathered entries
	entries []rowcache.EntryChange
	scratch rowcache.PostingBuilder
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
	switch table.Family(c.Key[cellRow]) {
	case table.CounterCell, table.StampCell, table.ExpiryCell: // no row in memory has them
		return
	case table.OutEdge:
		w.adjacency(id, Out, c.Key, c.Deleted)
		return
	case table.InEdge:
		w.adjacency(id, In, c.Key, c.Deleted)
		return
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
	switch {
	case slices.ContainsFunc(w.cells, endsElement):
		w.c.rowDeleted(w.code, w.element, w.seq)
	case w.code == table.Edges:
		w.c.edges.Touch(w.element, w.seq, func(old *edgeRow) (edgeRow, rowcache.Size, rowcache.Outcome) {
			return edgeKind.after(old, w.g, w.cells)
		})
	default:
		w.c.vertices.Touch(w.element, w.seq, func(old *vertexRow) (vertexRow, rowcache.Size, rowcache.Outcome) {
			return vertexKind.after(old, w.g, w.cells)
		})
	}
	clear(w.cells)
	w.cells = w.cells[:0]
}

// endsElement reports whether a change removes an element: its number is never used again,
// and nobody needs to know of each that it is gone.
func endsElement(c storage.Change) bool {
	return c.Deleted && table.Family(c.Key[cellRow]) == table.Exists
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
	w.flushEntries()
}

func (w *cacheCommit) flushChanges() {
	if len(w.changes) == 0 {
		return
	}
	t := w.target
	t.Touch(w.owner, w.seq, func(old *rowcache.Adjacency) (rowcache.Adjacency, rowcache.Size, rowcache.Outcome) {
		next, copied := old.Apply(w.changes)
		t.AddCopied(copied)
		return next, next.Size(), rowcache.Succeeded
	})
	switch t {
	case w.c.out:
		w.c.pruned.changed(Out, w.owner, w.seq, w.changes, &w.kept)
	case w.c.in:
		w.c.pruned.changed(In, w.owner, w.seq, w.changes, &w.kept)
	}
	w.changes = w.changes[:0]
}

// entry takes notice of an entry of a key index. The key lasts until the next commit.
func (w *cacheCommit) entry(key []byte, del bool) {
	posting, rest, ok := keyindex.PostingOf(key)
	if !ok {
		return
	}
	if !bytes.Equal(posting, w.posting) {
		w.flushEntries()
		w.posting = posting
	}
	w.entries = append(w.entries, rowcache.EntryChange{Entry: rest, Removed: del})
}

func (w *cacheCommit) flushEntries() {
	if len(w.entries) == 0 {
		return
	}
	w.c.postings.Touch(postingRow(w.posting), w.seq, func(old *rowcache.Postings) (rowcache.Postings, rowcache.Size, rowcache.Outcome) {
		next, outcome := old.After(w.posting, w.entries, &w.scratch)
		return next, next.Size(), outcome
	})
	clear(w.entries)
	w.entries, w.posting = w.entries[:0], nil
}
