package blueprints

import (
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// manyBytes is how much of the cells of many elements is kept at once.
const manyBytes = 1 << 20

// storedMany are elements of which a builder asks for one after the other, read with one
// question to the store. Who asks for others gets them as stored has them.
type storedMany struct {
	stored
	tx      storage.Tx
	class   table.Class
	ids     []uint64
	symbols []uint32
	at      int // of the element that was asked for last
	wanted
	spans  []columnSpan // of each range
	cells  []manyCell
	values []value.Value
	bytes  int
	row    []byte // scratch of walk
}

// manyCell is what makes an element exist.
type manyCell struct {
	keyindex.Element
	there bool
}

// ReadingMany implements keyindex.Source.
func (s source) ReadingMany(tx storage.Tx, c table.Class, ids []uint64, symbols []uint32) (keyindex.Elements, error) {
	m := &storedMany{stored: stored{s, tx}, tx: tx, class: c, ids: ids, symbols: symbols, cells: make([]manyCell, len(ids))}
	for _, id := range ids {
		exists := func(b []byte) []byte { return s.appendExists(b, c, id) }
		m.add(exists, exists)
		for _, symbol := range symbols {
			prefix := func(b []byte) []byte { return s.appendProperty(b, c, id, symbol) }
			m.add(prefix, prefix)
		}
	}
	m.spans = make([]columnSpan, len(m.ranges))
	return m, tx.Snapshot().ScanMany(m.ranges, m.take)
}

// appendExists appends the key of the cell that makes an element exist.
func (s source) appendExists(dst []byte, c table.Class, id uint64) []byte {
	if c == table.EdgeClass {
		return table.AppendEdgeExists(dst, s.number, id)
	}
	return table.AppendVertexExists(dst, s.number, id)
}

// appendProperty appends the prefix of an element's properties of one key.
func (s source) appendProperty(dst []byte, c table.Class, id uint64, symbol uint32) []byte {
	if c == table.EdgeClass {
		return table.AppendEdgeProperty(dst, table.EdgeProperty{Graph: s.number, Edge: id, Key: symbol})
	}
	return table.AppendVertexPropertyKey(dst, s.number, id, symbol)
}

// take keeps a cell of the i-th range.
func (m *storedMany) take(i int, _, cell []byte) (more bool, err error) {
	element, k := i/(1+len(m.symbols)), i%(1+len(m.symbols))
	if k == 0 {
		e, err := decodeElement(m.class, m.ids[element], cell)
		m.cells[element] = manyCell{e, err == nil}
		return false, err
	}
	s := &m.spans[i]
	if m.bytes += len(cell); m.bytes > manyBytes {
		s.left = true
		return false, nil
	}
	v, err := decodeValue(m.class, cell)
	if err != nil {
		return false, err
	}
	if s.to == 0 {
		s.from = uint32(len(m.values))
	}
	m.values = append(m.values, v)
	s.to = uint32(len(m.values))
	return true, nil
}

// decodeElement reads the cell that makes an element exist.
func decodeElement(c table.Class, id uint64, b []byte) (keyindex.Element, error) {
	e := keyindex.Element{Class: c, ID: id}
	if c == table.EdgeClass {
		cell, err := DecodeEdgeCell(b)
		e.Label, e.Out, e.In = uint32(cell.Label), uint64(cell.Out), uint64(cell.In)
		return e, err
	}
	cell, err := DecodeVertexCell(b)
	e.Label = uint32(cell.Label)
	return e, err
}

// decodeValue reads the value of a property's cell.
func decodeValue(c table.Class, b []byte) (value.Value, error) {
	if c == table.EdgeClass {
		return DecodeEdgeProperty(b)
	}
	p, err := DecodePropertyCell(b)
	return p.Value, err
}

// Element implements keyindex.Elements.
func (m *storedMany) Element(c table.Class, id uint64) (keyindex.Element, bool, error) {
	if !m.find(c, id) {
		return m.stored.Element(c, id)
	}
	m.tx.Observe(m.appendExists(nil, c, id), nil)
	e := &m.cells[m.at]
	return e.Element, e.there, nil
}

// find moves to an element, false when it was not read.
func (m *storedMany) find(c table.Class, id uint64) bool {
	if c != m.class {
		return false
	}
	for i := m.at; i < min(m.at+2, len(m.ids)); i++ { // the same one, mostly, or the next
		if m.ids[i] == id {
			m.at = i
			return true
		}
	}
	return false
}

// Values implements keyindex.Elements.
func (m *storedMany) Values(dst []value.Value, c table.Class, id uint64, symbol uint32) ([]value.Value, error) {
	if m.find(c, id) {
		for k, have := range m.symbols {
			r := m.at*(1+len(m.symbols)) + 1 + k
			if s := &m.spans[r]; have == symbol && !s.left {
				if len(m.ranges) > 0 { // else they were read row by row
					m.tx.Observe(m.ranges[r].From, m.ranges[r].To)
				}
				return append(dst, m.values[s.from:s.to]...), nil
			}
		}
	}
	return m.stored.Values(dst, c, id, symbol)
}
