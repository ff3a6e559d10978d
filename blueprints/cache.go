package blueprints

import (
	"hash/maphash"
	"sync/atomic"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// cache is what a graph keeps decoded. Nobody reaches it but through a Tx, which
// records what it reads. Rows that a transaction has written it reads from itself.
type cache struct {
	vertices *rowcache.Table[vertexRow]
	out, in  *rowcache.Table[rowcache.Adjacency]
	edges    *rowcache.Table[edgeRow]
	// vertexLabels and edgeLabels hold the elements of one label, by the label's
	// symbol, in the form of edges: what a scan walks.
	vertexLabels, edgeLabels *rowcache.Table[rowcache.Adjacency]
	// postings holds entries of key indexes by hash of what they share, see posting.go.
	postings *rowcache.Table[rowcache.Postings]

	// ids guess the internal id of a user's id, by hash. A guess is checked against
	// the row, so it needs no care when elements come and go.
	vertexHints, edgeHints *idHints
	limited                limitedReads
	budget                 *rowcache.Budget
	commits                *rowcache.Commits
	// pruned holds rows of out and in without what is denied to somebody.
	pruned prunedRows
}

func newCache(b *rowcache.Budget, c *rowcache.Commits) *cache {
	return &cache{
		budget:   b,
		commits:  c,
		vertices: rowcache.NewTable[vertexRow](b, c),
		out:      rowcache.NewTable[rowcache.Adjacency](b, c),
		in:       rowcache.NewTable[rowcache.Adjacency](b, c),
		edges:    rowcache.NewTable[edgeRow](b, c),

		vertexLabels: rowcache.NewTable[rowcache.Adjacency](b, c),
		edgeLabels:   rowcache.NewTable[rowcache.Adjacency](b, c),

		postings: rowcache.NewTable[rowcache.Postings](b, c),

		vertexHints: new(idHints),
		edgeHints:   new(idHints),
	}
}

// over makes a cache of max bytes for one who reads a single commit: it begins with what is
// in c, and what is read goes into it and not into c.
func (c *cache) over(max int64) *cache {
	b, commits := rowcache.NewBudget(max), &rowcache.Commits{}
	return &cache{
		budget:   b,
		vertices: rowcache.NewTableOver(c.vertices, b, commits),
		out:      rowcache.NewTableOver(c.out, b, commits),
		in:       rowcache.NewTableOver(c.in, b, commits),
		edges:    rowcache.NewTableOver(c.edges, b, commits),

		vertexLabels: rowcache.NewTableOver(c.vertexLabels, b, commits),
		edgeLabels:   rowcache.NewTableOver(c.edgeLabels, b, commits),

		postings: rowcache.NewTableOver(c.postings, b, commits),

		vertexHints: c.vertexHints,
		edgeHints:   c.edgeHints,
	}
}

func (c *cache) adjacency(d Direction) *rowcache.Table[rowcache.Adjacency] {
	if d == In {
		return c.in
	}
	return c.out
}

// reset forgets everything, for changes that did not come as single keys.
func (c *cache) reset(seq uint64) {
	c.vertices.Reset(seq)
	c.out.Reset(seq)
	c.in.Reset(seq)
	c.edges.Reset(seq)
	c.vertexLabels.Reset(seq)
	c.edgeLabels.Reset(seq)
	c.postings.Reset(seq)
	c.pruned.reset(seq)
}

func (c *cache) labels(class table.Class) *rowcache.Table[rowcache.Adjacency] {
	if class == table.EdgeClass {
		return c.edgeLabels
	}
	return c.vertexLabels
}

const (
	limitedCellsMax = 4096 // edges that a fill reads on the chance that this is all
	hintBits        = 16
)

// part is a piece of a vertex that is cached apart from the others.
type part uint8

const (
	partHeader part = 1 << iota
	partOut
	partIn
	partEdge // an edge's row
)

func partOf(d Direction) part {
	if d == In {
		return partIn
	}
	return partOut
}

func (t *Tx) fillVertex(v VertexID) (*vertexRow, error) {
	from := table.AppendVertexExists(nil, t.g.number, uint64(v))
	to := table.PrefixEnd(nil, table.AppendVertexProperties(nil, t.g.number, uint64(v)))
	return fillRow(t, &vertexKind, t.cache.vertices, uint64(v), from, to, fillingVertex)
}

func (t *Tx) fillEdge(e EdgeID) (*edgeRow, error) {
	from := table.AppendEdgeRow(nil, t.g.number, uint64(e))
	to := table.PrefixEnd(nil, table.AppendEdgeProperties(nil, t.g.number, uint64(e)))
	return fillRow(t, &edgeKind, t.cache.edges, uint64(e), from, to, fillingEdge)
}

// fillRow reads the row of an element from [from, to) and offers it to the cache.
func fillRow[C any](t *Tx, k *rowKind[C], cached *rowcache.Table[row[C]], id uint64, from, to []byte, at fillPoint) (*row[C], error) {
	r := &row[C]{}
	it := t.tx.Snapshot().Scan(storage.ScanOptions{From: from, To: to, Unobserved: true})
	defer it.Close()
	size, err := k.fill(r, t.g, it)
	if err != nil {
		return nil, err
	}
	t.pause(at)
	cached.Install(id, t.seq, func(*row[C]) (row[C], rowcache.Size, bool) { return *r, size, true })
	return r, nil
}

// installRow offers a row to the cache that was filled cell by cell, and reports whether it
// was taken.
func installRow[C any](t *Tx, k *rowKind[C], cached *rowcache.Table[row[C]], id uint64, r *row[C], cost int64, at fillPoint) (rowcache.Size, bool) {
	size := k.filled(r, cost)
	t.pause(at)
	return size, cached.Install(id, t.seq, func(*row[C]) (row[C], rowcache.Size, bool) { return *r, size, true })
}

// The places where a test can hold a fill.
type fillPoint int

const (
	fillingVertex fillPoint = iota + 1
	fillingAdjacency
	fillingLabel
	fillingEdge
	fillingPosting
)

func (t *Tx) pause(p fillPoint) {
	if hook := t.g.onFill; hook != nil {
		hook(p)
	}
}

// idHints maps hashes of user ids to internal ids, lossily.
type idHints struct {
	slots [1 << hintBits]atomic.Uint64
}

var hintSeed = maphash.MakeSeed()

func (h *idHints) slot(row []byte) *atomic.Uint64 {
	return &h.slots[maphash.Bytes(hintSeed, row)>>(64-hintBits)]
}

// limitedReads remembers which vertices were read with a limit before, to read them
// whole the second time, and which are too big for that.
type limitedReads struct {
	slots [1 << 10]atomic.Uint64
}

const tooBig = 1 << 63

func (l *limitedReads) slot(v VertexID, d Direction) (*atomic.Uint64, uint64) {
	k := uint64(v)<<2 | uint64(d)
	return &l.slots[(k*0x9E3779B97F4A7C15)>>54], k
}

// again reports whether a limited read of v should read the whole row: the second
// time, unless the row was too big then.
func (l *limitedReads) again(v VertexID, d Direction) bool {
	s, k := l.slot(v, d)
	switch s.Load() {
	case k:
		return true
	case k | tooBig:
		return false
	}
	s.Store(k)
	return false
}

func (l *limitedReads) giveUp(v VertexID, d Direction) {
	s, k := l.slot(v, d)
	s.Store(k | tooBig)
}
