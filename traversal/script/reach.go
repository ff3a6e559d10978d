package script

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// graphs is what the host has of them, or an error.
func (m *machine) graphs() (Graphs, error) {
	if h, ok := m.s.host.(Graphs); ok {
		return h, nil
	}
	return nil, fail(unsupported, "graphs of their own, variables and features are not there for scripts here")
}

// home returns the graph that an element, or the one of a property, was copied from.
func home(v value.Value) (Global, bool) {
	for range 2 {
		if p := v.VertexProperty(); p != nil {
			v = p.Vertex
		} else if p := v.Property(); p != nil {
			v = p.Element
		}
	}
	e := v.Detached()
	if e == nil {
		return Global{}, false
	}
	g, ok := e.Home.(Global)
	return g, ok
}

// reader returns what reads an element, and the element as it wants it.
func (m *machine) reader(v value.Value) (value.Value, Elements, error) {
	if g, ok := home(v); ok {
		h, err := m.graphs()
		if err != nil {
			return v, nil, err
		}
		return h.Attach(m.ctx, g, v)
	}
	e, err := m.elements()
	return v, e, err
}

// outward is what a closure sees of a value of its traversal.
func (m *machine) outward(v value.Value) (value.Value, error) {
	if h, ok := m.s.host.(Graphs); ok {
		return h.Outward(v)
	}
	return v, nil
}

// inward is what its traversal takes of a value of a closure.
func (m *machine) inward(v value.Value) value.Value {
	if h, ok := m.s.host.(Graphs); ok {
		return h.Inward(v)
	}
	return v
}

// here is where the last traversal ran, or g.
func (m *machine) here() (Global, bool) {
	if m.s.last != (Global{}) || m.s.host == nil {
		return m.s.last, m.s.last != Global{}
	}
	return m.s.host.Lookup("g")
}

// stepsText lists the steps of a traversal over g, of one that was started those that it
// runs. Without a g it is a child.
func (m *machine) stepsText(g Global, of *traversal.Bytecode, started bool) string {
	b, at, here := *of, g, true
	child := g == Global{}
	if child {
		at, here = m.here()
		b.Steps = append([]traversal.Instruction{{Name: "inject"}}, b.Steps...)
	}
	if here {
		if steps, err := m.s.host.Steps(m.ctx, at, &b, started); err == nil {
			if child {
				steps = steps[1:]
			}
			return "[" + strings.Join(steps, ", ") + "]"
		}
	}
	return lang.PrintFrom(g.Name, of) // of what does not compile
}
