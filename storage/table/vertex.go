package table

import "encoding/binary"

// A vertex is one row: that it exists, its properties, its edges.
//
//	+-------+------+-----------+--------+
//	| graph | 0x10 | vertex 8B | EXISTS |                              -> label, user-supplied id
//	+-------+------+-----------+----------+--------+------------+
//	| graph | 0x10 | vertex 8B | PROPERTY | key 4B | ordinal 8B |       -> id, value, meta-properties
//	+-------+------+-----------+----------+--------+------------+
//	| graph | 0x10 | vertex 8B | COUNTER | ...                         see elementcounter.go
//	+-------+------+-----------+-------------------+
//	| graph | 0x10 | vertex 8B | OUT_EDGE, IN_EDGE | ...               see adjacency.go
//	+-------+------+-----------+-------------------+
//
// The ordinal tells the values of a multi-property apart; it counts insertions.

// VertexProperty is the key of one property of a vertex.
type VertexProperty struct {
	Graph   uint32
	Vertex  uint64
	Key     uint32
	Ordinal uint64
}

// AppendVertexRow appends the prefix of all cells of a vertex.
func AppendVertexRow(dst []byte, graph uint32, vertex uint64) []byte {
	return appendElementRow(dst, graph, Vertices, vertex)
}

// AppendVertexExists appends the key of the cell that makes a vertex exist.
func AppendVertexExists(dst []byte, graph uint32, vertex uint64) []byte {
	return append(AppendVertexRow(dst, graph, vertex), byte(Exists))
}

// AppendVertexProperties appends the prefix of all properties of a vertex.
func AppendVertexProperties(dst []byte, graph uint32, vertex uint64) []byte {
	return append(AppendVertexRow(dst, graph, vertex), byte(Property))
}

// AppendVertexPropertyKey appends the prefix of all properties with one key.
func AppendVertexPropertyKey(dst []byte, graph uint32, vertex uint64, key uint32) []byte {
	return binary.BigEndian.AppendUint32(AppendVertexProperties(dst, graph, vertex), key)
}

// AppendVertexProperty appends the key of one property.
func AppendVertexProperty(dst []byte, p VertexProperty) []byte {
	return binary.BigEndian.AppendUint64(AppendVertexPropertyKey(dst, p.Graph, p.Vertex, p.Key), p.Ordinal)
}

// DecodeVertexProperty reads a key that AppendVertexProperty wrote.
func DecodeVertexProperty(key []byte) (VertexProperty, error) {
	var p VertexProperty
	f, graph := open(key, Vertices)
	p.Graph = graph
	p.Vertex = f.u64()
	f.family(Property)
	p.Key = f.u32()
	p.Ordinal = f.u64()
	return p, f.end(Vertices, key)
}

// DecodeVertexExists reads a key that AppendVertexExists wrote.
func DecodeVertexExists(key []byte) (graph uint32, vertex uint64, err error) {
	f, graph := open(key, Vertices)
	vertex = f.u64()
	f.family(Exists)
	return graph, vertex, f.end(Vertices, key)
}

// VertexCell returns the vertex and the family of any key of the vertex table, which
// is how a walk over whole rows tells its cells apart.
func VertexCell(key []byte) (vertex uint64, family Family, ok bool) { return cell(key, Vertices) }

func cell(key []byte, c Code) (id uint64, family Family, ok bool) {
	if len(key) <= rowLen || Code(key[graphLen]) != c {
		return 0, 0, false
	}
	return binary.BigEndian.Uint64(key[headLen:]), Family(key[rowLen]), true
}
