package machine

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// Graphs is what the host has of them, or an error.
func (m *Machine) Graphs() (host.Graphs, error) {
	if h, ok := m.State.Host.(host.Graphs); ok {
		return h, nil
	}
	return nil, Fail(Unsupported, "graphs of their own, variables and features are not there for scripts here")
}

// Home returns the graph that an element, or the one of a property, was copied from.
func Home(v value.Value) (host.Global, bool) {
	g, ok := copiedFrom(v).(host.Global)
	return g, ok
}

// GraphOf is Home, also of copies that came through a filter, and of all others Here.
func (m *Machine) GraphOf(v value.Value) (host.Global, bool) {
	switch g := copiedFrom(v).(type) {
	case host.Global:
		return g, true
	case host.Hidden:
		return g.Global, true
	}
	return m.Here()
}

func copiedFrom(v value.Value) any {
	for range 2 {
		if p := v.VertexProperty(); p != nil {
			v = p.Vertex
		} else if p := v.Property(); p != nil {
			v = p.Element
		}
	}
	if e := v.Detached(); e != nil {
		return e.Home
	}
	return nil
}

// Reader returns what reads an element, and the element as it wants it.
func (m *Machine) Reader(v value.Value) (value.Value, host.Elements, error) {
	if g, ok := Home(v); ok {
		h, err := m.Graphs()
		if err != nil {
			return v, nil, err
		}
		return h.Attach(m.Context, g, v)
	}
	e, err := m.Elements()
	return v, e, err
}

// Outward is what a closure sees of a value of its traversal.
func (m *Machine) Outward(v value.Value) (value.Value, error) {
	if h, ok := m.State.Host.(host.Graphs); ok {
		return h.Outward(v)
	}
	return v, nil
}

// inward is what its traversal takes of a value of a closure.
func (m *Machine) inward(v value.Value) value.Value {
	if h, ok := m.State.Host.(host.Graphs); ok {
		return h.Inward(v)
	}
	return v
}

// Here is the graph that elements are of which are no copies.
func (m *Machine) Here() (host.Global, bool) {
	if m.State.Host == nil {
		return host.Global{}, false
	}
	return m.State.Host.Here()
}

// StepsText lists the steps of a traversal over g, of one that was started those that it
// runs. Without a g it is a child.
func (m *Machine) StepsText(g host.Global, of *traversal.Bytecode, started bool) string {
	b, at, here := *of, g, true
	child := g == host.Global{}
	if child {
		at, here = m.Here()
		b.Steps = append([]traversal.Instruction{{Name: "inject"}}, b.Steps...)
	}
	if here {
		if steps, err := m.State.Host.Steps(m.Context, at, &b, started); err == nil {
			if child {
				steps = steps[1:]
			}
			return "[" + strings.Join(steps, ", ") + "]"
		}
	}
	return lang.PrintFrom(g.Name, of) // of what does not compile
}
