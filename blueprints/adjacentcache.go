package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// adjacencyRow returns the row that holds the edges of v with one of the labels, nil
// when they are to be read from the store. want is how many edges are wanted, negative
// for all of them.
func (t *Tx) adjacencyRow(v VertexID, d Direction, labels []Symbol, want int, after *Adjacent) (*rowcache.Adjacency, error) {
	if !t.cacheable(v, partOf(d)) {
		return nil, nil
	}
	row := t.cachedAdjacency(v, d)
	if row == nil {
		if err := t.fillAroundRow(v, d, labels, want, after); err != nil {
			return nil, err
		}
		if row = t.cachedAdjacency(v, d); row == nil {
			if first := t.firstEdges(v, d, labels, want, after); first != nil {
				return first, nil
			}
		}
	}
	if row != nil && knows(row, labels) {
		return row, nil
	}
	if want >= 0 {
		// A limited read of a row that may be huge reads no more than asked for, unless
		// it is not the first.
		if !t.cache.limited.again(v, d) {
			return nil, nil
		}
		row, err := t.fillAdjacency(v, d, limitedCellsMax)
		if row == nil && err == nil {
			t.cache.limited.giveUp(v, d)
		}
		return row, err
	}
	if len(labels) == 0 {
		return t.fillAdjacency(v, d, -1)
	}
	if row == nil {
		row, err := t.fillAdjacency(v, d, limitedCellsMax)
		if row != nil || err != nil {
			return row, err
		}
	}
	return t.fillLabels(v, d, row, labels)
}

// fillAroundRow reads a row that is not in memory with those that are probably read next.
// Those that are long, for who wants so many edges, it leaves to who reads them.
func (t *Tx) fillAroundRow(v VertexID, d Direction, labels []Symbol, want int, after *Adjacent) error {
	if after != nil || t.ahead.long[v]&partOf(d) != 0 {
		return nil
	}
	cells := limitedCellsMax
	if want >= 0 {
		cells = fillCells
	}
	if err := t.fillAroundVertex(v, partOf(d), cells); err != nil || want < 0 || len(labels) > 0 || t.cachedAdjacency(v, d) != nil {
		return err
	}
	return t.fillVertices([]VertexID{v}, partOf(d), min(3*want, cells)) // and one more, to know that there are no more
}

// firstEdges returns what was read ahead of a long row if it holds all edges that are
// wanted. Who observes is to observe no more than is read, and reads.
func (t *Tx) firstEdges(v VertexID, d Direction, labels []Symbol, want int, after *Adjacent) *rowcache.Adjacency {
	k := 0
	if d == In {
		k = 1
	}
	first := t.kept.begun[k][v]
	if first == nil || want < 0 || t.observing {
		return nil
	}
	room := t.ahead.room()
	room.adjacent = appendRow(room.adjacent[:0], first, d, labels, nil, want, after)
	if len(room.adjacent) < want {
		return nil
	}
	return first
}

// knows reports whether the edges of all labels, or of every label there is, are here.
func knows(row *rowcache.Adjacency, labels []Symbol) bool {
	if row.Complete() {
		return true
	}
	for _, l := range labels {
		if !row.Knows(uint32(l)) {
			return false
		}
	}
	return len(labels) > 0
}

// fillAdjacency reads all edges of v in one direction, or gives up with nil when there
// are more than max.
func (t *Tx) fillAdjacency(v VertexID, d Direction, max int) (*rowcache.Adjacency, error) {
	edges, ok, err := t.readEdges(table.AppendAdjacent(nil, t.g.number, uint64(v), family(d)), d, max)
	if err != nil || !ok {
		return nil, err
	}
	row := rowcache.NewAdjacency(edges, true)
	t.pause(fillingAdjacency)
	t.cache.adjacency(d).Install(uint64(v), t.seq, func(*rowcache.Adjacency) (rowcache.Adjacency, rowcache.Size, bool) {
		return row, row.Size(), true
	})
	return &row, nil
}

// addAdjacency has the edges of a vertex in one direction read.
func (f *fill) addAdjacency(v VertexID, d Direction) {
	prefix := func(b []byte) []byte { return table.AppendAdjacent(b, f.t.g.number, uint64(v), family(d)) }
	f.add(uint64(v), partOf(d), prefix, prefix)
}

// fillLabels adds the labels that a row, which may be nil, does not know.
func (t *Tx) fillLabels(v VertexID, d Direction, row *rowcache.Adjacency, labels []Symbol) (*rowcache.Adjacency, error) {
	if row == nil {
		row = &rowcache.Adjacency{}
	}
	for _, l := range labels {
		if row.Knows(uint32(l)) {
			continue
		}
		prefix := table.AppendAdjacentLabel(nil, t.g.number, uint64(v), family(d), uint32(l))
		edges, _, err := t.readEdges(prefix, d, -1)
		if err != nil {
			return nil, err
		}
		t.cache.adjacency(d).Install(uint64(v), t.seq, func(have *rowcache.Adjacency) (rowcache.Adjacency, rowcache.Size, bool) {
			if have == nil {
				have = &rowcache.Adjacency{}
			}
			if have.Complete() {
				return *have, have.Size(), false
			}
			next := have.With(uint32(l), edges)
			return next, next.Size(), true
		})
		next := row.With(uint32(l), edges)
		row = &next
	}
	return row, nil
}

// readEdges reads the cells under prefix beneath the transaction's own writes, without
// observing; ok is false when there are more than max.
func (t *Tx) readEdges(prefix []byte, d Direction, max int) (edges []rowcache.Edge, ok bool, err error) {
	it := t.tx.Snapshot().Scan(storage.ScanOptions{From: prefix, To: table.PrefixEnd(nil, prefix), Unobserved: true})
	defer it.Close()
	edges = t.edges[:0]
	for it.Next() {
		t.cells++
		if max >= 0 && len(edges) == max {
			return nil, false, nil
		}
		a, ok := decodeAdjacent(it.Key(), d)
		if !ok {
			return nil, false, corrupt("adjacency", nil)
		}
		edges = append(edges, rowcache.Edge{Label: uint32(a.Label), Edge: uint64(a.Edge), Other: uint64(a.Other)})
	}
	if cap(edges) <= limitedCellsMax {
		t.edges = edges
	}
	return edges, true, it.Err()
}

// observeAdjacent records the reading of edges, by label or all of them.
func (t *Tx) observeAdjacent(v VertexID, d Direction, labels []Symbol) {
	if !t.observing {
		return
	}
	if len(labels) == 0 {
		t.key = table.AppendAdjacent(t.key[:0], t.g.number, uint64(v), family(d))
		t.observePrefix()
	}
	for _, l := range labels {
		t.key = table.AppendAdjacentLabel(t.key[:0], t.g.number, uint64(v), family(d), uint32(l))
		t.observePrefix()
	}
}

// appendRow appends the edges of a row with one of the sorted labels, or with any but those
// that are left out, behind after.
func appendRow(dst []Adjacent, row *rowcache.Adjacency, d Direction, labels, without []Symbol, limit int, after *Adjacent) []Adjacent {
	if small := row.Small(); small != nil && len(labels) == 0 && limit < 0 && after == nil {
		return appendSmall(dst, small, d, without)
	}
	var one [1]rowcache.Chunk
	if len(labels) == 0 {
		for i := range row.Labels() {
			label, chunks := row.Run(i, &one)
			if slices.Contains(without, Symbol(label)) {
				continue
			}
			if dst = appendChunks(dst, chunks, Symbol(label), d, limit, after); limit >= 0 && len(dst) >= limit {
				break
			}
		}
		return dst
	}
	for _, l := range labels {
		if dst = appendChunks(dst, row.RunOf(uint32(l), &one), l, d, limit, after); limit >= 0 && len(dst) >= limit {
			break
		}
	}
	return dst
}

func appendChunks(dst []Adjacent, chunks []rowcache.Chunk, label Symbol, d Direction, limit int, after *Adjacent) []Adjacent {
	if after != nil && label < after.Label {
		return dst
	}
	skip := uint64(0)
	if after != nil && label == after.Label {
		skip = uint64(after.Edge)
	}
	for _, c := range chunks {
		if skip > 0 {
			if last, _ := c.At(c.Len() - 1); last <= skip {
				continue
			}
		}
		from := 0
		for skip > 0 && from < c.Len() {
			if e, _ := c.At(from); e > skip {
				break
			}
			from++
		}
		n := c.Len() - from
		if limit >= 0 {
			n = min(n, limit-len(dst))
		}
		dst = appendPairs(dst, c, from, n, label, d)
		if limit >= 0 && len(dst) >= limit {
			break
		}
	}
	return dst
}

// appendPairs is the inner loop of every hop.
func appendPairs(dst []Adjacent, c rowcache.Chunk, from, n int, label Symbol, d Direction) []Adjacent {
	at := len(dst)
	dst = slices.Grow(dst, n)[:at+n]
	out := dst[at:]
	if c.Wide != nil {
		pairs := c.Wide[2*from : 2*(from+n)]
		for i := range out {
			out[i] = Adjacent{Edge: EdgeID(pairs[2*i]), Other: VertexID(pairs[2*i+1]), Label: label, Dir: d}
		}
		return dst
	}
	pairs := c.Narrow[2*from : 2*(from+n)]
	for i := range out {
		if 2*i+1 < len(pairs) {
			out[i] = Adjacent{Edge: EdgeID(pairs[2*i]), Other: VertexID(pairs[2*i+1]), Label: label, Dir: d}
		}
	}
	return dst
}

// appendSmall appends all edges of a row in its compact form, but those that are left out.
func appendSmall(dst []Adjacent, small []uint32, d Direction, without []Symbol) []Adjacent {
	labels := small[1 : 1+2*small[0]]
	pairs := small[1+2*small[0]:]
	at := len(dst)
	dst = slices.Grow(dst, len(pairs)/2)[:at+len(pairs)/2]
	out := dst[at:]
	e, left := 0, 0 // out
	for ; len(labels) >= 2; labels = labels[2:] {
		label, end := Symbol(labels[0]), min(int(labels[1]), len(out))
		if slices.Contains(without, label) {
			left, e = left+end-e, end
			continue
		}
		for ; e < end; e++ {
			p := pairs[2*e : 2*e+2 : 2*e+2]
			out[e-left] = Adjacent{Edge: EdgeID(p[0]), Other: VertexID(p[1]), Label: label, Dir: d}
		}
	}
	return dst[:len(dst)-left]
}

// countEdges counts the edges of v in one direction in the store.
func (t *Tx) countEdges(v VertexID, d Direction, labels []Symbol) (int64, error) {
	if len(labels) == 0 {
		return t.countKeys(table.AppendAdjacent(t.key[:0], t.g.number, uint64(v), family(d)))
	}
	var n int64
	for _, l := range labels {
		m, err := t.countKeys(table.AppendAdjacentLabel(t.key[:0], t.g.number, uint64(v), family(d), uint32(l)))
		if err != nil {
			return 0, err
		}
		n += m
	}
	return n, nil
}

// countKeys counts the keys under prefix, which is built in t.key.
func (t *Tx) countKeys(prefix []byte) (int64, error) {
	t.key = prefix
	t.key2 = table.PrefixEnd(t.key2[:0], prefix)
	it := t.tx.Scan(storage.ScanOptions{From: t.key, To: t.key2})
	defer it.Close()
	var n int64
	for it.Next() {
		n++
	}
	return n, it.Err()
}
