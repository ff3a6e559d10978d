package methods

import (
	"math"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// iterableMethods are Groovy's on everything with elements. Closures of two parameters
// get key and value of a map's entry.
func iterableMethods() machine.Methods {
	return machine.Methods{
		"each":           {1, 1, eachItem},
		"forEach":        {1, 1, eachItem},
		"eachWithIndex":  {1, 1, eachWithIndex},
		"collect":        {0, 1, collect},
		"collectMany":    {1, 1, collectMany},
		"findAll":        {0, 1, findAll},
		"find":           {0, 1, find},
		"grep":           {0, 1, findAll},
		"split":          {1, 1, parted},
		"findResult":     {1, 1, findResult},
		"findResults":    {1, 1, findResults},
		"any":            {0, 1, anyItem},
		"every":          {0, 1, everyItem},
		"count":          {0, 1, CountItems},
		"inject":         {1, 2, inject},
		"sum":            {0, 1, sum},
		"min":            {0, 1, least(-1)},
		"max":            {0, 1, least(1)},
		"join":           {0, 1, Join},
		"groupBy":        {1, 1, groupBy},
		"countBy":        {1, 1, countBy},
		"collectEntries": {0, 1, collectEntries},
		"toList": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.ToList(self)
		}},
		"toSet": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) { return m.SetOf(self) }},
		"size":  {0, 0, sizeOf},
		"iterator": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			items, err := m.Items(self)
			return machine.Wrap(&machine.Iterator{Rest: items}), err
		}},
	}
}

// apply calls a closure with an element; an entry becomes two arguments for a closure
// of two parameters.
func apply(m *machine.Machine, fn, item value.Value) (value.Value, error) {
	args := []value.Value{item}
	if e := item.MapEntry(); e != nil {
		if c, ok := machine.Foreign(fn).(*machine.Closure); ok && len(c.Function.Params) == 2 {
			args = []value.Value{e.Key, e.Value}
		}
	}
	return m.Invoke(fn, "call", args)
}

// test is the truth of apply, or of the element itself without a closure.
func test(m *machine.Machine, args []value.Value, item value.Value) (bool, error) {
	if len(args) == 0 {
		return m.Truth(item), nil
	}
	if !machine.IsCallable(args[0]) {
		return m.IsCase(args[0], item)
	}
	v, err := apply(m, args[0], item)
	return m.Truth(v), err
}

func eachItem(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	return self, m.Each(self, func(item value.Value) (bool, error) {
		_, err := apply(m, a[0], item)
		return true, err
	})
}

func eachWithIndex(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	i := int32(0)
	return self, m.Each(self, func(item value.Value) (bool, error) {
		_, err := m.Invoke(a[0], "call", []value.Value{item, value.Int(i)})
		i++
		return true, err
	})
}

func collect(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	var out []value.Value
	err := m.Each(self, func(item value.Value) (bool, error) {
		v, err := item, error(nil)
		if len(a) == 1 {
			v, err = apply(m, a[0], item)
		}
		out = append(out, v)
		if err == nil {
			err = m.Charge(machine.ValueBytes)
		}
		return true, err
	})
	return machine.NewList(out), err
}

func collectMany(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	var out []value.Value
	err := m.Each(self, func(item value.Value) (bool, error) {
		v, err := apply(m, a[0], item)
		if err != nil {
			return false, err
		}
		items, err := m.Items(v)
		if err == nil {
			err = m.Charge(machine.ValueBytes * len(items))
		}
		if err == nil {
			out = append(out, items...)
		}
		return true, err
	})
	return machine.NewList(out), err
}

// findAll keeps the kind: a map gives a map, a set a set.
func findAll(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	var out []value.Value
	err := m.Each(self, func(item value.Value) (bool, error) {
		ok, err := test(m, a, item)
		if ok {
			out = append(out, item)
		}
		if err == nil {
			err = m.Charge(machine.ValueBytes)
		}
		return true, err
	})
	switch self.Kind() {
	case value.KindMap:
		if err == nil {
			err = m.Charge(machine.EntryBytes * len(out))
		}
		if err != nil {
			return value.Null, err
		}
		kept := value.NewMap()
		for _, e := range out {
			if err := m.Work(machine.ItemWork); err != nil {
				return value.Null, err
			}
			kept.Put(e.MapEntry().Key, e.MapEntry().Value)
		}
		return kept.Value(), nil
	case value.KindSet:
		if err != nil {
			return value.Null, err
		}
		return m.NewSet(out)
	}
	return machine.NewList(out), err
}

func find(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	found := value.Null
	err := m.Each(self, func(item value.Value) (bool, error) {
		ok, err := test(m, a, item)
		if ok {
			found = item
		}
		return !ok, err
	})
	return found, err
}

func anyItem(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	return quantified(m, self, a, true)
}

func everyItem(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	return quantified(m, self, a, false)
}

// quantified looks for an element whose test is stop.
func quantified(m *machine.Machine, self value.Value, a []value.Value, stop bool) (value.Value, error) {
	result := !stop
	err := m.Each(self, func(item value.Value) (bool, error) {
		ok, err := test(m, a, item)
		if ok == stop {
			result = stop
		}
		return ok != stop, err
	})
	return value.Bool(result), err
}

// CountItems is count(), of all elements or of those that are equal or pass a closure.
func CountItems(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	n := int32(0)
	err := m.Each(self, func(item value.Value) (bool, error) {
		ok, err := true, error(nil)
		if len(a) == 1 {
			if _, isClosure := machine.Foreign(a[0]).(*machine.Closure); isClosure {
				ok, err = test(m, a, item)
			} else {
				ok = m.Equal(a[0], item)
			}
		}
		if ok {
			n++
		}
		return true, err
	})
	return value.Int(n), err
}

// inject folds from a start value, or from the first element.
func inject(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	fn, sum, first := a[len(a)-1], value.Null, len(a) == 1
	if !first {
		sum = a[0]
	}
	err := m.Each(self, func(item value.Value) (bool, error) {
		if first {
			sum, first = item, false
			return true, nil
		}
		args := []value.Value{sum, item}
		if e := item.MapEntry(); e != nil {
			if c, ok := machine.Foreign(fn).(*machine.Closure); ok && len(c.Function.Params) == 3 {
				args = []value.Value{sum, e.Key, e.Value}
			}
		}
		var err error
		sum, err = m.Invoke(fn, "call", args)
		return true, err
	})
	return sum, err
}

// callable reports whether a value is a closure, of whatever make.
func callable(v value.Value) bool {
	switch machine.Foreign(v).(type) {
	case *machine.Closure, *machine.Callable:
		return true
	}
	return false
}

// sum adds items, what a closure makes of them, or to a first value.
func sum(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	total, first := value.Null, true
	mapped := len(a) == 1 && callable(a[0])
	if len(a) == 1 && !mapped {
		total, first = a[0], false
	}
	err := m.Each(self, func(item value.Value) (bool, error) {
		var err error
		if mapped {
			if item, err = apply(m, a[0], item); err != nil {
				return false, err
			}
		}
		if first {
			total, first = item, false
			return true, nil
		}
		total, err = m.Binary("+", total, item)
		return true, err
	})
	return total, err
}

// least is min and max, by a closure of one parameter or a comparing one of two.
func least(sign int) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		best, first := value.Null, true
		err := m.Each(self, func(item value.Value) (bool, error) {
			if first {
				best, first = item, false
				return true, nil
			}
			c, err := CompareBy(m, a, item, best)
			if c*sign > 0 {
				best = item
			}
			return true, err
		})
		return best, err
	}
}

// Join is join(): the texts of the elements with another between them.
func Join(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	separator := ""
	if len(a) == 1 {
		separator = m.String(a[0])
	}
	var b strings.Builder
	n := 0
	err := m.Each(self, func(item value.Value) (bool, error) {
		s := m.String(item)
		if n > 0 {
			s = separator + s
		}
		n++
		if b.Len()+len(s) > machine.TextMax {
			return false, m.NewText(b.Len() + len(s))
		}
		if err := m.Charge(len(s)); err != nil {
			return false, err
		}
		b.WriteString(s)
		return true, nil
	})
	return value.String(b.String()), err
}

func groupBy(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	groups := value.NewMap()
	err := m.Each(self, func(item value.Value) (bool, error) {
		k, err := apply(m, a[0], item)
		if err != nil {
			return false, err
		}
		k = m.Key(k)
		g, ok := groups.Get(k)
		if !ok {
			g = machine.NewList(nil)
			groups.Put(k, g)
		}
		l := machine.Foreign(g).(*machine.List)
		l.Elems = append(l.Elems, item)
		return true, m.Charge(2*machine.ValueBytes + machine.EntryBytes)
	})
	return groups.Value(), err
}

func countBy(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	counts := value.NewMap()
	err := m.Each(self, func(item value.Value) (bool, error) {
		k, err := apply(m, a[0], item)
		if err != nil {
			return false, err
		}
		k = m.Key(k)
		n, _ := counts.Get(k)
		counts.Put(k, value.Int(int32(n.Int64())+1))
		return true, m.Charge(machine.EntryBytes)
	})
	return counts.Value(), err
}

// collectEntries makes a map of [key, value] lists, maps or entries.
func collectEntries(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	out := value.NewMap()
	err := m.Each(self, func(item value.Value) (bool, error) {
		v, err := item, error(nil)
		if len(a) == 1 {
			if v, err = apply(m, a[0], item); err != nil {
				return false, err
			}
		}
		switch pair, ok := machine.ListElems(v); {
		case ok && len(pair) == 2:
			out.Put(m.Key(pair[0]), pair[1])
		case v.MapEntry() != nil:
			out.Put(v.MapEntry().Key, v.MapEntry().Value)
		case v.Kind() == value.KindMap:
			if err := m.PutAll(out, v.Map()); err != nil {
				return false, err
			}
		default:
			return false, machine.Fail(machine.ArgumentException, "collectEntries() needs pairs of key and value")
		}
		return true, m.Charge(machine.EntryBytes)
	})
	return out.Value(), err
}

func sizeOf(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	switch self.Kind() {
	case value.KindMap:
		return value.Int(int32(self.Map().Len())), nil
	case value.KindBulkSet:
		return value.Int(int32(min(self.BulkSet().Size(), math.MaxInt32))), nil
	}
	items, err := m.Items(self)
	return value.Int(int32(len(items))), err
}

// CompareBy compares as sort, min and max are told to.
func CompareBy(m *machine.Machine, a []value.Value, x, y value.Value) (int, error) {
	if len(a) == 0 {
		return m.Compare(x, y)
	}
	if c, ok := machine.Foreign(a[0]).(*machine.Closure); ok && len(c.Function.Params) == 2 {
		v, err := c.Run(m, []value.Value{x, y})
		if err != nil || !v.Kind().IsNumber() {
			return 0, err
		}
		return int(min(max(value.AsInt64(v), -1), 1)), nil
	}
	if c, ok := machine.Foreign(a[0]).(*machine.Callable); ok && c.Name == ComparatorName {
		v, err := c.Call(m, []value.Value{x, y})
		return int(value.AsInt64(v)), err
	}
	p, err := apply(m, a[0], x)
	if err != nil {
		return 0, err
	}
	q, err := apply(m, a[0], y)
	if err != nil {
		return 0, err
	}
	return m.Compare(p, q)
}
