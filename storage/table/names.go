package table

// Catalog, meta and user ids: tables whose row is a name that ends the key.
//
//	+---------+------------+------------------+
//	| graph 0 | 0x01       | graph name       |   -> number, options, format version
//	+---------+------------+------------------+
//	| graph   | 0x05       | name of a datum  |   -> sequences and the like
//	+---------+------------+------------------+
//	| graph   | 0x14, 0x15 | user-supplied id |   -> internal id 8B
//	+---------+------------+------------------+
//
// The bytes of a user id are the caller's: equal ids must have equal bytes.

// StoreGraph is the number under which the store keeps what belongs to no graph.
const StoreGraph uint32 = 0

// AppendCatalog appends the key of a graph in the catalog; an empty name gives the
// prefix of all.
func AppendCatalog(dst []byte, name string) []byte {
	return append(AppendTable(dst, StoreGraph, Catalog), name...)
}

// DecodeCatalog reads a key that AppendCatalog wrote.
func DecodeCatalog(key []byte) (name string, err error) {
	f, graph := open(key, Catalog)
	f.bad = f.bad || graph != StoreGraph
	name = string(f.tail(0))
	return name, f.end(Catalog, key)
}

// AppendMeta appends the key of a named datum of a graph, such as a sequence.
func AppendMeta(dst []byte, graph uint32, name string) []byte {
	return append(AppendTable(dst, graph, Meta), name...)
}

// FloorKey is the datum of a graph that says since when there is history: a stamp.
func FloorKey(graph uint32) []byte { return AppendMeta(nil, graph, "history") }

// LineageKey is the datum of a graph that says whose history it has: random bytes, which are
// others where history begins anew, or goes on from a copy.
func LineageKey(graph uint32) []byte { return AppendMeta(nil, graph, "history lineage") }

// LineageSize is the length of a lineage.
const LineageSize = 8

// DecodeMeta reads a key that AppendMeta wrote.
func DecodeMeta(key []byte) (graph uint32, name string, err error) {
	f, graph := open(key, Meta)
	name = string(f.tail(0))
	return graph, name, f.end(Meta, key)
}

func idCode(c Class) Code {
	if c == EdgeClass {
		return EdgeIDs
	}
	return VertexIDs
}

// AppendUserID appends the key that maps a user-supplied id to the internal one; an
// empty id gives the prefix of all.
func AppendUserID(dst []byte, graph uint32, class Class, id []byte) []byte {
	return append(AppendTable(dst, graph, idCode(class)), id...)
}

// DecodeUserID reads a key that AppendUserID wrote. The id aliases key.
func DecodeUserID(key []byte) (graph uint32, class Class, id []byte, err error) {
	class = VertexClass
	if _, c, _ := Head(key); c == EdgeIDs {
		class = EdgeClass
	}
	f, graph := open(key, idCode(class))
	id = f.tail(0)
	return graph, class, id, f.end(idCode(class), key)
}
