package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Reading columns. Who goes through a graph that the row cache has no room for asks for one
// key, or the label, of many vertices. These cells alone are read then, with one question
// for many vertices, and no row is made of them: it would push another out of the cache, and
// be gone before anybody came back to it.

const (
	// columnBytes is how much is kept of the values of one piece of a column.
	columnBytes = 128 << 10
	// columnCell is how long a cell may be that is read with a column.
	columnCell = 4 << 10
	// columnRow is what a piece takes for each vertex, beside its values.
	columnRow = 160
	// columnEntry is what a piece takes for each value, beside its cell.
	columnEntry = 56
	// columnsMax is how many columns a transaction reads at the same time.
	columnsMax = 4
	// columnMin is how many vertices are read at once, at least, that might be kept as rows
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
}

// column is a key, or the label, of the vertices that are read next.
type column struct {
	key   Symbol
	now   columnPiece
	at    int // in now
	ahead *columnAhead
}

// columnPiece is a column of some vertices.
type columnPiece struct {
	g     *Graph
	key   Symbol
	first VertexID // of vertices side by side
	ids   []VertexID
	wanted
	spans   []columnSpan
	entries []PropertyEntry
	labels  []Symbol // by vertex
	bytes   int64
	paid    int64
	err     error
	read    chan struct{} // closed when it was read, of what is read ahead
}

// columnSpan is where the values of a vertex are.
type columnSpan struct {
	from, to uint32
	left     bool // to be read elsewhere: it has too much
}

// readsColumns reports whether a column of vertices, and not their rows, is to be read: where
// rows would find no place in memory, of many that lie near each other.
func (t *Tx) readsColumns(vs []VertexID) bool {
	if t.columns.off || t.over {
		return false
	}
	if t.cache == nil {
		return len(vs) > 1
	}
	return len(vs) >= columnMin && isNear(vs, columnGap) && t.cache.budget.Full(0)
}

// isNear reports whether vertices come in their order, one of gap at least.
func isNear(vs []VertexID, gap uint64) bool {
	first, last := vs[0], vs[len(vs)-1]
	return last > first && uint64(last-first) < gap*uint64(len(vs))
}

// untouched reports whether the transaction sees a vertex as its snapshot has it.
func (t *Tx) untouched(v VertexID) bool {
	return (len(t.vertexRows) == 0 || t.vertexRows[v] == nil) && (len(t.dirtyVertices) == 0 || t.dirtyVertices[v]&partHeader == 0)
}

// lacksRow reports whether what the snapshot has of a vertex is to be read from the store.
func (t *Tx) lacksRow(v VertexID) bool {
	return t.untouched(v) && (t.cache == nil || t.cachedVertex(v) == nil)
}

// column returns the column of a key, nil when nothing of it was read.
func (t *Tx) column(key Symbol) *column {
	list := t.columns.list
	for i, c := range list {
		if c.key == key {
			copy(list[1:], list[:i])
			list[0] = c
			return c
		}
	}
	return nil
}

// readColumn reads what is not in memory of a key of vertices.
func (t *Tx) readColumn(vs []VertexID, key Symbol) error {
	c := t.column(key)
	if c == nil {
		if len(t.columns.list) == columnsMax {
			t.forgetColumn(columnsMax - 1)
		}
		c = &column{key: key, now: columnPiece{g: t.g}}
		t.columns.list = slices.Insert(t.columns.list, 0, c)
	}
	if c.ahead != nil && c.ahead.covers(vs) {
		c.ahead.extend(t, vs[len(vs)-1])
		return nil
	}
	near := len(vs) >= columnMin && isNear(vs, 2)
	if near {
		c.forgetAhead(t)
	}
	p := &c.now
	p.begin(key)
	c.at = 0
	for _, v := range vs {
		if t.lacksRow(v) {
			p.ids = append(p.ids, v)
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
	return c.readAhead(t, vs[len(vs)-1])
}

// find returns the piece and the place in it where a vertex is, nil when it was not read.
func (c *column) find(t *Tx, v VertexID) (*columnPiece, int, error) {
	if c.ahead != nil {
		if p, i, err := c.ahead.find(t, v); p != nil || err != nil {
			return p, i, err
		}
	}
	p := &c.now
	if c.at >= len(p.ids) || p.ids[c.at] != v {
		i := slices.Index(p.ids, v)
		if i < 0 {
			return nil, 0, nil
		}
		c.at = i
	}
	c.at++
	return p, c.at - 1, nil
}

// inColumn returns the properties of a vertex with a key, false when they are to be read
// elsewhere. What is listed with the vertex may be read with it.
func (t *Tx) inColumn(v VertexID, key Symbol) ([]PropertyEntry, bool, error) {
	if !t.untouched(v) {
		return nil, false, nil
	}
	p, i, err := t.findInColumn(v, key)
	if p == nil || err != nil || p.spans[i].left {
		return nil, false, err
	}
	return p.entries[p.spans[i].from:p.spans[i].to], true, nil
}

func (t *Tx) findInColumn(v VertexID, key Symbol) (*columnPiece, int, error) {
	if c := t.column(key); c != nil {
		if p, i, err := c.find(t, v); p != nil || err != nil {
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
	a.vertices = listedFrom(a, a.vertices[:0], value.KindVertex, v, t.lacksRow)
	if t.cache == nil && !a.found(len(a.vertices)) || len(a.vertices) == 0 || !t.readsColumns(a.vertices) {
		return nil, 0, nil
	}
	if err := t.readColumn(a.vertices, key); err != nil {
		return nil, 0, err
	}
	return t.column(key).find(t, v)
}

// labelInColumn returns the label of a vertex, 0 when it is to be read elsewhere.
func (t *Tx) labelInColumn(v VertexID) (Symbol, error) {
	if !t.untouched(v) {
		return 0, nil
	}
	p, i, err := t.findInColumn(v, columnOfLabels)
	if p == nil || err != nil {
		return 0, err
	}
	return p.labels[i], nil
}

// forgetColumns gives back what was read of columns.
func (t *Tx) forgetColumns() {
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

// begin empties a piece for a key.
func (p *columnPiece) begin(key Symbol) {
	p.key, p.first, p.err = key, 0, nil
	p.ids, p.keys, p.ranges = p.ids[:0], p.keys[:0], p.ranges[:0]
}

// pay charges for a piece of n vertices.
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

// readFrom reads the vertices of the piece.
func (p *columnPiece) readFrom(r storage.Reader) {
	var v VertexID
	prefix := func(b []byte) []byte { return table.AppendVertexExists(b, p.g.number, uint64(v)) }
	if p.key != columnOfLabels {
		prefix = func(b []byte) []byte {
			return table.AppendVertexPropertyKey(b, p.g.number, uint64(v), uint32(p.key))
		}
	}
	for _, v = range p.ids {
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

// take keeps a value of the i-th vertex.
func (p *columnPiece) take(i int, key, cell []byte) (more bool, err error) {
	s := &p.spans[i]
	if p.bytes += int64(len(cell)) + columnEntry; len(cell) > columnCell || p.bytes > columnBytes {
		s.left = true
		return false, nil
	}
	e, err := p.g.decodeProperty(key, cell)
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
