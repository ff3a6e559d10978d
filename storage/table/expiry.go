package table

import "encoding/binary"

// Ends of elements and of properties, in the order of time, for whoever drops what is due. What
// ends says so itself: an element by a cell of its row, a property by its own cell.
//
//	+-------+------+-------+----------+------------+
//	| graph | 0x47 | ms 8B | class 1B | element 8B |                        -> nothing
//	+-------+------+-------+----------+------------+--------+------------+
//	| graph | 0x47 | ms 8B | class 1B | element 8B | key 4B | ordinal 8B |  -> nothing: of a property
//	+-------+------+-------+----------+------------+--------+------------+
//	| graph | 0x10, 0x11 | element 8B | EXPIRES |                           -> ms 8B
//	+-------+------------+------------+---------+
//
// The time is in milliseconds since 1970. The ordinal of an edge's property is 0.

// Expiry is the key of one end.
type Expiry struct {
	Graph   uint32
	At      uint64 // milliseconds since 1970
	Class   Class
	Element uint64
	// Property is set when it is that of a property, which the rest says.
	Property bool
	Key      uint32
	Ordinal  uint64
}

// AppendExpiry appends the key of an end.
func AppendExpiry(dst []byte, e Expiry) []byte {
	dst = append(AppendExpiriesTo(dst, e.Graph, e.At), byte(e.Class))
	dst = binary.BigEndian.AppendUint64(dst, e.Element)
	if !e.Property {
		return dst
	}
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(dst, e.Key), e.Ordinal)
}

// AppendExpiriesTo appends the end of the range of all ends before a time.
func AppendExpiriesTo(dst []byte, graph uint32, at uint64) []byte {
	return binary.BigEndian.AppendUint64(AppendTable(dst, graph, Expiries), at)
}

// DecodeExpiry reads a key that AppendExpiry wrote.
func DecodeExpiry(key []byte) (Expiry, error) {
	var e Expiry
	f, graph := open(key, Expiries)
	e.Graph = graph
	e.At = f.u64()
	e.Class = Class(f.u8())
	e.Element = f.u64()
	if len(f.rest) > 0 {
		e.Property = true
		e.Key = f.u32()
		e.Ordinal = f.u64()
	}
	f.bad = f.bad || e.Class != VertexClass && e.Class != EdgeClass
	return e, f.end(Expiries, key)
}

// AppendExpiryCell appends the key of the cell that says when an element ends.
func AppendExpiryCell(dst []byte, graph uint32, c Class, element uint64) []byte {
	return append(appendElementRow(dst, graph, rowsOf(c), element), byte(ExpiryCell))
}
