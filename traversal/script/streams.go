package script

import (
	"math"

	"github.com/gremlind/gremlind/storage/value"
)

// stream is a java.util.stream.Stream over values at hand: each operation runs at once.
type stream struct{ elems []value.Value }

func (s *stream) className() string { return "java.util.stream.ReferencePipeline" }

func (s *stream) text(*machine) string { return "java.util.stream.ReferencePipeline" }

func (s *stream) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (s *stream) elements() []value.Value { return s.elems }

func (s *stream) keeps() ([]value.Value, int) { return s.elems, 0 }

func (s *stream) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.tables().streams.try(m, wrap(s), name, args)
}

// streamOf is stream() of a collection, and toStream() of a traversal.
func streamOf(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	items, err := m.items(self)
	if err != nil {
		return value.Null, err
	}
	return wrap(&stream{items}), nil
}

func streamMethods() methods {
	return methods{
		"map":         {1, 1, onElements(collect)},
		"mapToInt":    {1, 1, onElements(collect)},
		"mapToLong":   {1, 1, onElements(collect)},
		"mapToDouble": {1, 1, onElements(collect)},
		"mapToObj":    {1, 1, onElements(collect)},
		"boxed":       {0, 0, itself},
		"parallel":    {0, 0, itself},
		"sequential":  {0, 0, itself},
		"filter":      {1, 1, onElements(findAll)},
		"flatMap":     {1, 1, onElements(streamFlatMap)},
		"distinct":    {0, 0, onElements(changing(listUnique))},
		"sorted":      {0, 1, onElements(changing(listSort))},
		"peek":        {1, 1, onElements(eachItem)},
		"takeWhile":   {1, 1, onElements(listWhile(true))},
		"dropWhile":   {1, 1, onElements(listWhile(false))},
		"limit": {1, 1, onElements(func(m *machine, l value.Value, a []value.Value) (value.Value, error) {
			return m.cut(l, 0, value.AsInt64(a[0]))
		})},
		"skip": {1, 1, onElements(func(m *machine, l value.Value, a []value.Value) (value.Value, error) {
			return m.cut(l, value.AsInt64(a[0]), math.MaxInt32)
		})},
		"forEach":        {1, 1, asList(eachItem)},
		"forEachOrdered": {1, 1, asList(eachItem)},
		"anyMatch":       {1, 1, asList(anyItem)},
		"allMatch":       {1, 1, asList(everyItem)},
		"noneMatch": {1, 1, asList(func(m *machine, l value.Value, a []value.Value) (value.Value, error) {
			v, err := anyItem(m, l, a)
			return value.Bool(!v.Bool()), err
		})},
		"count": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
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
		"toList":    {0, 0, asList(itself)},
		"toArray":   {0, 1, asList(itself)},
		"toSet":     {0, 0, asList(func(m *machine, l value.Value, _ []value.Value) (value.Value, error) { return m.setOf(l) })},
		"iterator": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return wrap(&iterator{streamElems(self)}), nil
		}},
		"close": {0, 0, func(*machine, value.Value, []value.Value) (value.Value, error) { return value.Null, nil }},
	}
}

func streamElems(v value.Value) []value.Value { return foreign(v).(*stream).elems }

type call = func(*machine, value.Value, []value.Value) (value.Value, error)

// asList runs a list's method on the elements of a stream.
func asList(fn call) call {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		return fn(m, newList(streamElems(self)), a)
	}
}

// onElements does so and returns a stream of what it returns.
func onElements(fn call) call {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		v, err := fn(m, newList(streamElems(self)), a)
		return wrap(&stream{elemsOf(v)}), err
	}
}

func streamFlatMap(m *machine, l value.Value, a []value.Value) (value.Value, error) {
	var out []value.Value
	for _, e := range elemsOf(l) {
		v, err := m.apply(a[0], e)
		if err != nil {
			return v, err
		}
		items, err := m.items(v)
		if err == nil {
			err = m.charge(valueBytes * len(items))
		}
		if err != nil {
			return v, err
		}
		out = append(out, items...)
	}
	return newList(out), nil
}

func streamSum(m *machine, l value.Value, _ []value.Value) (value.Value, error) {
	if len(elemsOf(l)) == 0 {
		return value.Int(0), nil
	}
	return sum(m, l, nil)
}

func streamAverage(m *machine, l value.Value, _ []value.Value) (value.Value, error) {
	if len(elemsOf(l)) == 0 {
		return wrap(&optional{}), nil
	}
	v, err := listAverage(m, l, nil)
	return wrap(&optional{value.Widened(v, value.KindDouble), true}), err
}

func optionalEnd(_ *machine, l value.Value, _ []value.Value) (value.Value, error) {
	elems := elemsOf(l)
	if len(elems) == 0 {
		return wrap(&optional{}), nil
	}
	return wrap(&optional{elems[0], true}), nil
}

func optionalOf(fn call) call {
	return func(m *machine, l value.Value, a []value.Value) (value.Value, error) {
		v, err := fn(m, l, a)
		return wrap(&optional{v, len(elemsOf(l)) > 0}), err
	}
}

func streamReduce(m *machine, l value.Value, a []value.Value) (value.Value, error) {
	v, err := inject(m, l, a)
	if len(a) == 1 {
		v = wrap(&optional{v, len(elemsOf(l)) > 0})
	}
	return v, err
}

// collector is what java.util.stream.Collectors makes.
type collector struct {
	name string
	args []value.Value
}

func (c *collector) className() string { return "java.util.stream.Collectors$CollectorImpl" }

func (c *collector) text(*machine) string { return c.className() }

func (c *collector) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (c *collector) keeps() ([]value.Value, int) { return c.args, 0 }

func (c *collector) method(*machine, string, []value.Value) (value.Value, bool, error) {
	return value.Null, false, nil
}

func collectorMethods() methods {
	out := methods{}
	for name, most := range map[string]int{"toList": 0, "toSet": 0, "counting": 0, "joining": 3, "groupingBy": 2, "toMap": 2, "mapping": 2} {
		out["Collectors."+name] = method{0, most, func(_ *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return wrap(&collector{name, a}), nil
		}}
	}
	return out
}

func streamCollect(m *machine, l value.Value, a []value.Value) (value.Value, error) {
	c, ok := foreign(a[0]).(*collector)
	if !ok {
		return value.Null, m.noMethod(l, "collect", a)
	}
	return c.collect(m, l)
}

func (c *collector) collect(m *machine, l value.Value) (value.Value, error) {
	n := len(c.args)
	switch {
	case c.name == "toList":
		return l, nil
	case c.name == "toSet":
		return m.setOf(l)
	case c.name == "counting":
		return value.Long(int64(len(elemsOf(l)))), nil
	case c.name == "joining":
		return c.join(m, l)
	case c.name == "groupingBy" && n > 0:
		return c.group(m, l)
	case c.name == "mapping" && n == 2:
		v, err := collect(m, l, c.args[:1])
		if err != nil {
			return v, err
		}
		return streamCollect(m, v, c.args[1:])
	case c.name == "toMap" && n == 2:
		return c.toMap(m, l)
	}
	return value.Null, m.noMethod(wrap(c), c.name, c.args)
}

func (c *collector) join(m *machine, l value.Value) (value.Value, error) {
	v, err := join(m, l, c.args[:min(len(c.args), 1)])
	if err != nil || len(c.args) < 3 {
		return v, err
	}
	before, after := m.string(c.args[1]), m.string(c.args[2])
	if err := m.newText(len(before) + len(v.Str()) + len(after)); err != nil {
		return value.Null, err
	}
	return value.String(before + v.Str() + after), nil
}

func (c *collector) group(m *machine, l value.Value) (value.Value, error) {
	groups, err := groupBy(m, l, c.args[:1])
	if err != nil || len(c.args) == 1 {
		return groups, err
	}
	of := groups.Map()
	for i := range of.Len() {
		k, v := of.Entry(i)
		if v, err = streamCollect(m, v, c.args[1:]); err != nil {
			return v, err
		}
		of.Put(k, v)
	}
	return groups, nil
}

func (c *collector) toMap(m *machine, l value.Value) (value.Value, error) {
	out := value.NewMap()
	for _, e := range elemsOf(l) {
		k, err := m.apply(c.args[0], e)
		if err != nil {
			return k, err
		}
		v, err := m.apply(c.args[1], e)
		if err == nil {
			err = m.charge(entryBytes)
		}
		if err != nil {
			return v, err
		}
		out.Put(m.key(k), v)
	}
	return out.Value(), m.surface()
}
