package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints/rowcache"
)

// stage is how many vertices are looked up before the first of them is read, so that
// their memory is fetched side by side.
const stage = rowcache.Stage

// bothWays are the directions in the order in which they are read.
var bothWays = [...]Direction{Out, In}

// rowPair is the cached rows of a vertex, outgoing and incoming; nil where a row is not
// cached, must not be read from the cache, or was not looked up.
type rowPair [len(bothWays)]*rowcache.Adjacency

// stagedRows are the rows of a stage, outgoing and incoming.
type stagedRows [len(bothWays)][stage]*rowcache.Adjacency

// of returns the rows of the i-th vertex.
func (r *stagedRows) of(i int) rowPair { return rowPair{r[0][i], r[1][i]} }

// Expand gives the sink the edges of each vertex.
func (t *Tx) Expand(vs []VertexID, x Expansion, into Sink) error { return t.expand(vs, &x, into) }

func (t *Tx) expand(vs []VertexID, x *Expansion, into Sink) error {
	if x.Want == WantWalk {
		return t.expandWalks(vs, x, into)
	}
	if len(x.Labels) > 1 {
		x.Labels = t.sorted(x.Labels)
		scratch := t.labels
		t.labels = nil // the sink may come back here
		defer func() { t.labels = scratch }()
	}
	if len(vs) > 0 {
		toFront(t.ahead.parents[:], vs)
	}
	if len(vs) == 1 {
		if x.pruned.usable(t) {
			return t.expandPruned(vs[0], x, into)
		}
		return t.expandOne(0, vs[0], x, rowPair{}, into)
	}
	return t.expandMany(vs, x, into)
}

func (t *Tx) expandMany(vs []VertexID, x *Expansion, into Sink) error {
	var rows stagedRows
	filled := 0 // up to where rows were read ahead
	for start := 0; start < len(vs); start += stage {
		batch := vs[start:min(start+stage, len(vs))]
		bare := x.pruned.usable(t) && t.stagePruned(batch, x, &rows)
		lacking := 0
		if !bare {
			lacking = t.stageRows(batch, x, &rows)
		}
		if lacking > 0 && start >= filled {
			ahead := len(batch)
			if lacking*fewLack > len(batch) {
				ahead = expandMax
			}
			filled = start + ahead
			if err := t.fillExpansion(vs[start:], ahead, x); err != nil {
				return err
			}
			t.stageRows(batch, x, &rows)
		} else if lacking == 0 && !bare && x.pruned.usable(t) {
			t.prune(batch, x, &rows)
		}
		var err error
		if x.Want == WantEdges {
			err = t.expandStage(start, batch, x, &rows, into)
		} else {
			err = t.summarizeStage(start, batch, x, &rows, bare, into)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fewLack says where nothing is read ahead: one row in so many of a stage is not in memory.
// To look for the others of which that is so would take longer than to read them.
const fewLack = 16

// fillExpansion reads the edges of so many vertices at once, these and those behind them. Of
// what is limited, or of some labels, long rows are left to who reads no more than is wanted.
func (t *Tx) fillExpansion(vs []VertexID, ahead int, x *Expansion) error {
	var parts part
	for _, d := range bothWays {
		if x.Dir&d != 0 && d >= x.After.Dir {
			parts |= partOf(d)
		}
	}
	max := -1
	switch {
	case x.Max > 0:
		max = fillCells
	case len(x.Labels) > 0:
		max = limitedCellsMax
	}
	if n := ahead - len(vs); n > 0 && x.Next != nil {
		vs = x.Next.Upcoming(slices.Clone(vs), n)
	}
	return t.fillVertices(vs[:min(len(vs), ahead)], parts, max)
}

func (t *Tx) expandStage(start int, batch []VertexID, x *Expansion, rows *stagedRows, into Sink) error {
	for i, v := range batch {
		if err := t.expandOne(start+i, v, x, rows.of(i), into); err != nil {
			return err
		}
	}
	return nil
}

// summarizeStage gives ends or counts. Those of small whole rows, as most are, are given
// without asking what else a row might be: there is little else to do for them. Bare rows
// lack what is left out.
func (t *Tx) summarizeStage(start int, batch []VertexID, x *Expansion, rows *stagedRows, bare bool, into Sink) error {
	whole := len(x.Labels) == 0 && !t.observing && len(t.dirtyVertices) == 0
	bare = bare || len(x.without) == 0
	if x.Want == WantCount {
		return t.countStage(start, batch, x, rows, whole, bare, into)
	}
	for k, d := range bothWays {
		if x.Dir&d == 0 {
			continue
		}
		for i, v := range batch {
			var err error
			if row := rows[k][i]; !whole || row == nil || row.Small() == nil {
				err = t.expandEnds(start+i, v, d, x, row, into)
			} else if !bare {
				err = giveSmall(start+i, x, row, into)
			} else if pairs := row.SmallPairs(); len(pairs) > 0 {
				err = into.Take(start+i, Expanded{Pairs: pairs})
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// giveSmall gives the edges of a row in its compact form, but those that are left out.
func giveSmall(i int, x *Expansion, row *rowcache.Adjacency, into Sink) error {
	pairs := row.SmallPairs()
	switch len(x.without) {
	case 0:
	case 1: // as of roles mostly
		from, to := row.SmallRunOf(uint32(x.without[0]))
		if from == to {
			break
		}
		if from > 0 {
			if err := into.Take(i, Expanded{Pairs: pairs[:2*from]}); err != nil {
				return err
			}
		}
		pairs = pairs[2*to:]
	default:
		return giveSmallRuns(i, x, row, into)
	}
	if len(pairs) == 0 {
		return nil
	}
	return into.Take(i, Expanded{Pairs: pairs})
}

// giveSmallRuns does so label by label.
func giveSmallRuns(i int, x *Expansion, row *rowcache.Adjacency, into Sink) error {
	var one [1]rowcache.Chunk
	for k := range row.Labels() {
		label, chunks := row.Run(k, &one)
		if slices.Contains(x.without, Symbol(label)) {
			continue
		}
		if err := into.Take(i, Expanded{Pairs: chunks[0].Narrow}); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) countStage(start int, batch []VertexID, x *Expansion, rows *stagedRows, whole, bare bool, into Sink) error {
	var counts [stage]int64
	if whole {
		without := x.without
		if bare {
			without = nil
		}
		smallCounts(&counts, x.Dir, without, rows, len(batch))
	}
	for i, v := range batch {
		var err error
		if whole && counts[i] >= 0 {
			err = into.Take(start+i, Expanded{Count: counts[i]})
		} else {
			err = t.expandOne(start+i, v, x, rows.of(i), into)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// smallCounts counts the edges of n vertices in a direction, but those that are left out; -1
// for those whose rows are not all small. It does nothing else: then the processor waits for
// many rows at a time.
func smallCounts(counts *[stage]int64, ways Direction, without []Symbol, rows *stagedRows, n int) {
	for k, d := range bothWays {
		if ways&d == 0 {
			continue
		}
		for i := range n {
			row := rows[k][i]
			if row == nil || row.Small() == nil || counts[i] < 0 {
				counts[i] = -1
				continue
			}
			c := row.Len()
			for _, l := range without {
				if row.Packed() {
					c -= row.PackedLenOf(uint32(l))
				} else {
					c -= row.SmallLenOf(uint32(l))
				}
			}
			counts[i] += int64(c)
		}
	}
}

// stageRows looks up the rows of a batch, and touches their memory when it will be read. It
// returns how many the cache, if there is one, lacks.
func (t *Tx) stageRows(batch []VertexID, x *Expansion, rows *stagedRows) (lacking int) {
	if t.cache == nil {
		return 0
	}
	for k, d := range bothWays {
		if x.Dir&d == 0 {
			continue
		}
		t.lookUpRows(batch, d, k, &rows[k])
		for _, r := range rows[k][:len(batch)] {
			switch {
			case r == nil:
				lacking++
			case x.Want != WantCount && r.Small() != nil: // what is counted is beside the rows
				t.touched += r.Small()[0]
			}
		}
	}
	return lacking
}

func (t *Tx) lookUpRows(batch []VertexID, d Direction, k int, rows *[stage]*rowcache.Adjacency) {
	rowcache.GetMany(t.cache.adjacency(d), batch, t.seq, rows)
	kept, part := t.kept.adjacent[k], partOf(d)
	if kept == nil && len(t.dirtyVertices) == 0 {
		return
	}
	for i, v := range batch {
		if len(t.dirtyVertices) > 0 && !t.cacheable(v, part) {
			rows[i] = nil
		} else if rows[i] == nil {
			rows[i] = kept[v]
		}
	}
}

// expandOne expands the i-th vertex.
func (t *Tx) expandOne(i int, v VertexID, x *Expansion, rows rowPair, into Sink) error {
	switch x.Want {
	case WantEnds:
		for k, d := range bothWays {
			if x.Dir&d == 0 {
				continue
			}
			if err := t.expandEnds(i, v, d, x, rows[k], into); err != nil {
				return err
			}
		}
		return nil
	case WantCount:
		n, err := t.degree(v, x, rows)
		if err != nil {
			return err
		}
		return into.Take(i, Expanded{Count: n})
	}
	edges, err := t.adjacentEdges(t.adjacent[:0], v, x, rows)
	if err != nil {
		return err
	}
	return t.lend(i, edges, into)
}

// lend gives the sink edges that lie in the scratch of the transaction; the sink may come
// back for others.
func (t *Tx) lend(i int, edges []Adjacent, into Sink) error {
	t.adjacent, t.ahead.lent = nil, edges
	err := into.Take(i, Expanded{Edges: edges})
	t.adjacent = edges[:0]
	return err
}

// adjacentEdges appends the edges of a vertex.
func (t *Tx) adjacentEdges(dst []Adjacent, v VertexID, x *Expansion, rows rowPair) ([]Adjacent, error) {
	limit := -1
	if x.Max > 0 {
		limit = len(dst) + x.Max
	}
	for k, d := range bothWays {
		if x.Dir&d == 0 || d < x.After.Dir {
			continue
		}
		var after *Adjacent
		if x.After.Dir == d {
			after = &x.After
		}
		row, err := t.rowFor(v, d, x.Labels, limit-len(dst), after, rows[k])
		if err != nil {
			return dst, err
		}
		if row != nil {
			t.observeAdjacent(v, d, x.Labels)
			dst = appendRow(dst, row, d, x.Labels, x.without, limit, after)
		} else if dst, err = t.scanEdges(dst, v, d, x.Labels, x.without, limit, after); err != nil {
			return dst, err
		}
		if limit >= 0 && len(dst) >= limit {
			break
		}
	}
	return dst, nil
}

// rowFor returns the row that was looked up, if it does, or what adjacencyRow finds. A
// sink may have written since the look-up.
func (t *Tx) rowFor(v VertexID, d Direction, labels []Symbol, want int, after *Adjacent, row *rowcache.Adjacency) (*rowcache.Adjacency, error) {
	if row != nil && knows(row, labels) && (len(t.dirtyVertices) == 0 || t.cacheable(v, partOf(d))) {
		return row, nil
	}
	return t.adjacencyRow(v, d, labels, want, after)
}

// expandEnds gives the edges in one direction as they lie in the cache.
func (t *Tx) expandEnds(i int, v VertexID, d Direction, x *Expansion, row *rowcache.Adjacency, into Sink) error {
	row, err := t.rowFor(v, d, x.Labels, -1, nil, row)
	if err != nil {
		return err
	}
	if row == nil {
		edges, err := t.scanEdges(t.adjacent[:0], v, d, x.Labels, x.without, -1, nil)
		if err != nil {
			return err
		}
		return t.lend(i, edges, into)
	}
	t.observeAdjacent(v, d, x.Labels)
	if row.Small() != nil && len(x.Labels) == 0 {
		return giveSmall(i, x, row, into)
	}
	var one [1]rowcache.Chunk
	for _, l := range x.Labels {
		if err := endsOfRun(i, row.RunOf(uint32(l), &one), l, d, into); err != nil {
			return err
		}
	}
	if len(x.Labels) > 0 {
		return nil
	}
	for k := range row.Labels() {
		label, chunks := row.Run(k, &one)
		if slices.Contains(x.without, Symbol(label)) {
			continue
		}
		if err := endsOfRun(i, chunks, Symbol(label), d, into); err != nil {
			return err
		}
	}
	return nil
}

func endsOfRun(i int, chunks []rowcache.Chunk, label Symbol, d Direction, into Sink) error {
	for _, c := range chunks {
		e := Expanded{Pairs: c.Narrow}
		if c.Wide != nil {
			e.Edges = appendPairs(nil, c, 0, c.Len(), label, d)
		}
		if err := into.Take(i, e); err != nil {
			return err
		}
	}
	return nil
}

// degree counts the edges of a vertex.
func (t *Tx) degree(v VertexID, x *Expansion, rows rowPair) (int64, error) {
	var n int64
	for k, d := range bothWays {
		if x.Dir&d == 0 {
			continue
		}
		row, err := t.rowFor(v, d, x.Labels, -1, nil, rows[k])
		if err != nil {
			return 0, err
		}
		if row == nil {
			m, err := t.countEdges(v, d, x.Labels)
			if err == nil && len(x.without) > 0 {
				var less int64
				less, err = t.countEdges(v, d, x.without)
				m -= less
			}
			if err != nil {
				return 0, err
			}
			n += m
			continue
		}
		t.observeAdjacent(v, d, x.Labels)
		if len(x.Labels) == 0 {
			n += int64(row.Len() - x.leavesOut(row))
		}
		for _, l := range x.Labels {
			n += int64(row.LenOf(uint32(l)))
		}
	}
	return n, nil
}
