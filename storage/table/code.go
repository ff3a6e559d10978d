package table

import (
	"maps"
	"slices"
)

// Code is the table's place in a key, right behind the graph number.
type Code byte

// The tables. Do not renumber: on disk.
const (
	Catalog         Code = 0x01
	SymbolByName    Code = 0x02
	NameBySymbol    Code = 0x03
	Meta            Code = 0x05
	IndexMetadata   Code = 0x08
	Vertices        Code = 0x10 // from here to ElementsEnd: elements, one range for a bulk load
	Edges           Code = 0x11
	VertexIDs       Code = 0x14
	EdgeIDs         Code = 0x15
	VertexLabels    Code = 0x18
	EdgeLabels      Code = 0x19
	Counters        Code = 0x1c
	VertexKeyIndex  Code = 0x20
	EdgeKeyIndex    Code = 0x21
	NamedIndex      Code = 0x22
	CompositeIndex  Code = 0x23 // unique ones too
	EdgeIndex       Code = 0x24
	TextIndex       Code = 0x25
	GeoIndex        Code = 0x26
	VertexKeyOwned  Code = 0x28 // reverse of VertexKeyIndex
	EdgeKeyOwned    Code = 0x29 // reverse of EdgeKeyIndex
	NamedIndexOwned Code = 0x2a // reverse of NamedIndex
	CompositeOwned  Code = 0x2b // reverse of CompositeIndex
	TextOwned       Code = 0x2d // reverse of TextIndex

	// History is what cells were before commits changed them, Commits what these changed.
	History Code = 0x40
	Commits Code = 0x46
	// Expiries are the ends of elements and properties, by time.
	Expiries Code = 0x47

	// ElementsEnd is behind the tables that a bulk load writes.
	ElementsEnd Code = 0x30

	// Reserved for capabilities to come, so that they touch no row that exists: FixedRow
	// knows the rows of all but the first and the third. 0x43 to 0x45 were reserved once,
	// for indexes that a bulk load could not have written with the others; nothing was
	// ever written there, and nothing is to be.
	reservedIndex        Code = 0x27
	reservedGeoOwned     Code = 0x2e
	reservedIndexOwned   Code = 0x2f
	reservedExtendedData Code = 0x41
	reservedValueChunks  Code = 0x42
)

// Family is the kind of cell within the row of an element.
type Family byte

// The families, in the order in which a row holds them: properties before
// adjacency, so that a supernode's properties stay one short scan. Do not renumber:
// on disk.
const (
	Exists   Family = 0x10
	Property Family = 0x20
	OutEdge  Family = 0x40
	InEdge   Family = 0x48

	// Cells of features: when the element was made and changed, when it ends, and numbers
	// that are changed by deltas.
	StampCell   Family = 0x18
	ExpiryCell  Family = 0x1a
	CounterCell Family = 0x24

	// Reserved. Nothing is written to the first six: what they were for is part of the
	// symbols of labels and keys. Extended data and chunks stand behind adjacency.
	reservedVisibility         Family = 0x12
	reservedHidden             Family = 0x14
	reservedSoftDelete         Family = 0x16
	reservedPropertyVisibility Family = 0x28
	reservedPropertyHidden     Family = 0x2a
	reservedPropertySoftDelete Family = 0x2c
	reservedExtendedFamily     Family = 0x60
	reservedChunkFamily        Family = 0x68
)

// Class tells the two kinds of indexed elements apart.
type Class byte

// The element classes. Do not renumber: on disk.
const (
	VertexClass Class = 1
	EdgeClass   Class = 2
)

var codeNames = map[Code]string{
	Catalog: "catalog", SymbolByName: "symbol_by_name", NameBySymbol: "name_by_symbol", Counters: "counters",
	Meta: "meta", VertexIDs: "vertex_ids", EdgeIDs: "edge_ids", IndexMetadata: "index_metadata",
	Vertices: "vertex", Edges: "edge", VertexLabels: "vertex_label", EdgeLabels: "edge_label",
	VertexKeyIndex: "vertex_key_index", EdgeKeyIndex: "edge_key_index", NamedIndex: "index",
	VertexKeyOwned: "vertex_key_reverse", EdgeKeyOwned: "edge_key_reverse", NamedIndexOwned: "index_reverse",
	CompositeIndex: "composite_index", EdgeIndex: "edge_index", TextIndex: "text_index", GeoIndex: "geo_index",
	CompositeOwned: "composite_reverse", TextOwned: "text_reverse", reservedGeoOwned: "geo_reverse",
	reservedIndex: "reserved_index", reservedIndexOwned: "reserved_reverse",
	History: "history", Commits: "commits", Expiries: "expiries", reservedExtendedData: "extended_data", reservedValueChunks: "value_chunks",
}

// Codes are those of all tables, in the order of keys.
func Codes() []Code { return slices.Sorted(maps.Keys(codeNames)) }

// String names the table as the documentation does, "" when the code is unknown.
func (c Code) String() string { return codeNames[c] }

var familyNames = map[Family]string{
	Exists: "EXISTS", Property: "PROPERTY", OutEdge: "OUT_EDGE", InEdge: "IN_EDGE",
	StampCell: "STAMP", ExpiryCell: "EXPIRES", CounterCell: "COUNTER",
	reservedVisibility: "VISIBILITY", reservedHidden: "HIDDEN", reservedSoftDelete: "SOFT_DELETE",
	reservedPropertyVisibility: "PROPERTY_VISIBILITY", reservedPropertyHidden: "PROPERTY_HIDDEN",
	reservedPropertySoftDelete: "PROPERTY_SOFT_DELETE",
	reservedExtendedFamily:     "EXTENDED_DATA", reservedChunkFamily: "CHUNK",
}

// String names the family, "" when the code is unknown.
func (f Family) String() string { return familyNames[f] }

// String names the class.
func (c Class) String() string {
	switch c {
	case VertexClass:
		return "vertex"
	case EdgeClass:
		return "edge"
	}
	return ""
}
