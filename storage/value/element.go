package value

import "unsafe"

// Element is a detached copy of a vertex or an edge: what arrives over the wire as
// an argument, what a subgraph holds, and what is left of an element after its
// removal.
type Element struct {
	ID    Value
	Label string
	// Out and In are the endpoints of an edge, Null for a vertex.
	Out, In Value
	// Properties holds KindVertexProperty values for a vertex, KindProperty for an
	// edge. Nil means not known (a reference), empty means none.
	Properties []Value
	// Home says, to whoever made the copy, which graph it is of. It may be nil.
	Home any
}

// RenewProperties makes e, which is a vertex, hold n properties that the caller sets:
// the memory of those that it held, as far as it goes.
func (e *Element) RenewProperties(n int) {
	held := e.Properties
	if n > cap(held) {
		e.Properties = make([]Value, n)
		copy(e.Properties, held)
	}
	if e.Properties = e.Properties[:n]; e.Properties == nil {
		e.Properties = []Value{} // none is not unknown
	}
	var more []VertexProperty // one allocation for all
	for i := range e.Properties {
		if e.Properties[i].kind == KindVertexProperty {
			continue
		}
		if more == nil {
			more = make([]VertexProperty, n-i)
		}
		e.Properties[i], more = OfVertexProperty(&more[0]), more[1:]
	}
}

// Forget clears e and keeps the memory of at most max properties of a vertex.
func (e *Element) Forget(max int) {
	held := e.Properties
	if *e = (Element{}); cap(held) > max {
		return
	}
	for _, p := range held[:cap(held)] {
		if p.kind == KindVertexProperty {
			*p.VertexProperty() = VertexProperty{}
		}
	}
	e.Properties = held
}

// DetachedVertex wraps a copy of a vertex.
func DetachedVertex(e *Element) Value { return Value{kind: KindVertex, ptr: unsafe.Pointer(e)} }

// DetachedEdge wraps a copy of an edge.
func DetachedEdge(e *Element) Value { return Value{kind: KindEdge, ptr: unsafe.Pointer(e)} }

// Detached returns the copy that v holds, nil when v refers to a stored element or
// is none.
func (v Value) Detached() *Element {
	if v.kind != KindVertex && v.kind != KindEdge {
		return nil
	}
	return (*Element)(v.ptr)
}

// VertexProperty is one property of a vertex, with its own properties.
type VertexProperty struct {
	ID     Value
	Vertex Value
	Key    string
	Value  Value
	// Meta holds the properties of the property, in insertion order.
	Meta []Property
	// Ordinal is the insertion ordinal that addresses the stored cell; 0 when detached.
	Ordinal uint64
}

// Property is a property of an edge or of a vertex property.
type Property struct {
	Element Value
	Key     string
	Value   Value
}

// Bulked is a traverser as drivers see it: a value and how often it stands for itself.
type Bulked struct {
	Bulk  int64
	Value Value
}

// Path is the history of a traverser: objects with the labels of their steps.
type Path struct {
	Labels  [][]string
	Objects []Value
}

// MapEntry is a java.util.Map.Entry.
type MapEntry struct{ Key, Value Value }

// Tree is what tree() builds: keys in insertion order, each with a subtree.
type Tree struct {
	Keys     []Value
	Children []*Tree
}

// Subgraph is what subgraph() builds.
type Subgraph struct {
	Vertices []Value
	Edges    []Value
}
