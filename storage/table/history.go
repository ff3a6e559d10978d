package table

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/gremlind/gremlind/storage"
)

// History: what a cell was before a commit changed it, and what each commit changed.
//
//	+-------+------+-------+-----------------+----------+
//	| graph | 0x40 | table | rest of the key | until 8B |    -> 0x00: there was no cell before until,
//	+-------+------+-------+-----------------+----------+       or 0x01 and the value that it had
//	| graph | 0x46 | stamp 8B |                                -> note, keys of the changed cells
//	+-------+------+----------+
//
// until is the stamp of the commit. As of a time, the first row of a cell whose until lies
// behind it says what the cell was, and where there is none the cell is as it is now: so the
// current tables are the same with and without history, what never changed costs nothing, and
// a row may go when its until is before what anybody may ask for, without a look at others.
//
// The rows of a cell lie together, and cells in their order, because no key of a table is the
// beginning of another one: but for those of user ids, which are escaped (0x00 becomes 0x00
// 0xff) and end with 0x00 0x00. A cell's history lies in a row when the cell does.

// Kept reports whether history keeps what a key was: elements, their adjacency, ids and labels,
// and entries of indexes. Counters are changed by deltas, definitions say by themselves since
// when they hold, and the reverses of indexes nobody asks for what was.
func Kept(key []byte) bool {
	if len(key) <= headLen {
		return false
	}
	switch c := Code(key[graphLen]); c {
	case Vertices, Edges:
		if len(key) <= rowLen {
			return false
		}
		switch Family(key[rowLen]) {
		case Exists, Property, OutEdge, InEdge:
			return true
		}
		return false
	default:
		return keptTable(c)
	}
}

// OfHistory reports whether a key is one of the two tables of history.
func OfHistory(key []byte) bool {
	_, c, ok := Head(key)
	return ok && (c == History || c == Commits)
}

func keptTable(c Code) bool {
	return c >= Vertices && c < VertexKeyOwned && c != Counters
}

// AppendPast appends what all rows of the history of a cell begin with, and nothing else does.
func AppendPast(dst, cell []byte) []byte {
	dst = appendPast(dst, cell)
	if escaped(cell) {
		return append(dst, 0, 0)
	}
	return dst
}

// appendPast appends what corresponds to a bound of cells.
func appendPast(dst, cell []byte) []byte {
	dst = append(append(dst, cell[:graphLen]...), byte(History))
	if !escaped(cell) {
		return append(dst, cell[graphLen:]...)
	}
	dst = append(dst, cell[graphLen])
	for _, b := range cell[headLen:] {
		if dst = append(dst, b); b == 0 {
			dst = append(dst, 0xff)
		}
	}
	return dst
}

func escaped(cell []byte) bool {
	return len(cell) > headLen && (Code(cell[graphLen]) == VertexIDs || Code(cell[graphLen]) == EdgeIDs)
}

// AppendPastFrom and AppendPastTo append the bounds of the history of cells of a graph within
// bounds: it may have rows beside, of cells that are not within, in front of the first or behind
// the last. An end that begins with a cell is the cell and a 0x00, or lies behind no cell.
func AppendPastFrom(dst []byte, graph uint32, from []byte) []byte {
	if g, ok := graphOf(from); !ok || g != graph || len(from) == graphLen {
		return AppendTable(dst, graph, History)
	}
	return appendPast(dst, from)
}

// AppendPastTo is the upper bound, see AppendPastFrom.
func AppendPastTo(dst []byte, graph uint32, to []byte) []byte {
	if g, ok := graphOf(to); !ok || g != graph || len(to) == graphLen {
		return AppendTable(dst, graph, History+1)
	}
	if last := len(to) - 1; to[last] == 0 && last > graphLen { // maybe behind a cell, whose rows count
		return append(AppendPast(dst, to[:last]), pastEnd...)
	}
	return appendPast(dst, to)
}

// pastEnd is behind all stamps.
var pastEnd = bytes.Repeat([]byte{0xff}, storage.StampSize+1)

// AppendPastEnd appends what lies behind the history of a cell, and in front of that of the next.
func AppendPastEnd(dst, cell []byte) []byte { return append(AppendPast(dst, cell), pastEnd...) }

func graphOf(key []byte) (uint32, bool) {
	if len(key) < graphLen {
		return 0, false
	}
	return binary.BigEndian.Uint32(key), true
}

// AppendPastRow appends the key of what a cell was before a commit.
func AppendPastRow(dst, cell []byte, until storage.Stamp) []byte {
	return storage.AppendStamp(AppendPast(dst, cell), until)
}

// DecodePastRow reads a key that AppendPastRow wrote; the cell is appended to dst.
func DecodePastRow(dst, key []byte) (cell []byte, until storage.Stamp, err error) {
	graph, c, ok := Head(key)
	n := len(key) - storage.StampSize
	if !ok || c != History || n <= headLen+1 {
		return dst, 0, fmt.Errorf("%w of table %s: %x", ErrKey, History, key)
	}
	until = storage.Stamp(binary.BigEndian.Uint64(key[n:]))
	dst = append(AppendGraph(dst, graph), key[headLen:n]...)
	if c := Code(key[headLen]); c != VertexIDs && c != EdgeIDs {
		return dst, until, nil
	}
	dst = dst[:len(dst)-(n-headLen-1)]
	rest := key[headLen+1 : n]
	for i := 0; i < len(rest); i++ {
		switch {
		case rest[i] != 0:
		case i == len(rest)-2 && rest[i+1] == 0:
			return dst, until, nil
		case i+1 < len(rest) && rest[i+1] == 0xff:
			i++
			dst = append(dst, 0)
			continue
		default:
			return dst, 0, fmt.Errorf("%w of table %s: %x", ErrKey, History, key)
		}
		dst = append(dst, rest[i])
	}
	return dst, 0, fmt.Errorf("%w of table %s: %x", ErrKey, History, key)
}

// Values of rows of the past begin with one of these.
const (
	pastAbsent  = 0x00
	pastPresent = 0x01
)

// AppendPastValue appends what a cell was, nil for none.
func AppendPastValue(dst, was []byte) []byte {
	if was == nil {
		return append(dst, pastAbsent)
	}
	return append(append(dst, pastPresent), was...)
}

// DecodePastValue reads what AppendPastValue wrote. was aliases val.
func DecodePastValue(val []byte) (was []byte, there bool, err error) {
	switch {
	case len(val) == 1 && val[0] == pastAbsent:
		return nil, false, nil
	case len(val) > 0 && val[0] == pastPresent:
		return val[1:], true, nil
	}
	return nil, false, fmt.Errorf("value %x of table %s is none: %w", val[:min(len(val), 16)], History, storage.ErrCorrupt)
}
