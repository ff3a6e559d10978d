package graphs

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// What elements do beyond reading themselves is a traversal over their graph.

// elementGraph is element.graph().
func elementGraph(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	g, ok := m.GraphOf(self)
	if !ok {
		return value.Null, machine.Fail(machine.StateException, "no graph is open")
	}
	return machine.Wrap(&Graph{Global: g}), nil
}

// from begins a traversal at an element.
func from(m *machine.Machine, v value.Value) (*Traversal, error) {
	g, ok := m.GraphOf(v)
	if !ok {
		return nil, machine.Fail(machine.StateException, "no graph is open")
	}
	t := &Traversal{Global: g, Bytecode: &traversal.Bytecode{}}
	switch v.Kind() {
	case value.KindVertex:
		return t, t.add(m, "V", []value.Value{v})
	case value.KindEdge:
		return t, t.add(m, "E", []value.Value{v})
	}
	return nil, m.NoMethodName(v, "element")
}

// elementHop is v.edges(OUT, "knows") and its like: the step for a vertex and the one
// for an edge, "" for none.
func elementHop(ofVertex, ofEdge string) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		step := ofVertex
		if self.Kind() == value.KindEdge {
			step = ofEdge
		}
		if step == "" || !self.Kind().IsElement() || self.Kind() == value.KindVertexProperty {
			return value.Null, m.NoMethod(self, "edges", a)
		}
		t, err := from(m, self)
		if err != nil {
			return value.Null, err
		}
		return machine.Wrap(t), t.add(m, step, a)
	}
}

func elementRemove(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	t, err := standingOn(m, self)
	if err == nil {
		err = t.add(m, "drop", nil)
	}
	if err != nil {
		return value.Null, err
	}
	return value.Null, t.drain(m)
}

// standingOn begins a traversal that ends at an element or at a property.
func standingOn(m *machine.Machine, v value.Value) (*Traversal, error) {
	of, key, id := v, "", value.Null
	if p := v.VertexProperty(); p != nil {
		of, key, id = p.Vertex, p.Key, p.ID
	} else if p := v.Property(); p != nil {
		of, key = p.Element, p.Key
	} else {
		return from(m, v)
	}
	t, err := standingOn(m, of)
	if err == nil {
		err = t.add(m, "properties", []value.Value{value.String(key)})
	}
	if err == nil && !id.IsNull() {
		err = t.add(m, "hasId", []value.Value{id})
	}
	return t, err
}

// vertexAddEdge is v.addEdge(label, w, key, value, ..).
func vertexAddEdge(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if self.Kind() != value.KindVertex || a[1].Kind() != value.KindVertex || len(a)%2 != 0 {
		return value.Null, m.NoMethod(self, "addEdge", a)
	}
	t, err := from(m, self)
	if err != nil {
		return value.Null, err
	}
	to, err := Anonymous(m, "V", a[1:2])
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
func setElementProperty(m *machine.Machine, self value.Value, a []value.Value) error {
	t, err := standingOn(m, self)
	if err == nil {
		err = t.add(m, "property", a)
	}
	if err != nil {
		return err
	}
	return t.drain(m)
}
