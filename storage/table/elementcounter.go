package table

import "encoding/binary"

// Counters of elements: numbers in their rows that are changed by merged deltas
// (storage.Tx.Merge). Beside the sum stands what was counted in intervals of time.
//
//	+-------+------------+------------+---------+--------+
//	| graph | 0x10, 0x11 | element 8B | COUNTER | key 4B |                              -> sum 8B, two's complement
//	+-------+------------+------------+---------+--------+-------------+----------+
//	| graph | 0x10, 0x11 | element 8B | COUNTER | key 4B | interval 1B | start 8B |     -> count 8B, likewise
//	+-------+------------+------------+---------+--------+-------------+----------+
//
// The interval is the number of a unit of time, never 0; the start is in seconds since 1970,
// with the sign bit turned over, so that intervals ascend.

// ElementCounter is the key of one counter, or of one of its intervals.
type ElementCounter struct {
	Graph    uint32
	Class    Class
	Element  uint64
	Key      uint32
	Interval byte // 0 for the sum
	Start    int64
}

// AppendElementCounter appends the key of the sum, or of an interval.
func AppendElementCounter(dst []byte, c ElementCounter) []byte {
	dst = append(appendElementRow(dst, c.Graph, rowsOf(c.Class), c.Element), byte(CounterCell))
	dst = binary.BigEndian.AppendUint32(dst, c.Key)
	if c.Interval == 0 {
		return dst
	}
	return binary.BigEndian.AppendUint64(append(dst, c.Interval), uint64(c.Start)^1<<63)
}

// AppendElementIntervals appends the prefix of all intervals of one length.
func AppendElementIntervals(dst []byte, c ElementCounter) []byte {
	length := c.Interval
	c.Interval = 0
	return append(AppendElementCounter(dst, c), length)
}

// DecodeElementCounter reads a key that AppendElementCounter wrote.
func DecodeElementCounter(key []byte) (ElementCounter, error) {
	c := ElementCounter{Class: classOf(key)}
	f, graph := open(key, rowsOf(c.Class))
	c.Graph = graph
	c.Element = f.u64()
	f.family(CounterCell)
	c.Key = f.u32()
	if len(f.rest) > 0 {
		if c.Interval = f.u8(); c.Interval == 0 {
			f.bad = true
		}
		c.Start = int64(f.u64() ^ 1<<63)
	}
	return c, f.end(rowsOf(c.Class), key)
}

// rowsOf is the table of the rows of elements of a class.
func rowsOf(c Class) Code {
	if c == EdgeClass {
		return Edges
	}
	return Vertices
}
