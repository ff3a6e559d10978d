package table

import (
	"bytes"
	"encoding/binary"
)

// Text indexes: every element by the tokens of a text, which have no zero byte.
//
//	+-------+------+-----------+---------+-------+------+------------+
//	| graph | 0x25 | number 4B | seal 4B | token | 0x00 | element 8B |
//	+-------+------+-----------+---------+-------+------+------------+
//
// and in reverse, what to remove when the text changes
//
//	+-------+------+------------+-----------+
//	| graph | 0x2d | element 8B | number 4B |    -> tokens
//	+-------+------+------------+-----------+

// TextEntry is one entry of a text index; the reverse row has no seal and no token.
type TextEntry struct {
	Graph   uint32
	Index   uint32
	Seal    uint32
	Token   []byte
	Element uint64
}

// AppendTextIndex appends the prefix of all entries of one index.
func AppendTextIndex(dst []byte, graph, index uint32) []byte {
	return appendNamed(dst, graph, TextIndex, index)
}

// AppendTextBeginning appends the prefix of the entries of one seal whose tokens begin
// with the bytes.
func AppendTextBeginning(dst []byte, graph, index, seal uint32, beginning []byte) []byte {
	return append(appendSealed(dst, graph, TextIndex, index, seal), beginning...)
}

// AppendTextToken appends the prefix of the entries of one seal and token.
func AppendTextToken(dst []byte, graph, index, seal uint32, token []byte) []byte {
	return append(AppendTextBeginning(dst, graph, index, seal, token), 0)
}

// AppendTextEntry appends the key of one entry.
func AppendTextEntry(dst []byte, e TextEntry) []byte {
	return binary.BigEndian.AppendUint64(AppendTextToken(dst, e.Graph, e.Index, e.Seal, e.Token), e.Element)
}

// TextEntryLen is how long the key of an entry is that b begins with; more than b when that is
// none.
func TextEntryLen(b []byte) int {
	const head = headLen + 2*indexNumberLen // with index and seal
	if len(b) < head {
		return len(b) + 1
	}
	n := bytes.IndexByte(b[head:], 0)
	if n < 0 {
		return len(b) + 1
	}
	return head + n + 1 + elementLen
}

// DecodeTextEntry reads a key that AppendTextEntry wrote. Token aliases key.
func DecodeTextEntry(key []byte) (TextEntry, error) {
	var e TextEntry
	f, graph := open(key, TextIndex)
	e.Graph = graph
	e.Index = f.u32()
	e.Seal = f.u32()
	e.Token = f.take(max(bytes.IndexByte(f.rest, 0), 0))
	if f.u8() != 0 {
		f.bad = true
	}
	e.Element = f.u64()
	return e, f.end(TextIndex, key)
}

// AppendTextOwnedRow appends the prefix of all reverse rows of an element.
func AppendTextOwnedRow(dst []byte, graph uint32, element uint64) []byte {
	return appendElementRow(dst, graph, TextOwned, element)
}

// AppendTextOwned appends the reverse row of an element in one index.
func AppendTextOwned(dst []byte, graph, index uint32, element uint64) []byte {
	return binary.BigEndian.AppendUint32(AppendTextOwnedRow(dst, graph, element), index)
}

// DecodeTextOwned reads a key that AppendTextOwned wrote.
func DecodeTextOwned(key []byte) (TextEntry, error) {
	var e TextEntry
	f, graph := open(key, TextOwned)
	e.Graph = graph
	e.Element = f.u64()
	e.Index = f.u32()
	return e, f.end(TextOwned, key)
}
