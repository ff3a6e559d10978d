package graphs

import (
	"math"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// elementMethods are those of vertices, edges, vertex properties and properties. Reads
// go to the host's Elements; hops and writes run as traversals (element_steps.go).
func elementMethods() machine.Methods {
	return machine.Methods{
		"id":         {0, 0, elementID},
		"label":      {0, 0, elementLabel},
		"key":        {0, 0, propertyKey},
		"value":      {0, 1, elementValue},
		"values":     {0, math.MaxInt, elementValues},
		"property":   {1, math.MaxInt, elementProperty},
		"properties": {0, math.MaxInt, elementProperties},
		"keys":       {0, 0, elementKeys},
		"outVertex":  {0, 0, edgeEnd(true)},
		"inVertex":   {0, 0, edgeEnd(false)},
		"element":    {0, 0, propertyElement},
		"graph":      {0, 0, elementGraph},
		"isPresent": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(true), nil
		}},
		"orElse": {1, 1, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return elementValue(m, self, nil)
		}},
		"getId":        {0, 0, elementID},
		"getLabel":     {0, 0, elementLabel},
		"getKey":       {0, 0, propertyKey},
		"getValue":     {0, 0, elementValue},
		"remove":       {0, 0, elementRemove},
		"addEdge":      {2, math.MaxInt, vertexAddEdge},
		"vertices":     {1, math.MaxInt, elementHop("to", "toV")},
		"edges":        {1, math.MaxInt, elementHop("toE", "")},
		"bothVertices": {0, 0, elementHop("", "bothV")},
	}
}

func elementID(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	e, err := m.Elements()
	if err != nil {
		return value.Null, err
	}
	return e.ID(self)
}

func elementLabel(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	e, err := m.Elements()
	if err != nil {
		return value.Null, err
	}
	s, err := e.Label(self)
	return value.String(s), err
}

func propertyKey(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	if p := self.VertexProperty(); p != nil {
		return value.String(p.Key), nil
	}
	if p := self.Property(); p != nil {
		return value.String(p.Key), nil
	}
	return value.Null, m.NoMethod(self, "key", nil)
}

// elementValue is value(key) of an element and value() of a property.
func elementValue(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if len(a) == 0 {
		if p := self.VertexProperty(); p != nil {
			return p.Value, nil
		}
		if p := self.Property(); p != nil {
			return p.Value, nil
		}
		return value.Null, m.NoMethod(self, "value", a)
	}
	self, e, err := m.Reader(self)
	if err != nil {
		return value.Null, err
	}
	key := m.String(a[0])
	v, ok, err := e.Property(self, key)
	if err == nil && !ok {
		err = machine.Fail(machine.StateException, "The property does not exist as the key has no associated value for the provided element: %s:%s", m.String(self), key)
	}
	return v, err
}

func propertiesOf(m *machine.Machine, self value.Value, a []value.Value) ([]value.Value, error) {
	self, e, err := m.Reader(self)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, k := range a {
		keys = append(keys, m.String(k))
	}
	return e.Properties(nil, self, keys)
}

func elementValues(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	ps, err := propertiesOf(m, self, a)
	out := make([]value.Value, len(ps))
	for i, p := range ps {
		if out[i], err = elementValue(m, p, nil); err != nil {
			return value.Null, err
		}
	}
	return machine.Wrap(&machine.Iterator{Rest: out}), err
}

func elementProperties(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	ps, err := propertiesOf(m, self, a)
	return machine.Wrap(&machine.Iterator{Rest: ps}), err
}

// elementProperty is the first property of a key, or one that is not present. With
// more arguments it sets the property first.
func elementProperty(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if len(a) > 1 {
		return settledProperty(m, self, a)
	}
	ps, err := propertiesOf(m, self, a)
	if err != nil || len(ps) > 0 {
		return append(ps, value.Null)[0], err
	}
	return machine.Wrap(absent{}), nil
}

// settledProperty sets a property and returns it: the last one of its key with its value.
func settledProperty(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if err := setElementProperty(m, self, a); err != nil {
		return value.Null, err
	}
	if a[0].Kind() == value.KindCardinality {
		a = a[1:]
	}
	ps, err := propertiesOf(m, self, a[:1])
	if err != nil || len(ps) == 0 {
		return machine.Wrap(absent{}), err
	}
	for i := len(ps) - 1; i >= 0; i-- {
		v, err := elementValue(m, ps[i], nil)
		if err != nil || value.Identical(v, m.Export(a[1])) {
			return ps[i], err
		}
	}
	return ps[len(ps)-1], nil
}

// absent is Property.empty().
type absent struct{}

func (absent) ClassName() string {
	return "org.apache.tinkerpop.gremlin.structure.util.empty.EmptyProperty"
}

func (absent) Text(*machine.Machine) string { return "p[empty]" }

func (absent) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

func (absent) Method(_ *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case name == "isPresent" && len(args) == 0:
		return value.Bool(false), true, nil
	case name == "orElse" && len(args) == 1:
		return args[0], true, nil
	case name == "value" || name == "key" || name == "element":
		return value.Null, true, machine.Fail(machine.StateException, "The property does not exist as it is empty")
	}
	return value.Null, false, nil
}

func elementKeys(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	ps, err := propertiesOf(m, self, nil)
	keys := value.NewSet()
	for _, p := range ps {
		k, err := propertyKey(m, p, nil)
		if err != nil {
			return value.Null, err
		}
		keys.Add(k)
	}
	return keys.Value(), err
}

func edgeEnd(out bool) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		if self.Kind() != value.KindEdge {
			return value.Null, m.NoMethod(self, map[bool]string{true: "outVertex", false: "inVertex"}[out], a)
		}
		self, e, err := m.Reader(self)
		if err != nil {
			return value.Null, err
		}
		o, i, err := e.Endpoints(self)
		if out {
			return o, err
		}
		return i, err
	}
}

func propertyElement(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	if p := self.VertexProperty(); p != nil {
		return p.Vertex, nil
	}
	if p := self.Property(); p != nil {
		return p.Element, nil
	}
	return value.Null, m.NoMethod(self, "element", nil)
}
