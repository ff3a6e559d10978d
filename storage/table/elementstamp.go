package table

// Stamps of elements: the commits that added one and that changed it last, which the committer
// fills in (storage.Tx.SetStamped), so that two who change different properties of an element do
// not conflict.
//
//	+-------+------------+------------+-------+------+
//	| graph | 0x10, 0x11 | element 8B | STAMP | 0x00 |    -> stamp 8B of the commit that added it
//	+-------+------------+------------+-------+------+
//	| graph | 0x10, 0x11 | element 8B | STAMP | 0x01 |    -> stamp 8B of the last one that changed it
//	+-------+------------+------------+-------+------+
//
// An element that was not changed since it was added has the first alone, and one from before
// its graph kept stamps none.

// StampKind is what a stamp of an element says.
type StampKind byte

// The kinds of stamps. Do not renumber: on disk.
const (
	StampAdded   StampKind = 0x00
	StampChanged StampKind = 0x01
)

// String names the kind as people read it.
func (k StampKind) String() string {
	if k == StampAdded {
		return "added"
	}
	return "changed"
}

// ElementStamp is the key of one stamp.
type ElementStamp struct {
	Graph   uint32
	Class   Class
	Element uint64
	Kind    StampKind
}

// AppendElementStamp appends the key of a stamp.
func AppendElementStamp(dst []byte, s ElementStamp) []byte {
	return append(appendElementRow(dst, s.Graph, rowsOf(s.Class), s.Element), byte(StampCell), byte(s.Kind))
}

// DecodeElementStamp reads a key that AppendElementStamp wrote.
func DecodeElementStamp(key []byte) (ElementStamp, error) {
	s := ElementStamp{Class: classOf(key)}
	f, graph := open(key, rowsOf(s.Class))
	s.Graph = graph
	s.Element = f.u64()
	f.family(StampCell)
	s.Kind = StampKind(f.u8())
	f.bad = f.bad || s.Kind > StampChanged
	return s, f.end(rowsOf(s.Class), key)
}

// classOf is the class of the element whose row a key is in.
func classOf(key []byte) Class {
	if _, code, _ := Head(key); code == Edges {
		return EdgeClass
	}
	return VertexClass
}

// StampsKey is the datum of a graph that says since when it keeps stamps: a stamp, which stands
// for those of the elements from before.
func StampsKey(graph uint32) []byte { return AppendMeta(nil, graph, "stamps") }
