package script

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// graphMethods are those of a graph beside its traversals and transactions.
func graphMethods() methods {
	return methods{
		"variables": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return wrap(&variables{graphOf(self)}), nil
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

func graphOf(self value.Value) Global { return foreign(self).(*graphObject).g }

// runSteps drains steps on a graph and returns their results.
func (m *machine) runSteps(g Global, steps ...traversal.Instruction) ([]value.Value, error) {
	return m.runSource(g, nil, steps...)
}

// runSource is runSteps behind instructions of the source.
func (m *machine) runSource(g Global, source []traversal.Instruction, steps ...traversal.Instruction) ([]value.Value, error) {
	t := &Traversal{Global: g, Bytecode: &traversal.Bytecode{Source: source, Steps: steps}}
	return m.items(wrap(t))
}

func step(name string, args ...value.Value) traversal.Instruction {
	return traversal.Instruction{Name: name, Args: args}
}

// graphClear removes the elements, the variables and the indexes.
func graphClear(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	g := graphOf(self)
	if _, err := m.runSteps(g, step("V"), step("drop")); err != nil {
		return value.Null, err
	}
	for _, class := range []string{"vertex", "edge"} {
		keys, err := m.indexedKeys(g, value.String(class))
		if err != nil {
			return value.Null, err
		}
		for _, key := range keys {
			if err := m.index(g, "gremlind.index.dropKey", value.String(class), key); err != nil {
				return value.Null, err
			}
		}
	}
	all, err := m.variables(g)
	if err != nil {
		return value.Null, err
	}
	for _, key := range all.Keys() {
		if _, err := setVariable(m, wrap(&variables{g}), []value.Value{key}); err != nil {
			return value.Null, err
		}
	}
	return value.Null, nil
}

// elementClass is "vertex" or "edge" for the class that an argument is.
func elementClass(m *machine, v value.Value) (value.Value, error) {
	name := v.Str()
	if c, ok := foreign(v).(class); ok {
		name = c.simple()
	} else if v.Kind() != value.KindClass {
		name = ""
	}
	switch simpleName(name) {
	case "Vertex", "Edge":
		return value.String(strings.ToLower(simpleName(name))), nil
	}
	return v, fail(argumentException, "Class is not indexable: %s", m.shown(v))
}

// graphIndex calls a service that takes a class and a key.
func graphIndex(service string) func(*machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		class, err := elementClass(m, a[1])
		switch {
		case err != nil:
			return value.Null, err
		case a[0].IsNull():
			return value.Null, fail(argumentException, "The key for the index cannot be null")
		case a[0].Kind() != value.KindString || a[0].Str() == "":
			return value.Null, fail(argumentException, "The key for the index cannot be an empty string")
		}
		return value.Null, m.index(graphOf(self), service, class, a[0])
	}
}

func (m *machine) index(g Global, service string, class, key value.Value) error {
	params := value.NewMap()
	params.PutString("class", class)
	params.PutString("key", key)
	_, err := m.runSteps(g, step("call", value.String(service), params.Value()))
	return err
}

func graphIndexedKeys(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	class, err := elementClass(m, a[0])
	if err != nil {
		return value.Null, err
	}
	keys, err := m.indexedKeys(graphOf(self), class)
	if err != nil {
		return value.Null, err
	}
	return m.newSet(keys)
}

func (m *machine) indexedKeys(g Global, class value.Value) ([]value.Value, error) {
	params := value.NewMap()
	params.PutString("class", class)
	infos, err := m.runSteps(g, step("call", value.String("gremlind.index.keys"), params.Value()))
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
func graphConfiguration(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	h, err := m.graphs()
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
	return wrap(&configuration{settings}), m.charge(entryBytes * settings.Len())
}

// variables is graph.variables().
type variables struct{ g Global }

func (o *variables) className() string {
	return "org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraphVariables"
}

func (o *variables) global() Global { return o.g }

func (o *variables) text(m *machine) string {
	all, err := m.variables(o.g)
	if err != nil {
		_ = m.stop(err) // the next step returns it
		return ""
	}
	return "variables[size:" + m.string(value.Int(int32(all.Len()))) + "]"
}

func (o *variables) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (o *variables) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.tables().variables.try(m, wrap(o), name, args)
}

// variables reads all variables of a graph, which are small together.
func (m *machine) variables(g Global) (*value.Map, error) {
	h, err := m.graphs()
	if err != nil {
		return nil, err
	}
	return h.Variables(m.ctx, g)
}

func variablesMethods() methods {
	of := func(m *machine, self value.Value) (*value.Map, error) {
		all, err := m.variables(foreign(self).(*variables).g)
		if err == nil {
			err = m.charge(entryBytes * all.Len())
		}
		return all, err
	}
	return methods{
		"keys": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			all, err := of(m, self)
			if err != nil {
				return value.Null, err
			}
			return m.newSet(all.Keys())
		}},
		"asMap": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			all, err := of(m, self)
			return all.Value(), err
		}},
		"get": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			all, err := of(m, self)
			if err != nil {
				return value.Null, err
			}
			v, ok := all.Get(a[0])
			return wrap(&optional{imported(v), ok}), nil
		}},
		"set":    {2, 2, setVariable},
		"remove": {1, 1, setVariable},
	}
}

// setVariable sets a variable, or removes it without a value.
func setVariable(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	v := value.Null
	switch {
	case a[0].IsNull():
		return v, fail(argumentException, "Graph variable key can not be null")
	case a[0].Kind() != value.KindString || a[0].Str() == "":
		return v, fail(argumentException, "Graph variable key can not be the empty string")
	case len(a) == 2 && a[1].IsNull():
		return v, fail(argumentException, "Graph variable value can not be null")
	case len(a) == 2:
		var err error
		if v, err = m.checkedExport(a[1]); err != nil {
			return v, err
		}
	}
	h, err := m.graphs()
	if err != nil {
		return v, err
	}
	return value.Null, h.SetVariable(m.ctx, foreign(self).(*variables).g, a[0].Str(), v)
}
