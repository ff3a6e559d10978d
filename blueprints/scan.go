package blueprints

import (
	"container/heap"
	"encoding/binary"
	"math"
	"slices"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// elementScan walks the elements of some labels in the order of their internal ids,
// which is the order of insertion: one cursor per label, merged. The cursors are
// opened at once, so that the scan sees nothing added later. Many labels share one.
type elementScan struct {
	place
	t       *Tx
	cursors labelHeap
	many    *manyLabels // in place of cursors
	gone    func(id uint64) bool
	err     error
}

// labelCursor walks the elements of one label: in the store, or in a row of the cache.
type labelCursor struct {
	it    storage.Iterator
	label uint32
	id    uint64

	chunks []rowcache.Chunk // left, the one under way first
	at     int              // of the next element in it
}

// fromRow moves a cursor on a row of the cache.
func (c *labelCursor) fromRow() bool {
	for len(c.chunks) > 0 {
		if c.at < c.chunks[0].Len() {
			c.id, _ = c.chunks[0].At(c.at)
			c.at++
			return true
		}
		c.chunks, c.at = c.chunks[1:], 0
	}
	return false
}

type labelHeap []labelCursor

func (h labelHeap) Len() int           { return len(h) }
func (h labelHeap) Less(i, j int) bool { return h[i].id < h[j].id }
func (h labelHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *labelHeap) Push(x any)        { *h = append(*h, x.(labelCursor)) }
func (h *labelHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// scanElements opens a scan over the elements of a class: those of labels, or all but those
// of the labels without.
func (t *Tx) scanElements(class table.Class, labels, without []Symbol, gone func(uint64) bool) *elementScan {
	s := &elementScan{t: t, gone: gone}
	if t.over {
		s.err = storage.ErrClosed
		return s
	}
	switch {
	case len(labels) > labelCursorsMax:
		s.openMany(class, t.sorted(labels), nil)
	case s.openCached(class, labels, without):
	case len(labels) == 0:
		s.openAll(class, without)
	default:
		for _, l := range t.sorted(labels) {
			from := table.AppendLabelElements(nil, t.g.number, class, uint32(l))
			s.open(t.tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)}))
		}
	}
	heap.Init(&s.cursors)
	t.track(s)
	return s
}

// cachedLabelsMax is how many labels a scan looks for in the cache.
const cachedLabelsMax = 64

// openCached opens cursors on rows of the cache, unless this transaction has added or
// removed elements of the class, or there are too many labels.
func (s *elementScan) openCached(class table.Class, labels, without []Symbol) bool {
	t := s.t
	if t.cache == nil || t.changedClass(class) {
		return false
	}
	all := len(labels) == 0
	if all {
		if t.g.symbols.count() > cachedLabelsMax {
			return false
		}
		for l := Symbol(1); l < t.g.symbols.count(); l++ {
			if !slices.Contains(without, l) {
				labels = append(labels, l)
			}
		}
	} else {
		labels = t.sorted(labels)
	}
	if wanted, err := t.wantLabelRows(class, labels); err != nil || !wanted {
		s.fail(err)
		return err != nil
	}
	cursors := make(labelHeap, 0, len(labels))
	var room [8]*rowcache.Adjacency
	rows, err := t.labelRows(room[:0], class, labels)
	if err != nil {
		s.fail(err)
		return true
	}
	for _, row := range rows {
		var one [1]rowcache.Chunk
		c := labelCursor{chunks: row.RunOf(0, &one)}
		if c.fromRow() {
			cursors = append(cursors, c)
		}
	}
	s.cursors = cursors
	if all {
		t.key = table.AppendTable(t.key[:0], t.g.number, labelTable(class))
		t.observePrefix()
		return true
	}
	for _, l := range labels {
		t.key = table.AppendLabelElements(t.key[:0], t.g.number, class, uint32(l))
		t.observePrefix()
	}
	return true
}

// labelRowShare is the part of the cache that the elements of one label may take.
const labelRowShare = 8

// wantLabelRows reports whether a scan should use the cache: when all its rows are
// there, or can be filled. The first scan of a label is read from the store as far as
// the caller wants it; the second one fills, if the row will not be too large.
func (t *Tx) wantLabelRows(class table.Class, labels []Symbol) (bool, error) {
	kind := table.VertexCount
	if class == table.EdgeClass {
		kind = table.EdgeCount
	}
	again := true
	for _, l := range labels {
		if t.cache.labels(class).Get(uint64(l), t.seq) != nil {
			continue
		}
		const labelReads = 1 << 60 // apart from reads of vertices
		again = t.cache.limited.again(labelReads|VertexID(l)<<1|VertexID(class&1), Out) && again
	}
	if !again {
		return false, nil
	}
	var keys [][]byte
	for _, l := range labels {
		if t.cache.labels(class).Get(uint64(l), t.seq) == nil {
			keys = append(keys, table.AppendCounter(nil, table.Counter{Graph: t.g.number, Kind: kind, Symbol: uint32(l)}))
		}
	}
	if len(keys) == 0 {
		return true, nil
	}
	fits := true
	err := t.tx.Snapshot().GetMany(keys, func(_ int, b []byte) error {
		const elementSize = 8
		n, _ := storage.Count(b)
		fits = fits && n*elementSize <= t.cache.budget.Max()/labelRowShare
		return nil
	})
	return fits, err
}

// labelRows appends the elements of labels as of the snapshot.
func (t *Tx) labelRows(rows []*rowcache.Adjacency, class table.Class, labels []Symbol) ([]*rowcache.Adjacency, error) {
	lacking := 0
	for _, l := range labels {
		row := t.cache.labels(class).Get(uint64(l), t.seq)
		if rows = append(rows, row); row == nil {
			lacking++
		}
	}
	if lacking == 0 {
		return rows, nil
	}
	return rows, t.fillLabelRows(rows, class, labels)
}

// fillLabelRows reads the rows that are not there.
func (t *Tx) fillLabelRows(rows []*rowcache.Adjacency, class table.Class, labels []Symbol) error {
	w, lacking := &wanted{}, []int(nil)
	for i, l := range labels {
		if rows[i] == nil {
			prefix := func(b []byte) []byte { return table.AppendLabelElements(b, t.g.number, class, uint32(l)) }
			w.add(prefix, prefix).Unobserved = true
			lacking = append(lacking, i)
		}
	}
	elements := make([][]rowcache.Edge, len(lacking))
	err := t.tx.Snapshot().ScanMany(w.ranges, func(i int, k, _ []byte) (bool, error) {
		if len(k) < labelTail {
			return false, corrupt("label", nil)
		}
		elements[i] = append(elements[i], rowcache.Edge{Edge: binary.BigEndian.Uint64(k[len(k)-8:])})
		return true, nil
	})
	if err != nil {
		return err
	}
	for i, at := range lacking {
		row := rowcache.NewAdjacency(elements[i], true)
		t.pause(fillingLabel)
		t.cache.labels(class).Install(uint64(labels[at]), t.seq, func(*rowcache.Adjacency) (rowcache.Adjacency, rowcache.Size, bool) {
			return row, row.Size(), true
		})
		rows[at] = &row
	}
	return nil
}

// labelCursorsMax is how many iterators of the store a scan opens: one takes some 20 KB.
const labelCursorsMax = 32

// openAll opens a cursor for each label that has elements, but those of some labels: the
// first key behind one label names the next.
func (s *elementScan) openAll(class table.Class, without []Symbol) {
	from := table.AppendTable(nil, s.t.g.number, labelTable(class))
	to := table.PrefixEnd(nil, from)
	s.t.tx.Observe(from, to)
	for s.err == nil {
		if len(s.cursors) == labelCursorsMax {
			s.closeCursors()
			s.openMany(class, nil, without)
			return
		}
		it := s.t.tx.Scan(storage.ScanOptions{From: from, To: to, Unobserved: true})
		label, ok := s.open(it)
		if !ok {
			return
		}
		if slices.Contains(without, Symbol(label)) {
			s.cursors = s.cursors[:len(s.cursors)-1]
			s.fail(it.Close())
		}
		from = table.PrefixEnd(nil, table.AppendLabelElements(nil, s.t.g.number, class, label))
	}
}

func labelTable(c table.Class) table.Code {
	if c == table.EdgeClass {
		return table.EdgeLabels
	}
	return table.VertexLabels
}

// open adds a cursor on its first element, or closes it when there is none.
func (s *elementScan) open(it storage.Iterator) (label uint32, ok bool) {
	if !it.Next() {
		s.fail(it.Close())
		return 0, false
	}
	l, err := table.DecodeLabel(it.Key())
	if err != nil {
		it.Close()
		s.fail(corrupt("label", err))
		return 0, false
	}
	s.cursors = append(s.cursors, labelCursor{it: it, label: l.Label, id: l.Element})
	return l.Label, true
}

func (s *elementScan) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// next returns the next element that this transaction has not dropped meanwhile.
func (s *elementScan) next() (uint64, bool) {
	if s.many != nil {
		return s.nextOfMany()
	}
	for s.err == nil && len(s.cursors) > 0 {
		id := s.cursors[0].id
		s.advance()
		if s.gone == nil || !s.gone(id) {
			return id, true
		}
	}
	return 0, false
}

// labelTail is the length of label and element at the end of a key.
const labelTail = 4 + 8

func (s *elementScan) advance() {
	c := &s.cursors[0]
	if c.it == nil {
		if !c.fromRow() {
			heap.Remove(&s.cursors, 0)
		} else if len(s.cursors) > 1 {
			heap.Fix(&s.cursors, 0)
		}
		return
	}
	if c.it.Next() {
		k := c.it.Key()
		if len(k) < labelTail {
			s.fail(corrupt("label", nil))
			return
		}
		k = k[len(k)-labelTail:]
		if binary.BigEndian.Uint32(k) == c.label {
			c.id = binary.BigEndian.Uint64(k[4:])
			if len(s.cursors) > 1 {
				heap.Fix(&s.cursors, 0)
			}
			return
		}
	}
	s.fail(c.it.Close())
	heap.Remove(&s.cursors, 0)
}

// Exact reports true: nothing needs a recheck.
func (s *elementScan) Exact() bool { return true }

// Err returns why the scan ended early.
func (s *elementScan) Err() error { return s.err }

// Close releases the scan; it is idempotent.
func (s *elementScan) Close() error {
	s.t.untrack(s)
	s.closeCursors()
	if s.many != nil {
		s.fail(s.many.close())
	}
	s.many = nil
	return s.err
}

func (s *elementScan) closeCursors() {
	for _, c := range s.cursors {
		if c.it != nil {
			s.fail(c.it.Close())
		}
	}
	s.cursors = nil
}

type vertexScan struct{ *elementScan }

// Next fills buf with vertices.
func (s vertexScan) Next(buf []VertexID) int {
	n := fillScan(s.elementScan, buf, len(s.t.goneVertices) > 0)
	if n > 0 {
		s.t.ahead.scanned[0].note(uint64(buf[0]), uint64(buf[n-1]), n)
	}
	return n
}

// fillScan fills buf with elements. Where nothing was dropped, it copies from a row of
// the cache all that come before those of the other labels.
func fillScan[ID ~uint64](s *elementScan, buf []ID, dropped bool) int {
	n := 0
	for n < len(buf) && s.err == nil {
		if len(s.cursors) > 0 && s.cursors[0].it == nil && !dropped {
			n += copyRow(s, buf[n:])
			continue
		}
		id, ok := s.next()
		if !ok {
			break
		}
		buf[n] = ID(id)
		n++
	}
	return n
}

// copyRow copies from the first cursor until buf, which is not empty, is full or another
// cursor is the first, and drops it at its end.
func copyRow[ID ~uint64](s *elementScan, buf []ID) int {
	limit := uint64(math.MaxUint64)
	for i := 1; i < min(len(s.cursors), 3); i++ { // one of these two is next in a heap
		limit = min(limit, s.cursors[i].id)
	}
	c := &s.cursors[0]
	for n := 0; ; {
		buf[n] = ID(c.id)
		n++
		if len(c.chunks) > 0 {
			narrow := c.chunks[0].Narrow
			for ; n < len(buf) && 2*c.at < len(narrow) && uint64(narrow[2*c.at]) < limit; c.at++ {
				buf[n] = ID(narrow[2*c.at])
				n++
			}
		}
		if !c.fromRow() {
			heap.Remove(&s.cursors, 0)
			return n
		}
		if n == len(buf) || c.id >= limit {
			heap.Fix(&s.cursors, 0)
			return n
		}
	}
}

type edgeScan struct{ *elementScan }

// Next fills buf with edges.
func (s edgeScan) Next(buf []EdgeID) int {
	n := fillScan(s.elementScan, buf, len(s.t.goneEdges) > 0)
	if n > 0 {
		s.t.ahead.scanned[1].note(uint64(buf[0]), uint64(buf[n-1]), n)
	}
	return n
}

// Vertices iterates over all vertices in insertion order, or over those with labels.
func (t *Tx) Vertices(labels ...Symbol) VertexIterator {
	s := t.scanElements(table.VertexClass, labels, nil, t.vertexGone)
	return t.leaseVertices(vertexScan{s}, s)
}

// Edges iterates over all edges in insertion order, or over those with labels.
func (t *Tx) Edges(labels ...Symbol) EdgeIterator {
	s := t.scanElements(table.EdgeClass, labels, nil, t.edgeGone)
	return t.leaseEdges(edgeScan{s}, s)
}

func (t *Tx) verticesWithout(labels []Symbol) VertexIterator {
	s := t.scanElements(table.VertexClass, nil, labels, t.vertexGone)
	return t.leaseVertices(vertexScan{s}, s)
}

func (t *Tx) edgesWithout(labels []Symbol) EdgeIterator {
	s := t.scanElements(table.EdgeClass, nil, labels, t.edgeGone)
	return t.leaseEdges(edgeScan{s}, s)
}

func (t *Tx) vertexGone(id uint64) bool {
	if len(t.goneVertices) == 0 {
		return false
	}
	_, gone := t.goneVertices[VertexID(id)]
	return gone
}

func (t *Tx) edgeGone(id uint64) bool {
	if len(t.goneEdges) == 0 {
		return false
	}
	_, gone := t.goneEdges[EdgeID(id)]
	return gone
}
