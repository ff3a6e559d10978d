package table

import "encoding/binary"

// Key indexes: every element by the value of an indexed property key.
//
//	+-------+------------+--------+-------+------------+
//	| graph | 0x20, 0x21 | key 4B | value | element 8B |    -> nothing
//	+-------+------------+--------+-------+------------+
//
// The reverse rows hold what one element owns, so that removing it costs that much.
//
//	+-------+------------+------------+--------+-------+
//	| graph | 0x28, 0x29 | element 8B | key 4B | value |    -> nothing
//	+-------+------------+------------+--------+-------+
//
// Key before value (AccumuloGraph has value first): ranges, order, prefixes and
// dropping the index are contiguous. The value is in ordered form and self-delimiting.

// KeyIndex is one entry of a key index, in either table.
type KeyIndex struct {
	Graph   uint32
	Class   Class
	Key     uint32
	Value   []byte // ordered form
	Element uint64
}

func keyIndexCode(c Class) Code {
	if c == EdgeClass {
		return EdgeKeyIndex
	}
	return VertexKeyIndex
}

func keyOwnedCode(c Class) Code {
	if c == EdgeClass {
		return EdgeKeyOwned
	}
	return VertexKeyOwned
}

// AppendKeyIndexKey appends the prefix of all entries of one key.
func AppendKeyIndexKey(dst []byte, graph uint32, class Class, key uint32) []byte {
	return binary.BigEndian.AppendUint32(AppendTable(dst, graph, keyIndexCode(class)), key)
}

// AppendKeyIndexValue appends the prefix of all entries of one key and value.
func AppendKeyIndexValue(dst []byte, graph uint32, class Class, key uint32, value []byte) []byte {
	return append(AppendKeyIndexKey(dst, graph, class, key), value...)
}

// AppendKeyIndex appends the key of one entry.
func AppendKeyIndex(dst []byte, e KeyIndex) []byte {
	dst = AppendKeyIndexValue(dst, e.Graph, e.Class, e.Key, e.Value)
	return binary.BigEndian.AppendUint64(dst, e.Element)
}

// DecodeKeyIndex reads a key that AppendKeyIndex wrote. Value aliases key.
func DecodeKeyIndex(key []byte) (KeyIndex, error) {
	e := KeyIndex{Class: VertexClass}
	if _, c, _ := Head(key); c == EdgeKeyIndex {
		e.Class = EdgeClass
	}
	f, graph := open(key, keyIndexCode(e.Class))
	e.Graph = graph
	e.Key = f.u32()
	e.Value = f.tail(elementLen)
	e.Element = f.u64()
	return e, f.end(keyIndexCode(e.Class), key)
}

// AppendKeyOwnedRow appends the prefix of all reverse rows of an element.
func AppendKeyOwnedRow(dst []byte, graph uint32, class Class, element uint64) []byte {
	return appendElementRow(dst, graph, keyOwnedCode(class), element)
}

// AppendKeyOwnedKey appends the prefix of an element's reverse rows of one key.
func AppendKeyOwnedKey(dst []byte, graph uint32, class Class, element uint64, key uint32) []byte {
	return binary.BigEndian.AppendUint32(AppendKeyOwnedRow(dst, graph, class, element), key)
}

// AppendKeyOwned appends the reverse row of one entry.
func AppendKeyOwned(dst []byte, e KeyIndex) []byte {
	return append(AppendKeyOwnedKey(dst, e.Graph, e.Class, e.Element, e.Key), e.Value...)
}

// DecodeKeyOwned reads a key that AppendKeyOwned wrote. Value aliases key.
func DecodeKeyOwned(key []byte) (KeyIndex, error) {
	e := KeyIndex{Class: VertexClass}
	if _, c, _ := Head(key); c == EdgeKeyOwned {
		e.Class = EdgeClass
	}
	f, graph := open(key, keyOwnedCode(e.Class))
	e.Graph = graph
	e.Element = f.u64()
	e.Key = f.u32()
	e.Value = f.tail(0)
	return e, f.end(keyOwnedCode(e.Class), key)
}
