package table

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage"
)

// ErrKey is returned when bytes are not a key of the table they are read as.
var ErrKey = errors.New("malformed key")

const (
	graphLen   = 4
	headLen    = graphLen + 1 // graph and table
	elementLen = 8
	rowLen     = headLen + elementLen
)

// AppendGraph appends the prefix of everything that graph holds.
func AppendGraph(dst []byte, graph uint32) []byte {
	return binary.BigEndian.AppendUint32(dst, graph)
}

// AppendTable appends the prefix of one table of graph.
func AppendTable(dst []byte, graph uint32, c Code) []byte {
	return append(AppendGraph(dst, graph), byte(c))
}

// Head returns the graph and the table of key.
func Head(key []byte) (graph uint32, c Code, ok bool) {
	if len(key) < headLen {
		return 0, 0, false
	}
	return binary.BigEndian.Uint32(key), Code(key[graphLen]), true
}

// PrefixEnd is storage.PrefixEnd.
func PrefixEnd(dst, prefix []byte) []byte { return storage.PrefixEnd(dst, prefix) }

func appendElementRow(dst []byte, graph uint32, c Code, id uint64) []byte {
	return binary.BigEndian.AppendUint64(AppendTable(dst, graph, c), id)
}

// fields reads the parts of a key from the front; bad stays set once they run out.
type fields struct {
	rest []byte
	bad  bool
}

// open starts reading key behind its head, expecting table c.
func open(key []byte, c Code) (f fields, graph uint32) {
	graph, got, ok := Head(key)
	if !ok || got != c {
		return fields{bad: true}, 0
	}
	return fields{rest: key[headLen:]}, graph
}

func (f *fields) take(n int) []byte {
	if f.bad || len(f.rest) < n {
		f.bad = true
		return nil
	}
	b := f.rest[:n]
	f.rest = f.rest[n:]
	return b
}

func (f *fields) u8() byte {
	if b := f.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (f *fields) u32() uint32 {
	if b := f.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (f *fields) u64() uint64 {
	if b := f.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// tail takes all but the last n bytes, aliasing the key.
func (f *fields) tail(n int) []byte { return f.take(max(len(f.rest)-n, 0)) }

func (f *fields) family(want Family) {
	if Family(f.u8()) != want {
		f.bad = true
	}
}

// end reports the key as malformed when a part was missing or bytes are left over.
func (f *fields) end(c Code, key []byte) error {
	if f.bad || len(f.rest) != 0 {
		return fmt.Errorf("%w of table %s: %x", ErrKey, c, key)
	}
	return nil
}

// FixedRow returns the row that key lies in, when its table has rows of fixed length
// and key is at least that long. All keys of the row start with it. A table's rows are
// for good once a key of it was written: files are ordered and searched by them.
func FixedRow(key []byte) (row []byte, ok bool) {
	if len(key) < headLen {
		return nil, false
	}
	n := rowLength(Code(key[graphLen]))
	if Code(key[graphLen]) == History && len(key) > headLen { // the row of the cell that was
		if n = rowLength(Code(key[headLen])); n > 0 {
			n++
		}
	}
	if n == 0 || len(key) < n {
		return nil, false
	}
	return key[:n:n], true
}

// rowLength is the length of the rows of a table, 0 where each key is one.
func rowLength(c Code) int {
	switch c {
	case Vertices, Edges, VertexKeyOwned, EdgeKeyOwned, EdgeIndex, CompositeOwned, TextOwned, reservedGeoOwned:
		return rowLen
	case NamedIndexOwned:
		return rowLen + indexNumberLen
	case reservedExtendedData, reservedValueChunks: // vertices and edges have rows of their own
		return rowLen + 1
	}
	return 0
}
