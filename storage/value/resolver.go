package value

import "errors"

// ErrNoElement is what a Resolver says of an element that never existed or is gone.
var ErrNoElement = errors.New("no such element")

// Resolver finds what a reference to a stored element stands for. Whoever encodes,
// prints or sorts values gets one from the graph's View.
type Resolver interface {
	// ResolveVertex returns id and label of a stored vertex and, when asked, its
	// properties. Without them Properties is nil. The answer may be made of room, if
	// that is not nil, and of the properties that room holds.
	ResolveVertex(id uint64, withProperties bool, room *Element) (*Element, error)
	// ResolveEdge does so for an edge; Out and In are detached vertices with id
	// and label.
	ResolveEdge(id uint64, withProperties bool) (*Element, error)
}

// Resolve returns the element that v holds or refers to. A nil r leaves a stored
// element with its internal id and no label.
func (v Value) Resolve(r Resolver, withProperties bool) (*Element, error) {
	return v.ResolveIn(r, withProperties, nil)
}

// ResolveIn is Resolve for who needs the element no longer than room stays as it is.
func (v Value) ResolveIn(r Resolver, withProperties bool, room *Element) (*Element, error) {
	if e := v.Detached(); e != nil {
		return e, nil
	}
	if r == nil {
		return &Element{ID: Long(int64(v.num))}, nil
	}
	if v.kind == KindEdge {
		return r.ResolveEdge(v.num, withProperties)
	}
	return r.ResolveVertex(v.num, withProperties, room)
}
