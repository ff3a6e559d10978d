package blueprints

import (
	"bytes"
	"encoding/binary"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// listeners tells each graph what a commit changed, on the committer's goroutine,
// before any reader can begin at that commit.
type listeners struct {
	mu     sync.Mutex // held by changes of graphs
	graphs atomic.Pointer[map[graphKey]*Graph]
}

type graphKey struct {
	store  storage.Store
	number uint32
}

func newListeners(stores ...storage.Store) *listeners {
	l := &listeners{}
	l.graphs.Store(&map[graphKey]*Graph{})
	for _, s := range stores {
		if s != nil {
			w := &cacheCommit{listeners: l, store: s} // its buffers serve every commit of the store
			w.visit = w.change
			s.OnCommit(w.commit)
			s.OnShown(w.shown)
		}
	}
	return l
}

func (l *listeners) add(g *Graph) {
	l.change(func(m map[graphKey]*Graph) { m[graphKey{g.store, g.number}] = g })
}

func (l *listeners) remove(g *Graph) {
	l.change(func(m map[graphKey]*Graph) { delete(m, graphKey{g.store, g.number}) })
}

func (l *listeners) change(fn func(map[graphKey]*Graph)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := maps.Clone(*l.graphs.Load())
	fn(next)
	l.graphs.Store(&next)
}

// commit hands the keys of a commit to their graphs. Keys come in order, so the graph
// rarely changes from one to the next.
func (w *cacheCommit) commit(c storage.Commit) {
	w.seq, w.number = c.Seq, table.StoreGraph
	c.Each(w.visit)
	w.begin(nil)
}

func (w *cacheCommit) change(x storage.Change) {
	n, code, ok := table.Head(x.Key)
	if !ok {
		return
	}
	if n != w.number {
		w.number = n
		w.begin((*w.listeners.graphs.Load())[graphKey{w.store, n}])
	}
	switch {
	case w.g == nil:
	case x.To != nil:
		w.g.rangeDeleted(code, x.Key, x.To, w.seq)
	case code == table.IndexMetadata && keyindex.IsDefinition(x.Key):
		w.g.indexes.changed.Store(w.seq)
	case code == table.Commits:
		if last := len(w.news) - 1; last < 0 || w.news[last] != w.g {
			w.news = append(w.news, w.g)
		}
	case w.c == nil:
	case code == table.Vertices || code == table.Edges:
		w.key(code, x)
	case code == table.VertexLabels || code == table.EdgeLabels:
		w.label(x.Key, x.Deleted)
	case code == table.VertexKeyIndex || code == table.EdgeKeyIndex:
		w.entry(x.Key, x.Deleted)
	}
}

// rowsMax is the number of rows up to which a deleted range voids them one by one.
const rowsMax = 1 << 12

// rangeDeleted takes notice of the removal of [from, to), or of tables that hold it now: the
// rows of elements, rows of indexes, or something larger, which voids all that is kept in
// memory. The store joins ranges that adjoin, so one range may be the rows of several elements.
func (g *Graph) rangeDeleted(code table.Code, from, to []byte, seq uint64) {
	if withinTable(from, to) {
		switch code {
		case table.NamedIndex, table.CompositeIndex, table.EdgeIndex, table.TextIndex, table.GeoIndex, table.NamedIndexOwned, table.VertexKeyOwned, table.EdgeKeyOwned:
			return
		case table.VertexKeyIndex, table.EdgeKeyIndex:
			if g.cache != nil {
				g.cache.postings.Reset(seq)
			}
			return
		case table.Vertices, table.Edges:
			first, ok1 := rowNumber(from)
			end, ok2 := rowNumber(to)
			if !ok1 || !ok2 || end-first > rowsMax {
				break
			}
			for id := first; id < end && g.cache != nil; id++ {
				g.cache.rowDeleted(code, id, seq)
			}
			return
		}
	}
	g.takenIDs.forget(seq)
	g.indexes.changed.Store(seq)
	if g.cache != nil {
		g.cache.reset(seq)
	}
}

// withinTable reports whether [from, to) lies in the table of from.
func withinTable(from, to []byte) bool {
	const head = cellRow - 8
	return len(from) >= head && len(to) >= head && bytes.Equal(from[:head], to[:head])
}

// rowNumber returns the element whose row begins at a key, which may lack zeros at its
// end as table.PrefixEnd leaves them out.
func rowNumber(key []byte) (id uint64, ok bool) {
	if len(key) > cellRow {
		return 0, false
	}
	var row [8]byte
	copy(row[:], key[cellRow-8:])
	return binary.BigEndian.Uint64(row[:]), true
}

// rowDeleted forgets everything known of one element.
func (c *cache) rowDeleted(code table.Code, id, seq uint64) {
	if code == table.Edges {
		c.edges.Drop(id, seq)
		return
	}
	c.vertices.Drop(id, seq)
	c.out.Drop(id, seq)
	c.in.Drop(id, seq)
	c.pruned.gone(id, seq)
}
