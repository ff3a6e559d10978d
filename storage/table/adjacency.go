package table

import "encoding/binary"

// Adjacency: one cell per edge and endpoint, within the row of that endpoint.
//
//	+-------+------+-----------+-------------------+----------+---------+----------+
//	| graph | 0x10 | vertex 8B | OUT_EDGE, IN_EDGE | label 4B | edge 8B | other 8B | -> version byte
//	+-------+------+-----------+-------------------+----------+---------+----------+
//
// Direction before label: both() is one scan, out("knows") one shorter prefix. Edge
// before the other vertex: within a label edges come in the order of insertion, so
// the first few of a supernode are the first few cells, a new edge extends the end,
// and a scan can be resumed behind an edge.

// Adjacency is the key of one edge as its endpoint Vertex sees it.
type Adjacency struct {
	Graph     uint32
	Vertex    uint64
	Direction Family // OutEdge or InEdge
	Label     uint32
	Edge      uint64
	Other     uint64
}

// AppendAdjacent appends the prefix of all edges of a vertex in one direction.
func AppendAdjacent(dst []byte, graph uint32, vertex uint64, direction Family) []byte {
	return append(AppendVertexRow(dst, graph, vertex), byte(direction))
}

// AppendAdjacentLabel appends the prefix of all edges with one label.
func AppendAdjacentLabel(dst []byte, graph uint32, vertex uint64, direction Family, label uint32) []byte {
	return binary.BigEndian.AppendUint32(AppendAdjacent(dst, graph, vertex, direction), label)
}

// AppendAdjacency appends the key of one edge at one endpoint.
func AppendAdjacency(dst []byte, a Adjacency) []byte {
	dst = AppendAdjacentLabel(dst, a.Graph, a.Vertex, a.Direction, a.Label)
	dst = binary.BigEndian.AppendUint64(dst, a.Edge)
	return binary.BigEndian.AppendUint64(dst, a.Other)
}

// DecodeAdjacency reads a key that AppendAdjacency wrote.
func DecodeAdjacency(key []byte) (Adjacency, error) {
	var a Adjacency
	f, graph := open(key, Vertices)
	a.Graph = graph
	a.Vertex = f.u64()
	a.Direction = Family(f.u8())
	if a.Direction != OutEdge && a.Direction != InEdge {
		f.bad = true
	}
	a.Label = f.u32()
	a.Edge = f.u64()
	a.Other = f.u64()
	return a, f.end(Vertices, key)
}
