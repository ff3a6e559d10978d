package table

import "encoding/binary"

// Counters: how many elements there are, changed by merged deltas (storage.Tx.Merge).
//
//	+-------+------+---------+-----------+
//	| graph | 0x1c | kind 1B | symbol 4B |    -> count 8B, two's complement
//	+-------+------+---------+-----------+
//
// Symbol 0 is nobody's: use it for a total over all labels.

// CounterKind says what a counter counts.
type CounterKind byte

// The kinds of counters. Do not renumber: on disk.
const (
	VertexCount CounterKind = 1 // by label
	EdgeCount   CounterKind = 2 // by label
)

// Counter is the key of one counter.
type Counter struct {
	Graph  uint32
	Kind   CounterKind
	Symbol uint32
}

// AppendCounters appends the prefix of all counters of a kind.
func AppendCounters(dst []byte, graph uint32, k CounterKind) []byte {
	return append(AppendTable(dst, graph, Counters), byte(k))
}

// AppendCounter appends the key of one counter.
func AppendCounter(dst []byte, c Counter) []byte {
	return binary.BigEndian.AppendUint32(AppendCounters(dst, c.Graph, c.Kind), c.Symbol)
}

// DecodeCounter reads a key that AppendCounter wrote.
func DecodeCounter(key []byte) (Counter, error) {
	var c Counter
	f, graph := open(key, Counters)
	c.Graph = graph
	c.Kind = CounterKind(f.u8())
	c.Symbol = f.u32()
	return c, f.end(Counters, key)
}
