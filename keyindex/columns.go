package keyindex

import (
	"bytes"
	"encoding/binary"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Columns says which entries of a declared index are looked up: those whose first values
// equal Equal, and whose next one is in Range.
type Columns struct {
	Equal []value.Value
	Range Range // its Reverse is not looked at
	// Ranged is set when Range is about the value behind Equal. Without bounds it is every
	// value that is there.
	Ranged bool
	// Reverse walks the values backwards. Elements of the same values come in their order
	// all the same.
	Reverse bool
}

// scan walks the entries in [from, to), which have tail bytes behind their values.
func (c *Columns) scan(tx storage.Reader, from, to []byte, tail int) walk {
	if c.Reverse && tail > 0 {
		return newBackwards(tx, from, to, tail)
	}
	return tx.Scan(storage.ScanOptions{From: from, To: to, Reverse: c.Reverse})
}

// bounds appends where they stand to prefix: [from, to). exact is set when every entry
// there is one of them.
func (c *Columns) bounds(prefix []byte) (from, to []byte, exact bool, err error) {
	exact = true
	for i, v := range c.Equal {
		if _, _, point := value.EqualRange(v); !point || v.Kind().IsElement() {
			b, err := Range{Min: v, Max: v, HasMin: true, HasMax: true}.bounds(nil)
			last := i == len(c.Equal)-1 && !c.Ranged
			from, to = within(prefix, b)
			return from, to, exact && b.exact && last, err
		}
		var told bool
		if prefix, told, err = appendColumn(prefix, v); err != nil {
			return nil, nil, false, err
		}
		exact = exact && told
	}
	if !c.Ranged {
		return prefix, table.PrefixEnd(nil, prefix), exact, nil
	}
	b, err := c.Range.bounds(nil)
	if b.from == nil {
		b.from = []byte{absent + 1}
	}
	from, to = within(prefix, b)
	return from, to, exact && b.exact, err
}

// within returns bounds behind a prefix.
func within(prefix []byte, b bounds) (from, to []byte) {
	n := len(prefix)
	if b.to == nil {
		to = table.PrefixEnd(nil, prefix)
	} else {
		to = append(append([]byte(nil), prefix...), b.to...)
	}
	from = append(prefix[:n:n], b.from...)
	if bytes.Compare(from, to) >= 0 {
		to = from // an empty interval is still one that was asked for
	}
	return from, to
}

// LookupColumns makes h walk entries of a composite index. gone, when not nil, tells which
// elements are no more.
func (s *Scratch) LookupColumns(h *Hits, tx storage.Reader, graph uint32, d *Definition, c Columns, gone func(uint64) bool) {
	s.key = table.AppendCompositeValues(s.key[:0], graph, d.Number, 0, nil)
	from, to, exact, err := c.bounds(s.key)
	if err != nil {
		*h = Hits{err: err}
		return
	}
	*h = Hits{gone: gone, exact: exact, unique: d.Unique}
	if len(c.Equal) < len(d.Symbols) || !exact {
		h.seen = &keyed.Set{}
	}
	s.key, s.to = from, to
	tail := elementLen
	if d.Unique {
		tail = 0
	}
	h.it = c.scan(tx, from, to, tail)
}

// LookupOwner appends the elements of a unique index whose values equal those, which are of
// all keys. ok is false when that takes a walk.
func (s *Scratch) LookupOwner(dst []uint64, tx storage.Reader, graph uint32, d *Definition, equal []value.Value) (owners []uint64, exact, ok bool, err error) {
	s.key = table.AppendCompositeValues(s.key[:0], graph, d.Number, 0, nil)
	exact = true
	for _, v := range equal {
		if _, _, point := value.EqualRange(v); !point {
			return dst, false, false, nil
		}
		var told bool
		if s.key, told, err = appendColumn(s.key, v); err != nil {
			return dst, false, false, err
		}
		exact = exact && told
	}
	val, err := tx.Get(s.key)
	if isAbsent(err) {
		return dst, true, true, nil
	}
	if err != nil {
		return dst, false, false, err
	}
	dst, err = Owners(dst, val)
	return dst, exact, true, err
}

// nextOwners is Next for a unique index.
func (h *Hits) nextOwners(buf []uint64) int {
	n := 0
	for n < len(buf) && h.err == nil {
		if len(h.queue) == 0 {
			if !h.it.Next() {
				break
			}
			h.queue, h.err = Owners(h.queue[:0], h.it.Value())
			continue
		}
		id := h.queue[0]
		h.queue = h.queue[1:]
		if h.gone != nil && h.gone(id) {
			continue
		}
		if h.seen != nil {
			isNew, err := h.seen.Add(id)
			if h.err = err; !isNew || err != nil {
				continue
			}
		}
		buf[n] = id
		n++
	}
	return n
}

// LookupEdges makes h walk the edges that a vertex has, in a direction, in an edge-centric
// index; NextEdge gives them. gone, when not nil, tells which edges are no more.
func (s *Scratch) LookupEdges(h *Hits, tx storage.Reader, graph uint32, vertex uint64, d *Definition, way table.Family, c Columns, gone func(uint64) bool) {
	s.key = table.AppendEdgeIndexValues(s.key[:0], table.EdgeEntry{Graph: graph, Vertex: vertex, Index: d.Number, Direction: way})
	from, to, exact, err := c.bounds(s.key)
	if err != nil {
		*h = Hits{err: err}
		return
	}
	*h = Hits{gone: gone, exact: exact} // an edge has one value of a key, and so one entry
	s.key, s.to = from, to
	h.it = c.scan(tx, from, to, edgeTail)
}

// edgeTail is the length of an edge and its other end, behind the values of an entry.
const edgeTail = 2 * elementLen

// NextEdge moves to the next edge that LookupEdges found. ok is false at the end or on an
// error.
func (h *Hits) NextEdge() (edge, other uint64, ok bool) {
	for h.it != nil && h.err == nil && h.it.Next() {
		k := h.it.Key()
		if len(k) < edgeTail {
			h.err = damaged(storage.ErrCorrupt)
			break
		}
		k = k[len(k)-edgeTail:]
		if edge = binary.BigEndian.Uint64(k); h.gone == nil || !h.gone(edge) {
			return edge, binary.BigEndian.Uint64(k[elementLen:]), true
		}
	}
	return 0, 0, false
}
