package table

import "encoding/binary"

// Edge indexes: the edges of one vertex, of one direction, in the order of properties of
// theirs. What a vertex has in all of them is one row.
//
//	+-------+------+-----------+-----------+--------+---------+----------+---------+----------+
//	| graph | 0x24 | vertex 8B | number 4B | dir 1B | seal 4B | value... | edge 8B | other 8B |    -> nothing
//	+-------+------+-----------+-----------+--------+---------+----------+---------+----------+
//
// The direction is the family of the edge's cell in the row of the vertex, and edge and
// other vertex end the key as they do there (see adjacency.go). The edge itself knows
// both, so that there is no reverse.

// EdgeEntry is the key of one edge in an edge index, as its endpoint Vertex has it.
type EdgeEntry struct {
	Graph     uint32
	Vertex    uint64
	Index     uint32
	Direction Family // OutEdge or InEdge
	Seal      uint32
	Values    []byte // ordered forms, one behind the other
	Edge      uint64
	Other     uint64
}

// AppendEdgeIndexRow appends the prefix of all entries of a vertex.
func AppendEdgeIndexRow(dst []byte, graph uint32, vertex uint64) []byte {
	return appendElementRow(dst, graph, EdgeIndex, vertex)
}

// AppendEdgeIndexValues appends the prefix of the entries of e's vertex, index, direction
// and seal whose values begin with e's.
func AppendEdgeIndexValues(dst []byte, e EdgeEntry) []byte {
	dst = binary.BigEndian.AppendUint32(AppendEdgeIndexRow(dst, e.Graph, e.Vertex), e.Index)
	dst = binary.BigEndian.AppendUint32(append(dst, byte(e.Direction)), e.Seal)
	return append(dst, e.Values...)
}

// AppendEdgeEntry appends the key of one entry.
func AppendEdgeEntry(dst []byte, e EdgeEntry) []byte {
	dst = binary.BigEndian.AppendUint64(AppendEdgeIndexValues(dst, e), e.Edge)
	return binary.BigEndian.AppendUint64(dst, e.Other)
}

// DecodeEdgeEntry reads a key that AppendEdgeEntry wrote. Values aliases key.
func DecodeEdgeEntry(key []byte) (EdgeEntry, error) {
	var e EdgeEntry
	f, graph := open(key, EdgeIndex)
	e.Graph = graph
	e.Vertex = f.u64()
	e.Index = f.u32()
	e.Direction = Family(f.u8())
	if e.Direction != OutEdge && e.Direction != InEdge {
		f.bad = true
	}
	e.Seal = f.u32()
	e.Values = f.tail(2 * elementLen)
	e.Edge = f.u64()
	e.Other = f.u64()
	return e, f.end(EdgeIndex, key)
}
