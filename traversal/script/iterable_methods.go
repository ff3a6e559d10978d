package script

import (
	"math"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// iterableMethods are Groovy's on everything with elements. Closures of two parameters
// get key and value of a map's entry.
func iterableMethods() methods {
	return methods{
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
		"count":          {0, 1, countItems},
		"inject":         {1, 2, inject},
		"sum":            {0, 1, sum},
		"min":            {0, 1, least(-1)},
		"max":            {0, 1, least(1)},
		"join":           {0, 1, join},
		"groupBy":        {1, 1, groupBy},
		"countBy":        {1, 1, countBy},
		"collectEntries": {0, 1, collectEntries},
		"toList":         {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) { return m.toList(self) }},
		"toSet":          {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) { return m.setOf(self) }},
		"size":           {0, 0, sizeOf},
		"iterator": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			items, err := m.items(self)
			return wrap(&iterator{items}), err
		}},
	}
}

// apply calls a closure with an element; an entry becomes two arguments for a closure
// of two parameters.
func (m *machine) apply(fn, item value.Value) (value.Value, error) {
	args := []value.Value{item}
	if e := item.MapEntry(); e != nil {
		if c, ok := foreign(fn).(*closure); ok && len(c.fn.params) == 2 {
			args = []value.Value{e.Key, e.Value}
		}
	}
	return m.invoke(fn, "call", args)
}

// test is the truth of apply, or of the element itself without a closure.
func (m *machine) test(args []value.Value, item value.Value) (bool, error) {
	if len(args) == 0 {
		return m.truth(item), nil
	}
	if !isCallable(args[0]) {
		return m.isCase(args[0], item)
	}
	v, err := m.apply(args[0], item)
	return m.truth(v), err
}

func eachItem(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	return self, m.each(self, func(item value.Value) (bool, error) {
		_, err := m.apply(a[0], item)
		return true, err
	})
}

func eachWithIndex(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	i := int32(0)
	return self, m.each(self, func(item value.Value) (bool, error) {
		_, err := m.invoke(a[0], "call", []value.Value{item, value.Int(i)})
		i++
		return true, err
	})
}

func collect(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	var out []value.Value
	err := m.each(self, func(item value.Value) (bool, error) {
		v, err := item, error(nil)
		if len(a) == 1 {
			v, err = m.apply(a[0], item)
		}
		out = append(out, v)
		if err == nil {
			err = m.charge(valueBytes)
		}
		return true, err
	})
	return newList(out), err
}

func collectMany(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	var out []value.Value
	err := m.each(self, func(item value.Value) (bool, error) {
		v, err := m.apply(a[0], item)
		if err != nil {
			return false, err
		}
		items, err := m.items(v)
		if err == nil {
			err = m.charge(valueBytes * len(items))
		}
		if err == nil {
			out = append(out, items...)
		}
		return true, err
	})
	return newList(out), err
}

// findAll keeps the kind: a map gives a map, a set a set.
func findAll(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	var out []value.Value
	err := m.each(self, func(item value.Value) (bool, error) {
		ok, err := m.test(a, item)
		if ok {
			out = append(out, item)
		}
		if err == nil {
			err = m.charge(valueBytes)
		}
		return true, err
	})
	switch self.Kind() {
	case value.KindMap:
		if err == nil {
			err = m.charge(entryBytes * len(out))
		}
		if err != nil {
			return value.Null, err
		}
		kept := value.NewMap()
		for _, e := range out {
			if err := m.Work(itemWork); err != nil {
				return value.Null, err
			}
			kept.Put(e.MapEntry().Key, e.MapEntry().Value)
		}
		return kept.Value(), nil
	case value.KindSet:
		if err != nil {
			return value.Null, err
		}
		return m.newSet(out)
	}
	return newList(out), err
}

func find(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	found := value.Null
	err := m.each(self, func(item value.Value) (bool, error) {
		ok, err := m.test(a, item)
		if ok {
			found = item
		}
		return !ok, err
	})
	return found, err
}

func anyItem(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	return m.quantified(self, a, true)
}

func everyItem(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	return m.quantified(self, a, false)
}

// quantified looks for an element whose test is stop.
func (m *machine) quantified(self value.Value, a []value.Value, stop bool) (value.Value, error) {
	result := !stop
	err := m.each(self, func(item value.Value) (bool, error) {
		ok, err := m.test(a, item)
		if ok == stop {
			result = stop
		}
		return ok != stop, err
	})
	return value.Bool(result), err
}

func countItems(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	n := int32(0)
	err := m.each(self, func(item value.Value) (bool, error) {
		ok, err := true, error(nil)
		if len(a) == 1 {
			if _, isClosure := foreign(a[0]).(*closure); isClosure {
				ok, err = m.test(a, item)
			} else {
				ok = m.equal(a[0], item)
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
func inject(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	fn, sum, first := a[len(a)-1], value.Null, len(a) == 1
	if !first {
		sum = a[0]
	}
	err := m.each(self, func(item value.Value) (bool, error) {
		if first {
			sum, first = item, false
			return true, nil
		}
		args := []value.Value{sum, item}
		if e := item.MapEntry(); e != nil {
			if c, ok := foreign(fn).(*closure); ok && len(c.fn.params) == 3 {
				args = []value.Value{sum, e.Key, e.Value}
			}
		}
		var err error
		sum, err = m.invoke(fn, "call", args)
		return true, err
	})
	return sum, err
}

func sum(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	total, first := value.Null, true
	err := m.each(self, func(item value.Value) (bool, error) {
		var err error
		if len(a) == 1 {
			if item, err = m.apply(a[0], item); err != nil {
				return false, err
			}
		}
		if first {
			total, first = item, false
			return true, nil
		}
		total, err = m.binary("+", total, item)
		return true, err
	})
	return total, err
}

// least is min and max, by a closure of one parameter or a comparing one of two.
func least(sign int) func(*machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		best, first := value.Null, true
		err := m.each(self, func(item value.Value) (bool, error) {
			if first {
				best, first = item, false
				return true, nil
			}
			c, err := m.compareBy(a, item, best)
			if c*sign > 0 {
				best = item
			}
			return true, err
		})
		return best, err
	}
}

func join(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	separator := ""
	if len(a) == 1 {
		separator = m.string(a[0])
	}
	var b strings.Builder
	n := 0
	err := m.each(self, func(item value.Value) (bool, error) {
		s := m.string(item)
		if n > 0 {
			s = separator + s
		}
		n++
		if b.Len()+len(s) > textMax {
			return false, m.newText(b.Len() + len(s))
		}
		if err := m.charge(len(s)); err != nil {
			return false, err
		}
		b.WriteString(s)
		return true, nil
	})
	return value.String(b.String()), err
}

func groupBy(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	groups := value.NewMap()
	err := m.each(self, func(item value.Value) (bool, error) {
		k, err := m.apply(a[0], item)
		if err != nil {
			return false, err
		}
		k = m.key(k)
		g, ok := groups.Get(k)
		if !ok {
			g = newList(nil)
			groups.Put(k, g)
		}
		l := foreign(g).(*list)
		l.elems = append(l.elems, item)
		return true, m.charge(2*valueBytes + entryBytes)
	})
	return groups.Value(), err
}

func countBy(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	counts := value.NewMap()
	err := m.each(self, func(item value.Value) (bool, error) {
		k, err := m.apply(a[0], item)
		if err != nil {
			return false, err
		}
		k = m.key(k)
		n, _ := counts.Get(k)
		counts.Put(k, value.Int(int32(n.Int64())+1))
		return true, m.charge(entryBytes)
	})
	return counts.Value(), err
}

// collectEntries makes a map of [key, value] lists, maps or entries.
func collectEntries(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	out := value.NewMap()
	err := m.each(self, func(item value.Value) (bool, error) {
		v, err := item, error(nil)
		if len(a) == 1 {
			if v, err = m.apply(a[0], item); err != nil {
				return false, err
			}
		}
		switch pair, ok := listElems(v); {
		case ok && len(pair) == 2:
			out.Put(m.key(pair[0]), pair[1])
		case v.MapEntry() != nil:
			out.Put(v.MapEntry().Key, v.MapEntry().Value)
		case v.Kind() == value.KindMap:
			if err := m.putAll(out, v.Map()); err != nil {
				return false, err
			}
		default:
			return false, fail(argumentException, "collectEntries() needs pairs of key and value")
		}
		return true, m.charge(entryBytes)
	})
	return out.Value(), err
}

func sizeOf(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	switch self.Kind() {
	case value.KindMap:
		return value.Int(int32(self.Map().Len())), nil
	case value.KindBulkSet:
		return value.Int(int32(min(self.BulkSet().Size(), math.MaxInt32))), nil
	}
	items, err := m.items(self)
	return value.Int(int32(len(items))), err
}

// compareBy compares as sort, min and max are told to.
func (m *machine) compareBy(a []value.Value, x, y value.Value) (int, error) {
	if len(a) == 0 {
		return m.compare(x, y)
	}
	if c, ok := foreign(a[0]).(*closure); ok && len(c.fn.params) == 2 {
		v, err := c.call(m, []value.Value{x, y})
		if err != nil || !v.Kind().IsNumber() {
			return 0, err
		}
		return int(min(max(value.AsInt64(v), -1), 1)), nil
	}
	if c, ok := foreign(a[0]).(*callable); ok && c.name == comparatorName {
		v, err := c.fn(m, []value.Value{x, y})
		return int(value.AsInt64(v)), err
	}
	p, err := m.apply(a[0], x)
	if err != nil {
		return 0, err
	}
	q, err := m.apply(a[0], y)
	if err != nil {
		return 0, err
	}
	return m.compare(p, q)
}
