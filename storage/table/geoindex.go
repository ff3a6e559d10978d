package table

import "encoding/binary"

// Geo indexes: every element by the cell of the earth's surface that a point of its lies
// in. Cells that lie within one another are a range.
//
//	+-------+------+-----------+---------+---------+------------+
//	| graph | 0x26 | number 4B | seal 4B | cell 8B | element 8B |    -> latitude, longitude
//	+-------+------+-----------+---------+---------+------------+
//
// The reverse has table 0x2e and begins with the element.

// GeoEntry is one entry of a geo index.
type GeoEntry struct {
	Graph   uint32
	Index   uint32
	Seal    uint32
	Cell    uint64
	Element uint64
}

// AppendGeoIndex appends the prefix of all entries of one index.
func AppendGeoIndex(dst []byte, graph, index uint32) []byte {
	return appendNamed(dst, graph, GeoIndex, index)
}

// AppendGeoCell appends the prefix of the entries of one seal and cell.
func AppendGeoCell(dst []byte, graph, index, seal uint32, cell uint64) []byte {
	return binary.BigEndian.AppendUint64(appendSealed(dst, graph, GeoIndex, index, seal), cell)
}

// AppendGeoEntry appends the key of one entry.
func AppendGeoEntry(dst []byte, e GeoEntry) []byte {
	return binary.BigEndian.AppendUint64(AppendGeoCell(dst, e.Graph, e.Index, e.Seal, e.Cell), e.Element)
}

// DecodeGeoEntry reads a key that AppendGeoEntry wrote.
func DecodeGeoEntry(key []byte) (GeoEntry, error) {
	var e GeoEntry
	f, graph := open(key, GeoIndex)
	e.Graph = graph
	e.Index = f.u32()
	e.Seal = f.u32()
	e.Cell = f.u64()
	e.Element = f.u64()
	return e, f.end(GeoIndex, key)
}
