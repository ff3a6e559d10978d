package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Reading many rows with one question to the store, before the code that reads element by
// element asks for them: it finds them in the cache, or where the cache would not keep
// them, in the transaction.

const (
	// fillMax is how many elements are read at once.
	fillMax = 1024
	// expandMax is how many vertices' edges are read at once, of as many as are asked for.
	expandMax = 4096
	// fillCells is how many cells of a row are read on the chance that somebody wants it.
	fillCells = 256
)

// fill reads rows beneath the transaction's own writes, without observing: whoever uses
// them does.
type fill struct {
	t *Tx
	wanted
	rows   []wantedRow // what the ranges are of
	pinned []pinned
	max    int // cells of an adjacency; beyond it is not kept; negative: no bound

	at     int // the row whose cells come; -1 before the first
	cut    bool
	vertex *vertexRow
	edge   *edgeRow
	size   int64
	edges  []rowcache.Edge
}

// wantedRow is a row that is read, and whether that is over.
type wantedRow struct {
	id   uint64
	part part
	done bool
}

// add has a range of a row read.
func (f *fill) add(id uint64, p part, appendFrom, appendLast func(dst []byte) []byte) {
	f.wanted.add(appendFrom, appendLast).Unobserved = true
	f.rows = append(f.rows, wantedRow{id: id, part: p})
}

// wanted are ranges that are read with one question.
type wanted struct {
	keys   []byte
	ranges []storage.ScanOptions
}

// add adds a range, from a key to all that begin with another.
func (w *wanted) add(appendFrom, appendLast func(dst []byte) []byte) *storage.ScanOptions {
	start := len(w.keys)
	w.keys = appendFrom(w.keys)
	end := len(w.keys)
	w.keys = appendLast(w.keys)
	last := len(w.keys)
	w.keys = table.PrefixEnd(w.keys, w.keys[end:])
	n := end + copy(w.keys[end:], w.keys[last:])
	w.keys = w.keys[:n]
	w.ranges = append(w.ranges, storage.ScanOptions{From: w.keys[start:end:end], To: w.keys[end:n:n]})
	return &w.ranges[len(w.ranges)-1]
}

// addVertex has parts of a vertex read that are not in memory and may be.
func (f *fill) addVertex(v VertexID, parts part) {
	t, g, id := f.t, f.t.g.number, uint64(v)
	if parts&partHeader != 0 && t.cacheable(v, partHeader) && t.vertexRows[v] == nil {
		if r := t.cachedVertex(v); r != nil {
			f.pin(func() { t.kept.vertices = keep(t.kept.vertices, v, r) }, vertexKind.size+sizeOf(r.props))
		} else {
			f.add(id, partHeader,
				func(b []byte) []byte { return table.AppendVertexExists(b, g, id) },
				func(b []byte) []byte { return table.AppendVertexProperties(b, g, id) })
		}
	}
	for k, d := range bothWays {
		p := partOf(d)
		if parts&p == 0 || !t.cacheable(v, p) || f.max >= 0 && t.ahead.long[v]&p != 0 {
			continue
		}
		if r := t.cachedAdjacency(v, d); r != nil {
			f.pin(func() { t.kept.adjacent[k] = keep(t.kept.adjacent[k], v, r) }, r.Size().All)
		} else {
			f.addAdjacency(v, d)
		}
	}
}

// addEdge has an edge read that is not in memory and may be.
func (f *fill) addEdge(e EdgeID) {
	t := f.t
	if !t.cacheableEdge(e) || t.edgeRows[e] != nil {
		return
	}
	if r := t.cachedEdge(e); r != nil {
		f.pin(func() { t.kept.edges = keep(t.kept.edges, e, r) }, edgeKind.size+sizeOf(r.props))
		return
	}
	f.add(uint64(e), partEdge,
		func(b []byte) []byte { return table.AppendEdgeRow(b, t.g.number, uint64(e)) },
		func(b []byte) []byte { return table.AppendEdgeProperties(b, t.g.number, uint64(e)) })
}

// pin has a row that is in the cache kept, where the cache might make room for those that
// are read.
func (f *fill) pin(keep func(), size int64) {
	if f.t.cache.budget.Full(2 * keptBytes) {
		f.pinned = append(f.pinned, pinned{keep, size})
	}
}

// pinned is a row that is kept when others are read.
type pinned struct {
	keep func()
	size int64
}

// run reads what was added.
func (f *fill) run() error {
	if len(f.ranges) == 0 {
		return nil
	}
	if f.t.kept.bytes > keptBytes { // there is to be room for what comes
		f.t.forgetKept()
	}
	for _, p := range f.pinned {
		if f.t.keeps(false, wholly(p.size)) {
			p.keep()
		}
	}
	f.at = -1
	if err := f.t.tx.Snapshot().ScanMany(f.ranges, f.take); err != nil {
		return err
	}
	f.turn(-1)
	for i := range f.rows {
		if !f.rows[i].done { // it has no cells
			f.turn(i)
		}
	}
	f.turn(-1)
	return nil
}

// turn ends the row whose cells came, and begins another, unless i is negative.
func (f *fill) turn(i int) {
	if f.at >= 0 {
		f.end()
	}
	if f.at = i; i < 0 {
		return
	}
	f.cut, f.size, f.edges = false, 0, f.edges[:0]
	switch f.rows[i].part {
	case partHeader:
		f.vertex = &vertexRow{}
	case partEdge:
		f.edge = &edgeRow{}
	}
}

// take reads a cell.
func (f *fill) take(i int, key, val []byte) (more bool, err error) {
	if i != f.at {
		f.turn(i)
	}
	switch f.rows[i].part {
	case partHeader:
		err = vertexKind.take(f.vertex, f.t.g, key, val, &f.size)
		return !f.vertex.partial, err
	case partEdge:
		err = edgeKind.take(f.edge, f.t.g, key, val, &f.size)
		return !f.edge.partial, err
	}
	f.t.cells++
	if f.max >= 0 && len(f.edges) >= f.max {
		f.cut = true
		return false, nil
	}
	a, ok := decodeAdjacent(key, Out)
	if !ok {
		return false, corrupt("adjacency", nil)
	}
	f.edges = append(f.edges, rowcache.Edge{Label: uint32(a.Label), Edge: uint64(a.Edge), Other: uint64(a.Other)})
	return true, nil
}

// end offers what was read of a row to the cache, and keeps it when that may not.
func (f *fill) end() {
	t, r := f.t, &f.rows[f.at]
	r.done = true
	switch r.part {
	case partHeader:
		size, ok := installRow(t, &vertexKind, t.cache.vertices, r.id, f.vertex, f.size, fillingVertex)
		if t.keeps(ok, size) {
			t.kept.vertices = keep(t.kept.vertices, VertexID(r.id), f.vertex)
		}
	case partEdge:
		size, ok := installRow(t, &edgeKind, t.cache.edges, r.id, f.edge, f.size, fillingEdge)
		if t.keeps(ok, size) {
			t.kept.edges = keep(t.kept.edges, EdgeID(r.id), f.edge)
		}
	default:
		f.endAdjacency(r)
	}
}

func (f *fill) endAdjacency(r *wantedRow) {
	t := f.t
	d, k := Out, 0
	if r.part == partIn {
		d, k = In, 1
	}
	row := rowcache.NewAdjacency(f.edges, !f.cut)
	if f.cut {
		t.ahead.isLong(VertexID(r.id), r.part)
		if t.keeps(false, row.Size()) {
			t.kept.begun[k] = keep(t.kept.begun[k], VertexID(r.id), &row)
		}
		return
	}
	t.pause(fillingAdjacency)
	ok := t.cache.adjacency(d).Install(r.id, t.seq, func(*rowcache.Adjacency) (rowcache.Adjacency, rowcache.Size, bool) {
		return row, row.Size(), true
	})
	if t.keeps(ok, row.Size()) {
		t.kept.adjacent[k] = keep(t.kept.adjacent[k], VertexID(r.id), &row)
	}
}

// fillVertices reads parts of vertices that are not in memory.
func (t *Tx) fillVertices(vs []VertexID, parts part, max int) error {
	if t.cache == nil || t.over {
		return nil
	}
	full := t.cache.budget.Full(2 * keptBytes) // then what is in memory is kept there
	ids := make([]VertexID, 0, len(vs))
	for _, v := range vs {
		if full || t.lacksSome(v, parts) {
			ids = append(ids, v)
		}
	}
	slices.Sort(ids)
	f := &fill{t: t, max: max}
	for _, v := range slices.Compact(ids) {
		f.addVertex(v, parts)
	}
	return f.run()
}

// lacksSome reports whether one of some parts of a vertex is not in memory.
func (t *Tx) lacksSome(v VertexID, parts part) bool {
	return parts&partHeader != 0 && t.cachedVertex(v) == nil ||
		parts&partOut != 0 && t.cachedAdjacency(v, Out) == nil ||
		parts&partIn != 0 && t.cachedAdjacency(v, In) == nil
}

// keptRows are rows of the last fill that the cache may not have: a commit was faster, or
// the cache is full and has others to make room for.
type keptRows struct {
	vertices map[VertexID]*vertexRow
	edges    map[EdgeID]*edgeRow
	adjacent [len(bothWays)]map[VertexID]*rowcache.Adjacency
	begun    [len(bothWays)]map[VertexID]*rowcache.Adjacency // the first edges of long rows
	bytes    int64
}

// keptBytes is about how much a transaction keeps of what it read.
const keptBytes = 1 << 20

// forgetKept drops what the transaction keeps of what it read.
func (t *Tx) forgetKept() {
	if t.kept.bytes > 0 {
		t.options.Account.Release(t.kept.bytes)
		t.kept = keptRows{}
	}
}

// keep adds a row.
func keep[ID comparable, R any](m map[ID]*R, id ID, row *R) map[ID]*R {
	if m == nil {
		m = map[ID]*R{}
	}
	m[id] = row
	return m
}

// keeps reports whether the transaction keeps a row that the cache took or not. Its
// account may be full: then it is read again.
func (t *Tx) keeps(taken bool, size rowcache.Size) bool {
	if taken && !t.cache.budget.Full(2*keptBytes) || t.kept.bytes+size.All > 2*keptBytes || t.options.Account.Charge(size.All) != nil {
		return false
	}
	t.kept.bytes += size.All
	return true
}

// cachedVertex returns the row of a vertex as of the snapshot, nil when it is not in memory.
func (t *Tx) cachedVertex(v VertexID) *vertexRow {
	if r := t.cache.vertices.Get(uint64(v), t.seq); r != nil || t.kept.vertices == nil {
		return r
	}
	return t.kept.vertices[v]
}

// cachedEdge is cachedVertex for an edge.
func (t *Tx) cachedEdge(e EdgeID) *edgeRow {
	if r := t.cache.edges.Get(uint64(e), t.seq); r != nil || t.kept.edges == nil {
		return r
	}
	return t.kept.edges[e]
}

func (t *Tx) cachedAdjacency(v VertexID, d Direction) *rowcache.Adjacency {
	if r := t.cache.adjacency(d).Get(uint64(v), t.seq); r != nil {
		return r
	}
	if d == In {
		return t.kept.adjacent[1][v]
	}
	return t.kept.adjacent[0][v]
}
