package methods

import (
	"math"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// Stream is a java.util.stream.Stream over values at hand: each operation runs at once.
type Stream struct{ Elems []value.Value }

// ClassName returns the name of the Java class.
func (s *Stream) ClassName() string { return "java.util.stream.ReferencePipeline" }

// Text returns the text of the object.
func (s *Stream) Text(*machine.Machine) string { return "java.util.stream.ReferencePipeline" }

// Property reads a property, false when there is none of that name.
func (s *Stream) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

// Elements returns those that are left.
func (s *Stream) Elements() []value.Value { return s.Elems }

// Keeps returns what the object holds.
func (s *Stream) Keeps() ([]value.Value, int) { return s.Elems, 0 }

// Method calls a method, false when there is none for these arguments.
func (s *Stream) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.Tables().Streams.Try(m, machine.Wrap(s), name, args)
}

// StreamOf is stream() of a collection, and toStream() of a traversal.
func StreamOf(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	items, err := m.Items(self)
	if err != nil {
		return value.Null, err
	}
	return machine.Wrap(&Stream{items}), nil
}

func streamMethods() machine.Methods {
	return machine.Methods{
		"map":         {1, 1, onElements(collect)},
		"mapToInt":    {1, 1, onElements(collect)},
		"mapToLong":   {1, 1, onElements(collect)},
		"mapToDouble": {1, 1, onElements(collect)},
		"mapToObj":    {1, 1, onElements(collect)},
		"boxed":       {0, 0, Itself},
		"parallel":    {0, 0, Itself},
		"sequential":  {0, 0, Itself},
		"filter":      {1, 1, onElements(findAll)},
		"flatMap":     {1, 1, onElements(streamFlatMap)},
		"distinct":    {0, 0, onElements(changing(listUnique))},
		"sorted":      {0, 1, onElements(changing(listSort))},
		"peek":        {1, 1, onElements(eachItem)},
		"takeWhile":   {1, 1, onElements(listWhile(true))},
		"dropWhile":   {1, 1, onElements(listWhile(false))},
		"limit": {1, 1, onElements(func(m *machine.Machine, l value.Value, a []value.Value) (value.Value, error) {
			return cut(m, l, 0, value.AsInt64(a[0]))
		})},
		"skip": {1, 1, onElements(func(m *machine.Machine, l value.Value, a []value.Value) (value.Value, error) {
			return cut(m, l, value.AsInt64(a[0]), math.MaxInt32)
		})},
		"forEach":        {1, 1, asList(eachItem)},
		"forEachOrdered": {1, 1, asList(eachItem)},
		"anyMatch":       {1, 1, asList(anyItem)},
		"allMatch":       {1, 1, asList(everyItem)},
		"noneMatch": {1, 1, asList(func(m *machine.Machine, l value.Value, a []value.Value) (value.Value, error) {
			v, err := anyItem(m, l, a)
			return value.Bool(!v.Bool()), err
		})},
		"count": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Long(int64(len(streamElems(self)))), nil
		}},
		"sum":       {0, 0, asList(streamSum)},
		"average":   {0, 0, asList(streamAverage)},
		"findFirst": {0, 0, asList(optionalEnd)},
		"findAny":   {0, 0, asList(optionalEnd)},
		"min":       {0, 1, asList(optionalOf(least(-1)))},
		"max":       {0, 1, asList(optionalOf(least(1)))},
		"reduce":    {1, 2, asList(streamReduce)},
		"collect":   {1, 1, asList(streamCollect)},
		"toList":    {0, 0, asList(Itself)},
		"toArray":   {0, 1, asList(Itself)},
		"toSet":     {0, 0, asList(func(m *machine.Machine, l value.Value, _ []value.Value) (value.Value, error) { return m.SetOf(l) })},
		"iterator": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return machine.Wrap(&machine.Iterator{Rest: streamElems(self)}), nil
		}},
		"close": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) { return value.Null, nil }},
	}
}

func streamElems(v value.Value) []value.Value { return machine.Foreign(v).(*Stream).Elems }

// Call is what a method does.
type Call = func(*machine.Machine, value.Value, []value.Value) (value.Value, error)

// asList runs a list's method on the elements of a stream.
func asList(fn Call) Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		return fn(m, machine.NewList(streamElems(self)), a)
	}
}

// onElements does so and returns a stream of what it returns.
func onElements(fn Call) Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		v, err := fn(m, machine.NewList(streamElems(self)), a)
		return machine.Wrap(&Stream{ElemsOf(v)}), err
	}
}

func streamFlatMap(m *machine.Machine, l value.Value, a []value.Value) (value.Value, error) {
	var out []value.Value
	for _, e := range ElemsOf(l) {
		v, err := apply(m, a[0], e)
		if err != nil {
			return v, err
		}
		items, err := m.Items(v)
		if err == nil {
			err = m.Charge(machine.ValueBytes * len(items))
		}
		if err != nil {
			return v, err
		}
		out = append(out, items...)
	}
	return machine.NewList(out), nil
}

func streamSum(m *machine.Machine, l value.Value, _ []value.Value) (value.Value, error) {
	if len(ElemsOf(l)) == 0 {
		return value.Int(0), nil
	}
	return sum(m, l, nil)
}

func streamAverage(m *machine.Machine, l value.Value, _ []value.Value) (value.Value, error) {
	if len(ElemsOf(l)) == 0 {
		return machine.Wrap(&Optional{}), nil
	}
	v, err := listAverage(m, l, nil)
	return machine.Wrap(&Optional{value.Widened(v, value.KindDouble), true}), err
}

func optionalEnd(_ *machine.Machine, l value.Value, _ []value.Value) (value.Value, error) {
	elems := ElemsOf(l)
	if len(elems) == 0 {
		return machine.Wrap(&Optional{}), nil
	}
	return machine.Wrap(&Optional{elems[0], true}), nil
}

func optionalOf(fn Call) Call {
	return func(m *machine.Machine, l value.Value, a []value.Value) (value.Value, error) {
		v, err := fn(m, l, a)
		return machine.Wrap(&Optional{v, len(ElemsOf(l)) > 0}), err
	}
}

func streamReduce(m *machine.Machine, l value.Value, a []value.Value) (value.Value, error) {
	v, err := inject(m, l, a)
	if len(a) == 1 {
		v = machine.Wrap(&Optional{v, len(ElemsOf(l)) > 0})
	}
	return v, err
}

// Collector is what java.util.stream.Collectors makes.
type Collector struct {
	Name string
	Args []value.Value
}

// ClassName returns the name of the Java class.
func (c *Collector) ClassName() string { return "java.util.stream.Collectors$CollectorImpl" }

// Text returns the text of the object.
func (c *Collector) Text(*machine.Machine) string { return c.ClassName() }

// Property reads a property, false when there is none of that name.
func (c *Collector) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

// Keeps returns what the object holds.
func (c *Collector) Keeps() ([]value.Value, int) { return c.Args, 0 }

// Method calls a method, false when there is none for these arguments.
func (c *Collector) Method(*machine.Machine, string, []value.Value) (value.Value, bool, error) {
	return value.Null, false, nil
}

func collectorMethods() machine.Methods {
	out := machine.Methods{}
	for name, most := range map[string]int{"toList": 0, "toSet": 0, "counting": 0, "joining": 3, "groupingBy": 2, "toMap": 2, "mapping": 2} {
		out["Collectors."+name] = machine.Method{0, most, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return machine.Wrap(&Collector{name, a}), nil
		}}
	}
	return out
}

func streamCollect(m *machine.Machine, l value.Value, a []value.Value) (value.Value, error) {
	c, ok := machine.Foreign(a[0]).(*Collector)
	if !ok {
		return value.Null, m.NoMethod(l, "collect", a)
	}
	return c.collect(m, l)
}

func (c *Collector) collect(m *machine.Machine, l value.Value) (value.Value, error) {
	n := len(c.Args)
	switch {
	case c.Name == "toList":
		return l, nil
	case c.Name == "toSet":
		return m.SetOf(l)
	case c.Name == "counting":
		return value.Long(int64(len(ElemsOf(l)))), nil
	case c.Name == "joining":
		return c.join(m, l)
	case c.Name == "groupingBy" && n > 0:
		return c.group(m, l)
	case c.Name == "mapping" && n == 2:
		v, err := collect(m, l, c.Args[:1])
		if err != nil {
			return v, err
		}
		return streamCollect(m, v, c.Args[1:])
	case c.Name == "toMap" && n == 2:
		return c.toMap(m, l)
	}
	return value.Null, m.NoMethod(machine.Wrap(c), c.Name, c.Args)
}

func (c *Collector) join(m *machine.Machine, l value.Value) (value.Value, error) {
	v, err := Join(m, l, c.Args[:min(len(c.Args), 1)])
	if err != nil || len(c.Args) < 3 {
		return v, err
	}
	before, after := m.String(c.Args[1]), m.String(c.Args[2])
	if err := m.NewText(len(before) + len(v.Str()) + len(after)); err != nil {
		return value.Null, err
	}
	return value.String(before + v.Str() + after), nil
}

func (c *Collector) group(m *machine.Machine, l value.Value) (value.Value, error) {
	groups, err := groupBy(m, l, c.Args[:1])
	if err != nil || len(c.Args) == 1 {
		return groups, err
	}
	of := groups.Map()
	for i := range of.Len() {
		k, v := of.Entry(i)
		if v, err = streamCollect(m, v, c.Args[1:]); err != nil {
			return v, err
		}
		of.Put(k, v)
	}
	return groups, nil
}

func (c *Collector) toMap(m *machine.Machine, l value.Value) (value.Value, error) {
	out := value.NewMap()
	for _, e := range ElemsOf(l) {
		k, err := apply(m, c.Args[0], e)
		if err != nil {
			return k, err
		}
		v, err := apply(m, c.Args[1], e)
		if err == nil {
			err = m.Charge(machine.EntryBytes)
		}
		if err != nil {
			return v, err
		}
		out.Put(m.Key(k), v)
	}
	return out.Value(), m.Surface()
}
