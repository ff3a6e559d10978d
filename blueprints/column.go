package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Reading columns. Who goes through a graph that the row cache has no room for asks for one
// key, or the label, of many elements. These cells alone are read then, with one question
// for many elements, and no row is made of them: it would push another out of the cache, and
// be gone before anybody came back to it.

const (
	// columnBytes is how much is kept of the values of one piece of a column.
	columnBytes = 128 << 10
	// columnCell is how long a cell may be that is read with a column.
	columnCell = 4 << 10
	// columnRow is what a piece takes for each element, beside its values.
	columnRow = 160
	// columnEntry is what a piece takes for each value, beside its cell.
	columnEntry = 56
	// columnsMax is how many columns a transaction reads at the same time.
	columnsMax = 4
	// columnMin is how many elements are read at once, at least, that might be kept as rows
	// if there was room; columnGap is among how many for each, at most.
	columnMin = 256
	columnGap = 16
	// columnOfLabels takes the place of a key for the labels of vertices.
	columnOfLabels = Symbol(0)
)

// columns is what a transaction reads of columns.
type columns struct {
	off  bool      // everything is read from the store's transaction
	list []*column // the one used last first

	ghost   uint64 // of what was read last
	returns bool   // whether that is read again and again
}

// columnName says what a column has.
type columnName struct {
	class table.Class
	key   Symbol
}

// column is a key, or the label, of the elements that are read next.
type column struct {
	columnName
	now   columnPiece
	at    int // in now
	ahead *columnAhead
}

// columnPiece is a column of some elements.
type columnPiece struct {
	g *Graph
	columnName
	first uint64 // of elements side by side
	ids   []uint64
	wanted
	spans   []columnSpan
	entries []PropertyEntry
	labels  []Symbol // by element
	bytes   int64
	paid    int64
	err     error
	read    chan struct{} // closed when it was read, of what is read ahead
}

// columnSpan is where the values of an element are.
type columnSpan struct {
	from, to uint32
	left     bool // to be read elsewhere: it has too much
}

// readsColumns reports whether a column of elements, and not their rows, is to be read: where
// rows would find no place in memory, of many that lie near each other, unless they are read
// so often that others are to make room for them.
func readsColumns[ID ~uint64](t *Tx, class table.Class, ids []ID) bool {
	if t.columns.off || t.over {
		return false
	}
	if t.cache == nil {
		return len(ids) > 1
	}
	return len(ids) >= columnMin && isNear(ids, columnGap) && t.cache.budget.Full(0) && !t.returnsTo(class, uint64(ids[0]), len(ids))
}

// returnsTo reports whether what is read of n elements from one on was read so lately that
// their rows would still be in memory.
func (t *Tx) returnsTo(class table.Class, id uint64, n int) bool {
	c, b := &t.columns, t.cache.budget
	ghost := rowcache.GhostOf(t.g.number, class, id)
	if ghost == c.ghost {
		b.Read(n)
		return c.returns
	}
	c.ghost, c.returns = ghost, b.Returns(ghost, n)
	return c.returns
}

// isNear reports whether elements come in their order, one of gap at least.
func isNear[ID ~uint64](ids []ID, gap uint64) bool {
	first, last := ids[0], ids[len(ids)-1]
	return last > first && uint64(last-first) < gap*uint64(len(ids))
}

// untouched reports whether the transaction sees an element as its snapshot has it.
func (t *Tx) untouched(class table.Class, id uint64) bool {
	if class == table.EdgeClass {
		_, dirty := t.dirtyEdges[EdgeID(id)]
		return !dirty && t.edgeRows[EdgeID(id)] == nil
	}
	v := VertexID(id)
	return (len(t.vertexRows) == 0 || t.vertexRows[v] == nil) && (len(t.dirtyVertices) == 0 || t.dirtyVertices[v]&partHeader == 0)
}

// lacksRow reports whether what the snapshot has of an element is to be read from the store.
func (t *Tx) lacksRow(class table.Class, id uint64) bool {
	switch {
	case !t.untouched(class, id):
		return false
	case t.cache == nil:
		return true
	case class == table.EdgeClass:
		return t.cachedEdge(EdgeID(id)) == nil
	}
	return t.cachedVertex(VertexID(id)) == nil
}

// column returns a column, nil when nothing of it was read.
func (t *Tx) column(name columnName) *column {
	list := t.columns.list
	for i, c := range list {
		if c.columnName == name {
			copy(list[1:], list[:i])
			list[0] = c
			return c
		}
	}
	return nil
}

// readColumn reads what is not in memory of a column of elements.
func readColumn[ID ~uint64](t *Tx, ids []ID, name columnName) error {
	c := t.column(name)
	if c == nil {
		if len(t.columns.list) == columnsMax {
			t.forgetColumn(columnsMax - 1)
		}
		c = &column{columnName: name, now: columnPiece{g: t.g}}
		t.columns.list = slices.Insert(t.columns.list, 0, c)
	}
	first, last := uint64(ids[0]), uint64(ids[len(ids)-1])
	near := isNear(ids, 2)
	if near && c.ahead != nil && c.ahead.covers(first, last) {
		c.ahead.extend(t, last)
		return nil
	}
	if near = near && len(ids) >= columnMin; near {
		c.forgetAhead(t)
	}
	p := &c.now
	p.begin(name)
	c.at = 0
	for _, id := range ids {
		if t.lacksRow(name.class, uint64(id)) {
			p.ids = append(p.ids, uint64(id))
		}
	}
	if len(p.ids) == 0 {
		return nil
	}
	if p.pay(t, len(p.ids)) != nil {
		p.ids = p.ids[:0]
		return nil // one at a time, then
	}
	if p.readFrom(t.tx.Snapshot()); p.err != nil || !near {
		return p.err
	}
	return c.readAhead(t, last)
}

// find returns the piece and the place in it where an element is, nil when it was not read.
func (c *column) find(t *Tx, id uint64) (*columnPiece, int, error) {
	if c.ahead != nil {
		if p, i, err := c.ahead.find(t, id); p != nil || err != nil {
			return p, i, err
		}
	}
	p := &c.now
	if c.at >= len(p.ids) || p.ids[c.at] != id {
		i := slices.Index(p.ids, id)
		if i < 0 {
			return nil, 0, nil
		}
		c.at = i
	}
	c.at++
	return p, c.at - 1, nil
}

// inColumn returns the properties of an element with a key, false when they are to be read
// elsewhere. What is listed with the element may be read with it.
func (t *Tx) inColumn(class table.Class, id uint64, key Symbol) ([]PropertyEntry, bool, error) {
	if !t.untouched(class, id) {
		return nil, false, nil
	}
	p, i, err := t.findInColumn(columnName{class, key}, id)
	if p == nil || err != nil || p.spans[i].left {
		return nil, false, err
	}
	return p.entries[p.spans[i].from:p.spans[i].to], true, nil
}

func (t *Tx) findInColumn(name columnName, id uint64) (*columnPiece, int, error) {
	if c := t.column(name); c != nil {
		if p, i, err := c.find(t, id); p != nil || err != nil {
			return p, i, err
		}
	}
	a := &t.ahead
	switch {
	case t.columns.off || t.over || t.cache != nil && (a.skip > 0 || !t.cache.budget.Full(0)):
		return nil, 0, nil
	case a.skip > 0:
		a.skip--
		return nil, 0, nil
	}
	var read bool
	var err error
	room := a.room()
	if name.class == table.EdgeClass {
		room.edges, read, err = readOfList(t, room.edges, EdgeID(id), name, value.KindEdge)
	} else {
		room.vertices, read, err = readOfList(t, room.vertices, VertexID(id), name, value.KindVertex)
	}
	if !read || err != nil {
		return nil, 0, err
	}
	return t.column(name).find(t, id)
}

// readOfList reads a column of what is listed from an element on, or of what a long scan gave
// and gives with it, if that is worth while.
func readOfList[ID ~uint64](t *Tx, list []ID, id ID, name columnName, k value.Kind) ([]ID, bool, error) {
	lacks := func(id ID) bool { return t.lacksRow(name.class, uint64(id)) }
	list = listedFrom(&t.ahead, list[:0], k, id, lacks)
	if s := t.ahead.scanned[slotOf(k)]; len(list) <= 1 && s.last >= s.first+columnMin {
		list = appendScanned(list[:0], s, id, fillMax, lacks)
	}
	if t.cache == nil && !t.ahead.found(len(list)) || len(list) == 0 || !readsColumns(t, name.class, list) {
		return list, false, nil
	}
	return list, true, readColumn(t, list, name)
}

// labelInColumn returns the label of a vertex, 0 when it is to be read elsewhere.
func (t *Tx) labelInColumn(v VertexID) (Symbol, error) {
	if !t.untouched(table.VertexClass, uint64(v)) {
		return 0, nil
	}
	p, i, err := t.findInColumn(columnName{table.VertexClass, columnOfLabels}, uint64(v))
	if p == nil || err != nil {
		return 0, err
	}
	return p.labels[i], nil
}

// forgetColumns gives back what was read of columns.
func (t *Tx) forgetColumns() {
	t.columns.ghost = 0
	for i := len(t.columns.list) - 1; i >= 0; i-- {
		t.forgetColumn(i)
	}
}

func (t *Tx) forgetColumn(i int) {
	c := t.columns.list[i]
	c.forgetAhead(t)
	c.now.unpay(t)
	t.columns.list = slices.Delete(t.columns.list, i, i+1)
}

// begin empties a piece for a column.
func (p *columnPiece) begin(name columnName) {
	p.columnName, p.first, p.err = name, 0, nil
	p.ids, p.keys, p.ranges = p.ids[:0], p.keys[:0], p.ranges[:0]
}

// pay charges for a piece of n elements.
func (p *columnPiece) pay(t *Tx, n int) error {
	bytes := int64(columnBytes + n*columnRow)
	if bytes <= p.paid {
		return nil
	}
	if err := t.options.Account.Charge(bytes - p.paid); err != nil {
		return err
	}
	p.paid = bytes
	return nil
}

func (p *columnPiece) unpay(t *Tx) {
	t.options.Account.Release(p.paid)
	p.paid = 0
}

// readFrom reads the elements of the piece.
func (p *columnPiece) readFrom(r storage.Reader) {
	src, id := source{p.g.number}, uint64(0)
	prefix := func(b []byte) []byte { return src.appendExists(b, p.class, id) }
	if p.key != columnOfLabels {
		prefix = func(b []byte) []byte { return src.appendProperty(b, p.class, id, uint32(p.key)) }
	}
	for _, id = range p.ids {
		p.add(prefix, prefix).Unobserved = true
	}
	n := len(p.ids)
	p.spans = slices.Grow(p.spans[:0], n)[:n]
	clear(p.spans)
	clear(p.entries)
	p.entries, p.bytes = p.entries[:0], 0
	take := p.take
	if p.key == columnOfLabels {
		p.labels = slices.Grow(p.labels[:0], n)[:n]
		clear(p.labels)
		take = p.takeLabel
	}
	p.err = r.ScanMany(p.ranges, take)
}

// take keeps a value of the i-th element.
func (p *columnPiece) take(i int, key, cell []byte) (more bool, err error) {
	s := &p.spans[i]
	if p.bytes += int64(len(cell)) + columnEntry; len(cell) > columnCell || p.bytes > columnBytes {
		s.left = true
		return false, nil
	}
	decode := (*Graph).decodeProperty
	if p.class == table.EdgeClass {
		decode = edgeKind.property
	}
	e, err := decode(p.g, key, cell)
	if err != nil {
		return false, err
	}
	if s.to == 0 {
		s.from = uint32(len(p.entries))
	}
	p.entries = append(p.entries, e)
	if s.to = uint32(len(p.entries)); s.to-s.from > 1 {
		sortProperties(p.entries[s.from:])
	}
	return true, nil
}

func (p *columnPiece) takeLabel(i int, _, cell []byte) (more bool, err error) {
	c, err := DecodeVertexCell(cell)
	p.labels[i] = c.Label
	return false, err
}
