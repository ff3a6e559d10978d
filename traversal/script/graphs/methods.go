package graphs

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/host"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
)

// graphMethods are those of a graph beside its traversals and transactions.
func graphMethods() machine.Methods {
	return machine.Methods{
		"variables": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return machine.Wrap(&variables{graphOf(self)}), nil
		}},
		"features":       {0, 0, graphFeatures},
		"compute":        {0, 1, graphCompute},
		"createIndex":    {2, 2, graphIndex("gremlind.index.createKey")},
		"dropIndex":      {2, 2, graphIndex("gremlind.index.dropKey")},
		"getIndexedKeys": {1, 1, graphIndexedKeys},
		"configuration":  {0, 0, graphConfiguration},
		"clear":          {0, 0, graphClear},
	}
}

func graphOf(self value.Value) host.Global { return machine.Foreign(self).(*Graph).Global }

// runSteps drains steps on a graph and returns their results.
func runSteps(m *machine.Machine, g host.Global, steps ...traversal.Instruction) ([]value.Value, error) {
	return runSource(m, g, nil, steps...)
}

// runSource is runSteps behind instructions of the source.
func runSource(m *machine.Machine, g host.Global, source []traversal.Instruction, steps ...traversal.Instruction) ([]value.Value, error) {
	t := &Traversal{Global: g, Bytecode: &traversal.Bytecode{Source: source, Steps: steps}}
	return m.Items(machine.Wrap(t))
}

func step(name string, args ...value.Value) traversal.Instruction {
	return traversal.Instruction{Name: name, Args: args}
}

// graphClear removes the elements, the variables and the indexes.
func graphClear(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	g := graphOf(self)
	if _, err := runSteps(m, g, step("V"), step("drop")); err != nil {
		return value.Null, err
	}
	for _, class := range []string{"vertex", "edge"} {
		keys, err := indexedKeys(m, g, value.String(class))
		if err != nil {
			return value.Null, err
		}
		for _, key := range keys {
			if err := index(m, g, "gremlind.index.dropKey", value.String(class), key); err != nil {
				return value.Null, err
			}
		}
	}
	all, err := variablesOf(m, g)
	if err != nil {
		return value.Null, err
	}
	for _, key := range all.Keys() {
		if _, err := setVariable(m, machine.Wrap(&variables{g}), []value.Value{key}); err != nil {
			return value.Null, err
		}
	}
	return value.Null, nil
}

// elementClass is "vertex" or "edge" for the class that an argument is.
func elementClass(m *machine.Machine, v value.Value) (value.Value, error) {
	name := v.Str()
	if c, ok := machine.Foreign(v).(machine.Class); ok {
		name = c.Simple()
	} else if v.Kind() != value.KindClass {
		name = ""
	}
	switch machine.SimpleName(name) {
	case "Vertex", "Edge":
		return value.String(strings.ToLower(machine.SimpleName(name))), nil
	}
	return v, machine.Fail(machine.ArgumentException, "Class is not indexable: %s", m.Shown(v))
}

// graphIndex calls a service that takes a class and a key.
func graphIndex(service string) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		class, err := elementClass(m, a[1])
		switch {
		case err != nil:
			return value.Null, err
		case a[0].IsNull():
			return value.Null, machine.Fail(machine.ArgumentException, "The key for the index cannot be null")
		case a[0].Kind() != value.KindString || a[0].Str() == "":
			return value.Null, machine.Fail(machine.ArgumentException, "The key for the index cannot be an empty string")
		}
		return value.Null, index(m, graphOf(self), service, class, a[0])
	}
}

func index(m *machine.Machine, g host.Global, service string, class, key value.Value) error {
	params := value.NewMap()
	params.PutString("class", class)
	params.PutString("key", key)
	_, err := runSteps(m, g, step("call", value.String(service), params.Value()))
	return err
}

func graphIndexedKeys(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	class, err := elementClass(m, a[0])
	if err != nil {
		return value.Null, err
	}
	keys, err := indexedKeys(m, graphOf(self), class)
	if err != nil {
		return value.Null, err
	}
	return m.NewSet(keys)
}

func indexedKeys(m *machine.Machine, g host.Global, class value.Value) ([]value.Value, error) {
	params := value.NewMap()
	params.PutString("class", class)
	infos, err := runSteps(m, g, step("call", value.String("gremlind.index.keys"), params.Value()))
	if err != nil {
		return nil, err
	}
	var keys []value.Value
	for _, i := range infos {
		if state, _ := i.Map().GetString("state"); state.Str() != "DROPPING" {
			key, _ := i.Map().GetString("key")
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// graphConfiguration is a copy of the settings that the graph was opened with.
func graphConfiguration(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	h, err := m.Graphs()
	if err != nil {
		return value.Null, err
	}
	o, err := h.Options(graphOf(self))
	if err != nil {
		return value.Null, err
	}
	settings := value.NewMap()
	settings.PutString("gremlin.graph", value.String("org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph"))
	for _, s := range [][2]string{
		{"vertexIdManager", string(o.VertexIDs)}, {"edgeIdManager", string(o.EdgeIDs)}, {"vertexPropertyIdManager", string(o.VertexPropertyIDs)},
		{"defaultVertexPropertyCardinality", o.DefaultCardinality},
	} {
		settings.PutString(settingPrefix+s[0], value.String(s[1]))
	}
	settings.PutString(settingPrefix+"allowNullPropertyValues", value.Bool(o.AllowNull))
	return machine.Wrap(&Configuration{settings}), m.Charge(machine.EntryBytes * settings.Len())
}

// variables is graph.variables().
type variables struct{ g host.Global }

func (o *variables) ClassName() string {
	return "org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraphVariables"
}

func (o *variables) Belongs() host.Global { return o.g }

func (o *variables) Text(m *machine.Machine) string {
	all, err := variablesOf(m, o.g)
	if err != nil {
		_ = m.Stop(err) // the next step returns it
		return ""
	}
	return "variables[size:" + m.String(value.Int(int32(all.Len()))) + "]"
}

func (o *variables) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

func (o *variables) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.Tables().Variables.Try(m, machine.Wrap(o), name, args)
}

// variablesOf reads all variables of a graph, which are small together.
func variablesOf(m *machine.Machine, g host.Global) (*value.Map, error) {
	h, err := m.Graphs()
	if err != nil {
		return nil, err
	}
	return h.Variables(m.Context, g)
}

func variablesMethods() machine.Methods {
	of := func(m *machine.Machine, self value.Value) (*value.Map, error) {
		all, err := variablesOf(m, machine.Foreign(self).(*variables).g)
		if err == nil {
			err = m.Charge(machine.EntryBytes * all.Len())
		}
		return all, err
	}
	return machine.Methods{
		"keys": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			all, err := of(m, self)
			if err != nil {
				return value.Null, err
			}
			return m.NewSet(all.Keys())
		}},
		"asMap": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			all, err := of(m, self)
			return all.Value(), err
		}},
		"get": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			all, err := of(m, self)
			if err != nil {
				return value.Null, err
			}
			v, ok := all.Get(a[0])
			return machine.Wrap(&methods.Optional{Value: machine.Imported(v), Present: ok}), nil
		}},
		"set":    {2, 2, setVariable},
		"remove": {1, 1, setVariable},
	}
}

// setVariable sets a variable, or removes it without a value.
func setVariable(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	v := value.Null
	switch {
	case a[0].IsNull():
		return v, machine.Fail(machine.ArgumentException, "Graph variable key can not be null")
	case a[0].Kind() != value.KindString || a[0].Str() == "":
		return v, machine.Fail(machine.ArgumentException, "Graph variable key can not be the empty string")
	case len(a) == 2 && a[1].IsNull():
		return v, machine.Fail(machine.ArgumentException, "Graph variable value can not be null")
	case len(a) == 2:
		var err error
		if v, err = m.CheckedExport(a[1]); err != nil {
			return v, err
		}
	}
	h, err := m.Graphs()
	if err != nil {
		return v, err
	}
	return value.Null, h.SetVariable(m.Context, machine.Foreign(self).(*variables).g, a[0].Str(), v)
}
