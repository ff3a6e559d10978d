package table

import "encoding/binary"

// Composite indexes: every element by the values of several of its properties. Each index
// has a number of its own, see indexmetadata.go.
//
//	+-------+------+-----------+---------+----------+------------+
//	| graph | 0x23 | number 4B | seal 4B | value... | element 8B |    -> nothing
//	+-------+------+-----------+---------+----------+------------+
//
// A unique index has no element in its key, so that two elements of equal values write
// the same key; the seal there is 0.
//
//	+-------+------+-----------+---------+----------+
//	| graph | 0x23 | number 4B | seal 4B | value... |    -> element, seal
//	+-------+------+-----------+---------+----------+
//
// In reverse, unique or not, what one element owns:
//
//	+-------+------+------------+-----------+---------+----------+
//	| graph | 0x2b | element 8B | number 4B | seal 4B | value... |    -> nothing
//	+-------+------+------------+-----------+---------+----------+
//
// The seal says who may see the entry; it is 0 for everybody. It stands before the values
// so that who sees some seals reads a range for each. The values are in ordered form.

// CompositeEntry is one entry of a composite index, in either table.
type CompositeEntry struct {
	Graph   uint32
	Index   uint32
	Seal    uint32
	Values  []byte // ordered forms, one behind the other
	Element uint64
}

// appendSealed appends the beginning of an entry that has a number and a seal.
func appendSealed(dst []byte, graph uint32, c Code, index, seal uint32) []byte {
	return binary.BigEndian.AppendUint32(appendNamed(dst, graph, c, index), seal)
}

// AppendCompositeIndex appends the prefix of all entries of one index.
func AppendCompositeIndex(dst []byte, graph, index uint32) []byte {
	return appendNamed(dst, graph, CompositeIndex, index)
}

// AppendCompositeValues appends the prefix of all entries of one seal whose values begin
// with values. Of a unique index it is the key, once all values are there.
func AppendCompositeValues(dst []byte, graph, index, seal uint32, values []byte) []byte {
	return append(appendSealed(dst, graph, CompositeIndex, index, seal), values...)
}

// AppendCompositeEntry appends the key of one entry of an index that is not unique.
func AppendCompositeEntry(dst []byte, e CompositeEntry) []byte {
	dst = AppendCompositeValues(dst, e.Graph, e.Index, e.Seal, e.Values)
	return binary.BigEndian.AppendUint64(dst, e.Element)
}

// DecodeCompositeEntry reads a key that AppendCompositeEntry wrote. Values aliases key.
func DecodeCompositeEntry(key []byte) (CompositeEntry, error) {
	var e CompositeEntry
	f, graph := open(key, CompositeIndex)
	e.Graph = graph
	e.Index = f.u32()
	e.Seal = f.u32()
	e.Values = f.tail(elementLen)
	e.Element = f.u64()
	return e, f.end(CompositeIndex, key)
}

// DecodeUniqueEntry reads the key of an entry of a unique index, which does not tell the
// element. Values aliases key.
func DecodeUniqueEntry(key []byte) (CompositeEntry, error) {
	var e CompositeEntry
	f, graph := open(key, CompositeIndex)
	e.Graph = graph
	e.Index = f.u32()
	e.Seal = f.u32()
	e.Values = f.tail(0)
	return e, f.end(CompositeIndex, key)
}

// AppendCompositeOwnedRow appends the prefix of all reverse rows of an element.
func AppendCompositeOwnedRow(dst []byte, graph uint32, element uint64) []byte {
	return appendElementRow(dst, graph, CompositeOwned, element)
}

// AppendCompositeOwned appends the reverse row of one entry.
func AppendCompositeOwned(dst []byte, e CompositeEntry) []byte {
	dst = binary.BigEndian.AppendUint32(AppendCompositeOwnedRow(dst, e.Graph, e.Element), e.Index)
	return append(binary.BigEndian.AppendUint32(dst, e.Seal), e.Values...)
}

// DecodeCompositeOwned reads a key that AppendCompositeOwned wrote. Values aliases key.
func DecodeCompositeOwned(key []byte) (CompositeEntry, error) {
	var e CompositeEntry
	f, graph := open(key, CompositeOwned)
	e.Graph = graph
	e.Element = f.u64()
	e.Index = f.u32()
	e.Seal = f.u32()
	e.Values = f.tail(0)
	return e, f.end(CompositeOwned, key)
}
