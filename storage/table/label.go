package table

import "encoding/binary"

// Labels: the elements of one label are one range, in the order of insertion.
//
//	+-------+------------+----------+------------+
//	| graph | 0x18, 0x19 | label 4B | element 8B |    -> nothing
//	+-------+------------+----------+------------+

// Label is the key that makes an element findable by its label.
type Label struct {
	Graph   uint32
	Class   Class
	Label   uint32
	Element uint64
}

func labelCode(c Class) Code {
	if c == EdgeClass {
		return EdgeLabels
	}
	return VertexLabels
}

// AppendLabelElements appends the prefix of all elements of one label.
func AppendLabelElements(dst []byte, graph uint32, class Class, label uint32) []byte {
	return binary.BigEndian.AppendUint32(AppendTable(dst, graph, labelCode(class)), label)
}

// AppendLabel appends the key of one element under its label.
func AppendLabel(dst []byte, l Label) []byte {
	return binary.BigEndian.AppendUint64(AppendLabelElements(dst, l.Graph, l.Class, l.Label), l.Element)
}

// DecodeLabel reads a key that AppendLabel wrote, of either class.
func DecodeLabel(key []byte) (Label, error) {
	l := Label{Class: VertexClass}
	if _, c, _ := Head(key); c == EdgeLabels {
		l.Class = EdgeClass
	}
	f, graph := open(key, labelCode(l.Class))
	l.Graph = graph
	l.Label = f.u32()
	l.Element = f.u64()
	return l, f.end(labelCode(l.Class), key)
}
