package graphs

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/host"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// Graph is a graph: what scripts do with it runs as traversals.
type Graph struct{ Global host.Global }

// ClassName returns the name of the Java class.
func (o *Graph) ClassName() string { return "org.apache.tinkerpop.gremlin.structure.Graph" }

// Belongs returns the graph or source behind the object.
func (o *Graph) Belongs() host.Global { return o.Global }

// Whole returns the graph with all that it holds.
func (o *Graph) Whole(m *machine.Machine) (value.Value, error) { return whole(m, o.Global) }

// Text returns the text of the object.
func (o *Graph) Text(m *machine.Machine) string { return graphText(m, o.Global) }

// graphText is the text of a graph: its size, or its name where nobody may count.
func graphText(m *machine.Machine, g host.Global) string {
	if m.State.Host != nil {
		if s, err := m.State.Host.Describe(m.Context, g); err == nil {
			return s
		}
	}
	return "graph[" + g.Name + "]"
}

// Property reads a property, false when there is none of that name.
func (o *Graph) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

// Method calls a method, false when there is none for these arguments.
func (o *Graph) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if v, ok, err := m.Tables().Graphs.Try(m, machine.Wrap(o), name, args); ok || err != nil {
		return v, ok, err
	}
	switch name {
	case "traversal":
		if len(args) == 0 {
			return machine.Wrap(&Source{Global: o.Global}), true, nil
		}
	case "tx":
		if len(args) == 0 {
			return machine.Wrap(&transaction{o.Global}), true, nil
		}
	case "vertices", "edges":
		step := map[string]string{"vertices": "V", "edges": "E"}[name]
		t := &Traversal{Global: o.Global, Bytecode: &traversal.Bytecode{}}
		return machine.Wrap(t), true, t.add(m, step, args)
	case "addVertex":
		v, err := o.addVertex(m, args)
		return v, true, err
	case "close":
		return value.Null, true, nil
	}
	return value.Null, false, nil
}

// addVertex is graph.addVertex(label) or graph.addVertex(key, value, ..).
func (o *Graph) addVertex(m *machine.Machine, args []value.Value) (value.Value, error) {
	t := &Traversal{Global: o.Global, Bytecode: &traversal.Bytecode{}}
	var label []value.Value
	if len(args) == 1 {
		label, args = args, nil
	}
	if len(args)%2 != 0 {
		return value.Null, machine.Fail(machine.ArgumentException, "The provided key/value array length must be a multiple of two")
	}
	var pairs []value.Value
	for i := 0; i < len(args); i += 2 {
		switch k := args[i]; {
		case k.Kind() == value.KindT && k.Str() == "label":
			label = args[i+1 : i+2]
		case k.Kind() == value.KindString || k.Kind() == value.KindT:
			pairs = append(pairs, k, args[i+1])
		default:
			return value.Null, machine.Fail(machine.ArgumentException, "The provided key/value array must have a String or T on even array indices")
		}
	}
	if err := t.add(m, "addV", label); err != nil {
		return value.Null, err
	}
	return t.withProperties(m, pairs)
}

// withProperties adds property(key, value) steps and runs t for its one result.
func (t *Traversal) withProperties(m *machine.Machine, pairs []value.Value) (value.Value, error) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if err := t.add(m, "property", pairs[i:i+2]); err != nil {
			return value.Null, err
		}
	}
	v, _, err := t.Take(m)
	if err == nil {
		err = t.drain(m)
	}
	return v, err
}

// transaction is g.tx() or graph.tx().
type transaction struct{ g host.Global }

func (o *transaction) ClassName() string { return "org.apache.tinkerpop.gremlin.structure.Transaction" }

func (o *transaction) Text(*machine.Machine) string { return "transaction[" + o.g.Name + "]" }

func (o *transaction) Property(m *machine.Machine, name string) (value.Value, bool) {
	if name == "open" && m.State.Host != nil {
		v, err := m.State.Host.Tx(m.Context, o.g, "isOpen")
		return v, err == nil
	}
	return value.Null, false
}

// Members returns the names of what may be called on it.
func (o *transaction) Members(*machine.Machine) []string {
	return []string{"commit", "rollback", "open", "close", "isOpen", "begin", "readWrite"}
}

func (o *transaction) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch name {
	case "onReadWrite", "onClose", "addTransactionListener", "removeTransactionListener", "clearTransactionListeners":
		return machine.Wrap(o), true, nil // sessions are manual and requests automatic here, always
	case "commit", "rollback", "open", "close", "isOpen", "begin", "readWrite":
	default:
		return value.Null, false, nil
	}
	if len(args) > 0 {
		return value.Null, false, nil
	}
	if m.State.Host == nil {
		return value.Null, true, machine.Fail(machine.StateException, "no graph is open")
	}
	switch name {
	case "readWrite":
		return value.Null, true, nil
	case "begin":
		_, err := m.State.Host.Tx(m.Context, o.g, name)
		return machine.Wrap(&Source{Global: o.g}), true, err
	}
	v, err := m.State.Host.Tx(m.Context, o.g, name)
	return v, true, err
}
