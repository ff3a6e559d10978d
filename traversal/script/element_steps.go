package script

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// What elements do beyond reading themselves is a traversal over the graph that they were
// copied from, else over the one that the script used last, or g's.

// graphOf returns the graph of an element, of its property or of that one's; none is a
// zero Global.
func (m *machine) graphOf(v value.Value) Global {
	if g, ok := home(v); ok {
		return g
	}
	g, _ := m.here()
	return g
}

// elementGraph is element.graph().
func elementGraph(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	if g := m.graphOf(self); g != (Global{}) {
		return wrap(&graphObject{g: g}), nil
	}
	return value.Null, fail(stateException, "no graph is open")
}

// from begins a traversal at an element.
func (m *machine) from(v value.Value) (*Traversal, error) {
	g := m.graphOf(v)
	if g == (Global{}) {
		return nil, fail(stateException, "no graph is open")
	}
	t := &Traversal{Global: g, Bytecode: &traversal.Bytecode{}}
	switch v.Kind() {
	case value.KindVertex:
		return t, t.add(m, "V", []value.Value{v})
	case value.KindEdge:
		return t, t.add(m, "E", []value.Value{v})
	}
	return nil, m.noMethodName(v, "element")
}

// elementHop is v.edges(OUT, "knows") and its like: the step for a vertex and the one
// for an edge, "" for none.
func elementHop(ofVertex, ofEdge string) func(*machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		step := ofVertex
		if self.Kind() == value.KindEdge {
			step = ofEdge
		}
		if step == "" || !self.Kind().IsElement() || self.Kind() == value.KindVertexProperty {
			return value.Null, m.noMethod(self, "edges", a)
		}
		t, err := m.from(self)
		if err != nil {
			return value.Null, err
		}
		return wrap(t), t.add(m, step, a)
	}
}

func elementRemove(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	t, err := m.standingOn(self)
	if err == nil {
		err = t.add(m, "drop", nil)
	}
	if err != nil {
		return value.Null, err
	}
	return value.Null, t.drain(m)
}

// standingOn begins a traversal that ends at an element or at a property.
func (m *machine) standingOn(v value.Value) (*Traversal, error) {
	of, key, id := v, "", value.Null
	if p := v.VertexProperty(); p != nil {
		of, key, id = p.Vertex, p.Key, p.ID
	} else if p := v.Property(); p != nil {
		of, key = p.Element, p.Key
	} else {
		return m.from(v)
	}
	t, err := m.standingOn(of)
	if err == nil {
		err = t.add(m, "properties", []value.Value{value.String(key)})
	}
	if err == nil && !id.IsNull() {
		err = t.add(m, "hasId", []value.Value{id})
	}
	return t, err
}

// vertexAddEdge is v.addEdge(label, w, key, value, ..).
func vertexAddEdge(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	if self.Kind() != value.KindVertex || a[1].Kind() != value.KindVertex || len(a)%2 != 0 {
		return value.Null, m.noMethod(self, "addEdge", a)
	}
	t, err := m.from(self)
	if err != nil {
		return value.Null, err
	}
	to, err := m.anonymous("V", a[1:2])
	if err == nil {
		err = t.add(m, "addE", a[:1])
	}
	if err == nil {
		err = t.add(m, "to", []value.Value{to})
	}
	if err != nil {
		return value.Null, err
	}
	return t.withProperties(m, a[2:])
}

// setElementProperty is property([cardinality,] key, value, ..).
func (m *machine) setElementProperty(self value.Value, a []value.Value) error {
	t, err := m.standingOn(self)
	if err == nil {
		err = t.add(m, "property", a)
	}
	if err != nil {
		return err
	}
	return t.drain(m)
}
