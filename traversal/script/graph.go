package script

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// graphObject is a graph: what scripts do with it runs as traversals.
type graphObject struct{ g Global }

func (o *graphObject) className() string { return "org.apache.tinkerpop.gremlin.structure.Graph" }

func (o *graphObject) global() Global { return o.g }

func (o *graphObject) whole(m *machine) (value.Value, error) { return m.whole(o.g) }

func (o *graphObject) text(m *machine) string { return m.graphText(o.g) }

// graphText is the text of a graph: its size, or its name where nobody may count.
func (m *machine) graphText(g Global) string {
	if m.s.host != nil {
		if s, err := m.s.host.Describe(m.ctx, g); err == nil {
			return s
		}
	}
	return "graph[" + g.Name + "]"
}

func (o *graphObject) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (o *graphObject) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	if v, ok, err := m.tables().graphs.try(m, wrap(o), name, args); ok || err != nil {
		return v, ok, err
	}
	switch name {
	case "traversal":
		if len(args) == 0 {
			return wrap(&traversalSource{g: o.g}), true, nil
		}
	case "tx":
		if len(args) == 0 {
			return wrap(&transaction{o.g}), true, nil
		}
	case "vertices", "edges":
		step := map[string]string{"vertices": "V", "edges": "E"}[name]
		t := &Traversal{Global: o.g, Bytecode: &traversal.Bytecode{}}
		return wrap(t), true, t.add(m, step, args)
	case "addVertex":
		v, err := o.addVertex(m, args)
		return v, true, err
	case "close":
		return value.Null, true, nil
	}
	return value.Null, false, nil
}

// addVertex is graph.addVertex(label) or graph.addVertex(key, value, ..).
func (o *graphObject) addVertex(m *machine, args []value.Value) (value.Value, error) {
	t := &Traversal{Global: o.g, Bytecode: &traversal.Bytecode{}}
	var label []value.Value
	if len(args) == 1 {
		label, args = args, nil
	}
	if len(args)%2 != 0 {
		return value.Null, fail(argumentException, "The provided key/value array length must be a multiple of two")
	}
	var pairs []value.Value
	for i := 0; i < len(args); i += 2 {
		switch k := args[i]; {
		case k.Kind() == value.KindT && k.Str() == "label":
			label = args[i+1 : i+2]
		case k.Kind() == value.KindString || k.Kind() == value.KindT:
			pairs = append(pairs, k, args[i+1])
		default:
			return value.Null, fail(argumentException, "The provided key/value array must have a String or T on even array indices")
		}
	}
	if err := t.add(m, "addV", label); err != nil {
		return value.Null, err
	}
	return t.withProperties(m, pairs)
}

// withProperties adds property(key, value) steps and runs t for its one result.
func (t *Traversal) withProperties(m *machine, pairs []value.Value) (value.Value, error) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if err := t.add(m, "property", pairs[i:i+2]); err != nil {
			return value.Null, err
		}
	}
	v, _, err := t.next(m)
	if err == nil {
		err = t.drain(m)
	}
	return v, err
}

// transaction is g.tx() or graph.tx().
type transaction struct{ g Global }

func (o *transaction) className() string { return "org.apache.tinkerpop.gremlin.structure.Transaction" }

func (o *transaction) text(*machine) string { return "transaction[" + o.g.Name + "]" }

func (o *transaction) property(m *machine, name string) (value.Value, bool) {
	if name == "open" && m.s.host != nil {
		v, err := m.s.host.Tx(m.ctx, o.g, "isOpen")
		return v, err == nil
	}
	return value.Null, false
}

func (o *transaction) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	switch name {
	case "onReadWrite", "onClose", "addTransactionListener", "removeTransactionListener", "clearTransactionListeners":
		return wrap(o), true, nil // sessions are manual and requests automatic here, always
	case "commit", "rollback", "open", "close", "isOpen", "begin", "readWrite":
	default:
		return value.Null, false, nil
	}
	if len(args) > 0 {
		return value.Null, false, nil
	}
	if m.s.host == nil {
		return value.Null, true, fail(stateException, "no graph is open")
	}
	switch name {
	case "readWrite":
		return value.Null, true, nil
	case "begin":
		_, err := m.s.host.Tx(m.ctx, o.g, name)
		return wrap(&traversalSource{g: o.g}), true, err
	}
	v, err := m.s.host.Tx(m.ctx, o.g, name)
	return v, true, err
}
