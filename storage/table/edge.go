package table

import "encoding/binary"

// An edge is one row.
//
//	+-------+------+---------+--------+
//	| graph | 0x11 | edge 8B | EXISTS |              -> label, out vertex, in vertex, user-supplied id
//	+-------+------+---------+----------+--------+
//	| graph | 0x11 | edge 8B | PROPERTY | key 4B |    -> value
//	+-------+------+---------+----------+--------+

// EdgeProperty is the key of one property of an edge.
type EdgeProperty struct {
	Graph uint32
	Edge  uint64
	Key   uint32
}

// AppendEdgeRow appends the prefix of all cells of an edge.
func AppendEdgeRow(dst []byte, graph uint32, edge uint64) []byte {
	return appendElementRow(dst, graph, Edges, edge)
}

// AppendEdgeExists appends the key of the cell that makes an edge exist.
func AppendEdgeExists(dst []byte, graph uint32, edge uint64) []byte {
	return append(AppendEdgeRow(dst, graph, edge), byte(Exists))
}

// AppendEdgeProperties appends the prefix of all properties of an edge.
func AppendEdgeProperties(dst []byte, graph uint32, edge uint64) []byte {
	return append(AppendEdgeRow(dst, graph, edge), byte(Property))
}

// AppendEdgeProperty appends the key of one property.
func AppendEdgeProperty(dst []byte, p EdgeProperty) []byte {
	return binary.BigEndian.AppendUint32(AppendEdgeProperties(dst, p.Graph, p.Edge), p.Key)
}

// DecodeEdgeProperty reads a key that AppendEdgeProperty wrote.
func DecodeEdgeProperty(key []byte) (EdgeProperty, error) {
	var p EdgeProperty
	f, graph := open(key, Edges)
	p.Graph = graph
	p.Edge = f.u64()
	f.family(Property)
	p.Key = f.u32()
	return p, f.end(Edges, key)
}

// DecodeEdgeExists reads a key that AppendEdgeExists wrote.
func DecodeEdgeExists(key []byte) (graph uint32, edge uint64, err error) {
	f, graph := open(key, Edges)
	edge = f.u64()
	f.family(Exists)
	return graph, edge, f.end(Edges, key)
}

// EdgeCell returns the edge and the family of any key of the edge table.
func EdgeCell(key []byte) (edge uint64, family Family, ok bool) { return cell(key, Edges) }
