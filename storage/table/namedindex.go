package table

import "encoding/binary"

// Named indexes: what clients put under a key and a value of their choice. The index
// has a number of its own (see indexmetadata.go).
//
//	+-------+------+----------+--------+-------+------------+
//	| graph | 0x22 | index 4B | key 4B | value | element 8B |    -> nothing
//	+-------+------+----------+--------+-------+------------+
//
// and in reverse
//
//	+-------+------+----------+------------+--------+-------+
//	| graph | 0x2a | index 4B | element 8B | key 4B | value |    -> nothing
//	+-------+------+----------+------------+--------+-------+
//
// The index stands first in both: dropping it is two ranges.

const indexNumberLen = 4

// NamedEntry is one entry of a named index, in either table.
type NamedEntry struct {
	Graph   uint32
	Index   uint32
	Key     uint32
	Value   []byte // ordered form
	Element uint64
}

func appendNamed(dst []byte, graph uint32, c Code, index uint32) []byte {
	return binary.BigEndian.AppendUint32(AppendTable(dst, graph, c), index)
}

// AppendNamedIndex appends the prefix of all entries of one index.
func AppendNamedIndex(dst []byte, graph, index uint32) []byte {
	return appendNamed(dst, graph, NamedIndex, index)
}

// AppendNamedKey appends the prefix of all entries of one key.
func AppendNamedKey(dst []byte, graph, index, key uint32) []byte {
	return binary.BigEndian.AppendUint32(AppendNamedIndex(dst, graph, index), key)
}

// AppendNamedValue appends the prefix of all entries of one key and value.
func AppendNamedValue(dst []byte, graph, index, key uint32, value []byte) []byte {
	return append(AppendNamedKey(dst, graph, index, key), value...)
}

// AppendNamedEntry appends the key of one entry.
func AppendNamedEntry(dst []byte, e NamedEntry) []byte {
	dst = AppendNamedValue(dst, e.Graph, e.Index, e.Key, e.Value)
	return binary.BigEndian.AppendUint64(dst, e.Element)
}

// DecodeNamedEntry reads a key that AppendNamedEntry wrote. Value aliases key.
func DecodeNamedEntry(key []byte) (NamedEntry, error) {
	var e NamedEntry
	f, graph := open(key, NamedIndex)
	e.Graph = graph
	e.Index = f.u32()
	e.Key = f.u32()
	e.Value = f.tail(elementLen)
	e.Element = f.u64()
	return e, f.end(NamedIndex, key)
}

// AppendNamedOwned appends the prefix of all reverse rows of one index.
func AppendNamedOwned(dst []byte, graph, index uint32) []byte {
	return appendNamed(dst, graph, NamedIndexOwned, index)
}

// AppendNamedOwnedRow appends the prefix of an element's reverse rows in one index.
func AppendNamedOwnedRow(dst []byte, graph, index uint32, element uint64) []byte {
	return binary.BigEndian.AppendUint64(AppendNamedOwned(dst, graph, index), element)
}

// AppendNamedOwnedEntry appends the reverse row of one entry.
func AppendNamedOwnedEntry(dst []byte, e NamedEntry) []byte {
	dst = AppendNamedOwnedRow(dst, e.Graph, e.Index, e.Element)
	return append(binary.BigEndian.AppendUint32(dst, e.Key), e.Value...)
}

// DecodeNamedOwnedEntry reads a key that AppendNamedOwnedEntry wrote. Value aliases key.
func DecodeNamedOwnedEntry(key []byte) (NamedEntry, error) {
	var e NamedEntry
	f, graph := open(key, NamedIndexOwned)
	e.Graph = graph
	e.Index = f.u32()
	e.Element = f.u64()
	e.Key = f.u32()
	e.Value = f.tail(0)
	return e, f.end(NamedIndexOwned, key)
}
