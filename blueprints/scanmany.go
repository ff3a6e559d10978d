package blueprints

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// manyLabels walks the elements of any number of labels in the order of their ids, with one
// iterator: it goes from label to label, and takes a few elements of each at a time.
type manyLabels struct {
	t     *Tx
	class table.Class
	it    storage.Iterator
	key   []byte
	// What the iterator stands on, and nobody took yet.
	label uint32
	id    uint64
	valid bool
	of    uint32 // the label of what lies right in front of that; 0 for nobody knows

	heads  []labelHead // a heap by their next id
	pieces []uint64    // labelPiece elements for each label that has more than one
	paid   int64       // bytes of heads and pieces that were charged
	err    error
}

// labelHead is what comes next of one label.
type labelHead struct {
	id    uint64
	label uint32
	piece uint32 // its place in pieces, from 1; 0 for none
	at, n uint8  // in its piece: the next one, and behind the last one
	ended bool   // nothing lies behind the piece
}

// labelPiece is how many elements of a label are read at a time.
const labelPiece = 16

// openMany has a scan walk labels, which are sorted, or when there are none all of them but
// the labels without, by one iterator. The caller observed what all of them are.
func (s *elementScan) openMany(class table.Class, labels, without []Symbol) {
	t := s.t
	m := &manyLabels{t: t, class: class}
	s.many = m
	from := table.AppendTable(nil, t.g.number, labelTable(class))
	m.it = t.tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from), Unobserved: true})
	if len(labels) == 0 {
		m.openAll(without)
	} else {
		m.openEach(labels)
	}
	for i := range slices.Backward(m.heads) {
		m.sink(i)
	}
	s.fail(m.err)
}

// nextOfMany is next of many labels.
func (s *elementScan) nextOfMany() (uint64, bool) {
	for s.err == nil && len(s.many.heads) > 0 {
		id := s.many.heads[0].id
		s.many.advance()
		s.fail(s.many.err)
		if s.gone == nil || !s.gone(id) {
			return id, true
		}
	}
	return 0, false
}

// openAll begins each label that has elements, but those of some labels.
func (m *manyLabels) openAll(without []Symbol) {
	for m.read(); m.valid; {
		label := m.label
		if !slices.Contains(without, Symbol(label)) {
			m.begin()
		}
		if m.valid && m.label == label {
			m.seek(label+1, 0)
		}
	}
}

// openEach begins each of labels that has elements.
func (m *manyLabels) openEach(labels []Symbol) {
	m.read()
	for _, l := range labels {
		from := table.AppendLabelElements(nil, m.t.g.number, m.class, uint32(l))
		m.t.tx.Observe(from, table.PrefixEnd(nil, from))
		if m.valid && m.label < uint32(l) {
			m.seek(uint32(l), 0)
		}
		if m.valid && m.label == uint32(l) {
			m.begin()
		}
	}
}

// begin takes the first elements of the label that the iterator stands on.
func (m *manyLabels) begin() {
	h := labelHead{id: m.id, label: m.label}
	m.read()
	if h.ended = !m.valid || m.label != h.label; !h.ended {
		m.pieces = append(m.pieces, make([]uint64, labelPiece)...)
		h.piece = uint32(len(m.pieces) / labelPiece)
		m.fill(&h)
	}
	m.heads = append(m.heads, h)
	m.pay()
}

// pay charges for the heads and pieces that there is room for.
func (m *manyLabels) pay() {
	bytes := int64(cap(m.heads))*int64(unsafe.Sizeof(labelHead{})) + int64(cap(m.pieces))*8
	if bytes <= m.paid {
		return
	}
	if err := m.t.options.Account.Charge(bytes - m.paid); err != nil {
		m.stop(err)
		return
	}
	m.paid = bytes
}

// fill takes what fits of a label's elements into its piece; the iterator stands on the
// first of them.
func (m *manyLabels) fill(h *labelHead) {
	piece := m.piece(h)
	for h.at, h.n = 0, 0; h.n < labelPiece && m.valid && m.label == h.label; h.n++ {
		piece[h.n] = m.id
		m.read()
	}
	h.ended = !m.valid || m.label != h.label
}

func (m *manyLabels) piece(h *labelHead) []uint64 {
	return m.pieces[(h.piece-1)*labelPiece:][:labelPiece]
}

// advance goes on to the next element.
func (m *manyLabels) advance() {
	h := &m.heads[0]
	if h.at == h.n && !h.ended {
		if m.of != h.label {
			m.seek(h.label, h.id+1)
		}
		m.fill(h)
	}
	if h.at == h.n {
		last := len(m.heads) - 1
		m.heads[0] = m.heads[last]
		m.heads = m.heads[:last]
	} else {
		h.id = m.piece(h)[h.at]
		h.at++
	}
	m.sink(0)
}

// sink moves a head down to its place.
func (m *manyLabels) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.heads); child++ {
			if m.heads[child].id < m.heads[least].id {
				least = child
			}
		}
		if least == i {
			return
		}
		m.heads[i], m.heads[least] = m.heads[least], m.heads[i]
		i = least
	}
}

// seek moves the iterator to the first element of a label from id on, or what lies behind.
func (m *manyLabels) seek(label uint32, id uint64) {
	m.key = table.AppendLabel(m.key[:0], table.Label{Graph: m.t.g.number, Class: m.class, Label: label, Element: id})
	m.it.Seek(m.key)
	m.read()
	m.of = 0
}

// read moves the iterator on by one key.
func (m *manyLabels) read() {
	m.of = m.label
	if m.valid = m.err == nil && m.it.Next(); !m.valid {
		m.stop(m.it.Err())
		return
	}
	k := m.it.Key()
	if len(k) < labelTail {
		m.stop(corrupt("label", nil))
		return
	}
	k = k[len(k)-labelTail:]
	m.label, m.id = binary.BigEndian.Uint32(k), binary.BigEndian.Uint64(k[4:])
}

func (m *manyLabels) stop(err error) {
	if m.err == nil {
		m.err = err
	}
	m.valid = m.valid && m.err == nil
}

func (m *manyLabels) close() error {
	m.t.options.Account.Release(m.paid)
	m.heads, m.pieces, m.paid = nil, nil, 0
	return m.it.Close()
}
