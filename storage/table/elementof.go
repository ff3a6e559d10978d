package table

// Owner is the element that a cell is about.
type Owner struct {
	Class   Class
	Element uint64
	// Index is the number of the index that has the cell, which alone knows the class of the
	// element; 0 for none.
	Index uint32
	// Exists is set for the cell that makes the element exist.
	Exists bool
}

// OwnerOf returns the element of a cell that history keeps, as its key tells it: an adjacency
// cell is about its edge. Of user ids and of entries of unique indexes the value tells, and ok is
// false, as it is for what is no such cell.
func OwnerOf(key []byte) (o Owner, ok bool) {
	_, c, _ := Head(key)
	var err error
	switch c {
	case Vertices:
		return vertexOwner(key)
	case Edges:
		id, family, ok := EdgeCell(key)
		return Owner{Class: EdgeClass, Element: id, Exists: family == Exists}, ok
	case VertexLabels, EdgeLabels:
		var l Label
		l, err = DecodeLabel(key)
		o = Owner{Class: l.Class, Element: l.Element}
	case VertexKeyIndex, EdgeKeyIndex:
		var e KeyIndex
		e, err = DecodeKeyIndex(key)
		o = Owner{Class: e.Class, Element: e.Element}
	case NamedIndex:
		var e NamedEntry
		e, err = DecodeNamedEntry(key)
		o = Owner{Element: e.Element, Index: e.Index}
	case EdgeIndex:
		var e EdgeEntry
		e, err = DecodeEdgeEntry(key)
		o = Owner{Class: EdgeClass, Element: e.Edge}
	case TextIndex:
		var e TextEntry
		e, err = DecodeTextEntry(key)
		o = Owner{Element: e.Element, Index: e.Index}
	case GeoIndex:
		var e GeoEntry
		e, err = DecodeGeoEntry(key)
		o = Owner{Element: e.Element, Index: e.Index}
	default:
		return Owner{}, false
	}
	return o, err == nil
}

func vertexOwner(key []byte) (Owner, bool) {
	id, family, ok := VertexCell(key)
	if family == OutEdge || family == InEdge {
		a, err := DecodeAdjacency(key)
		return Owner{Class: EdgeClass, Element: a.Edge}, err == nil
	}
	return Owner{Class: VertexClass, Element: id, Exists: family == Exists}, ok
}
