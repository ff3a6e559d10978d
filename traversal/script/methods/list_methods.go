package methods

import (
	"math"
	"slices"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// ElemsOf returns the elements of a collection, none of anything else.
func ElemsOf(v value.Value) []value.Value {
	elems, _ := machine.Collection(v)
	return elems
}

// changed is the list that a method changes: one that a script made, or a copy.
func changed(m *machine.Machine, v value.Value) (*machine.List, error) {
	if l, ok := machine.Foreign(v).(*machine.List); ok {
		l.Span = nil // what is changed is a range no longer
		return l, nil
	}
	c, err := m.Copied(ElemsOf(v))
	if err != nil {
		return nil, err
	}
	return c.Object().(*machine.List), nil
}

// changing makes a method of one that changes a list.
func changing(call func(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error)) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		l, err := changed(m, self)
		if err != nil {
			return value.Null, err
		}
		return call(m, l, a)
	}
}

// listMethods are those of lists that scripts made.
func listMethods() machine.Methods {
	return machine.Methods{
		"get": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return ListGet(m, ElemsOf(self), a[0])
		}},
		"getAt": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return m.ListAt(ElemsOf(self), a[0])
		}},
		"add":      {1, 2, changing(listAdd)},
		"addAll":   {1, 2, changing(listAddAll)},
		"set":      {2, 2, changing(listSet)},
		"remove":   {1, 1, changing(listRemove)},
		"removeAt": {1, 1, changing(listRemove)},
		"pop":      {0, 0, changing(listPop)},
		"clear": {0, 0, changing(func(_ *machine.Machine, l *machine.List, _ []value.Value) (value.Value, error) {
			l.Elems = nil
			return value.Null, nil
		})},
		"sort": {0, 2, changing(listSort)},
		"toSorted": {0, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return listSort(m, &machine.List{Elems: ElemsOf(self)}, append([]value.Value{value.Bool(false)}, a...))
		}},
		"first": {0, 0, listEnd(false)},
		"head":  {0, 0, listEnd(false)},
		"last":  {0, 0, listEnd(true)},
		"take": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return cut(m, self, 0, value.AsInt64(a[0]))
		}},
		"drop": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return cut(m, self, value.AsInt64(a[0]), math.MaxInt32)
		}},
		"tail": {0, 0, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			if len(ElemsOf(self)) == 0 {
				return value.Null, machine.Fail(machine.NoSuchElement, "Cannot access tail() for an empty iterable")
			}
			return cut(m, self, 1, math.MaxInt32)
		}},
		"subList": {2, 2, listSubList},
		"isEmpty": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(len(ElemsOf(self)) == 0), nil
		}},
		"contains": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			ok, err := m.IsCase(machine.NewList(ElemsOf(self)), a[0])
			return value.Bool(ok), err
		}},
		"indexOf":     {1, 1, listIndexOf},
		"step":        {1, 1, listStep},
		"flatten":     {0, 0, listFlatten},
		"plus":        operatorMethod("+"),
		"minus":       operatorMethod("-"),
		"leftShift":   operatorMethod("<<"),
		"intersect":   operatorMethod("&"),
		"containsAll": {1, 1, listContainsAll},
	}
}

// fixed makes the methods of lists that came from a traversal.
func fixed(all machine.Methods) machine.Methods {
	out := machine.Methods{}
	for name, b := range all {
		switch name {
		case "add", "push", "addAll", "set", "remove", "removeAt", "pop", "clear", "addFirst", "addLast", "offer", "poll",
			"removeAll", "removeIf", "retainAll", "removeElement", "removeLast", "replaceAll", "swap", "shuffle":
			b.Call = func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
				return value.Null, machine.Fail(machine.Unsupported, "%s() cannot change a list inside a result", name)
			}
		}
		out[name] = b
	}
	return out
}

// ListGet is list.get(i), which has to be there.
func ListGet(m *machine.Machine, elems []value.Value, k value.Value) (value.Value, error) {
	i := value.AsInt64(k)
	if !k.Kind().IsNumber() || i < 0 || i >= int64(len(elems)) {
		return value.Null, machine.Fail(machine.IndexException, "Index %s out of bounds for length %d", m.String(k), len(elems))
	}
	return elems[i], nil
}

func listAdd(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error) {
	if err := m.Charge(machine.ValueBytes); err != nil {
		return value.Null, err
	}
	if len(a) == 1 {
		l.Elems = append(l.Elems, a[0])
		return value.Bool(true), nil
	}
	i := value.AsInt64(a[0])
	if i < 0 || i > int64(len(l.Elems)) {
		return value.Null, machine.Fail(machine.IndexException, "Index: %d, Size: %d", i, len(l.Elems))
	}
	l.Elems = append(l.Elems, value.Null)
	copy(l.Elems[i+1:], l.Elems[i:])
	l.Elems[i] = a[1]
	return value.Null, m.Step()
}

func listAddAll(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error) {
	items, err := m.Items(a[len(a)-1])
	if err == nil {
		err = m.Charge(machine.ValueBytes * len(items))
	}
	if err != nil {
		return value.Null, err
	}
	at := len(l.Elems)
	if len(a) == 2 {
		n := value.AsInt64(a[0])
		if !a[0].Kind().IsNumber() || n < 0 || n > int64(at) {
			return value.Null, machine.Fail(machine.IndexException, "Index: %s, Size: %d", m.String(a[0]), at)
		}
		at = int(n)
	}
	l.Elems = slices.Insert(l.Elems, at, items...)
	return value.Bool(len(items) > 0), nil
}

// listSet replaces an element, which has to be there, and returns it.
func listSet(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error) {
	old, err := ListGet(m, l.Elems, a[0])
	if err == nil {
		l.Elems[value.AsInt64(a[0])] = a[1]
	}
	return old, err
}

// listSubList is the part of a list between two places, which have to be there.
func listSubList(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	from, to := value.AsInt64(a[0]), value.AsInt64(a[1])
	switch {
	case from < 0:
		return value.Null, machine.Fail(machine.IndexException, "fromIndex = %d", from)
	case to > int64(len(ElemsOf(self))):
		return value.Null, machine.Fail(machine.IndexException, "toIndex = %d", to)
	case from > to:
		return value.Null, machine.Fail(machine.ArgumentException, "fromIndex(%d) > toIndex(%d)", from, to)
	}
	return cut(m, self, from, to)
}

// listRemove removes by index, or the first element equal to what is no number.
func listRemove(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error) {
	i := -1
	if a[0].Kind().IsNumber() {
		n := value.AsInt64(a[0])
		if n < 0 || n >= int64(len(l.Elems)) {
			return value.Null, machine.Fail(machine.IndexException, "Index %d out of bounds for length %d", n, len(l.Elems))
		}
		i = int(n)
	} else {
		for j, e := range l.Elems {
			if m.Equal(e, a[0]) {
				i = j
				break
			}
		}
		if i < 0 {
			return value.Bool(false), nil
		}
	}
	v := l.Elems[i]
	l.Elems = append(l.Elems[:i:i], l.Elems[i+1:]...)
	if !a[0].Kind().IsNumber() {
		v = value.Bool(true)
	}
	return v, m.Charge(machine.ValueBytes)
}

func listPop(_ *machine.Machine, l *machine.List, _ []value.Value) (value.Value, error) {
	if len(l.Elems) == 0 {
		return value.Null, machine.Fail(machine.NoSuchElement, "Cannot pop() an empty List")
	}
	return l.RemoveAt(0), nil
}

// listSort sorts in place, unless told not to.
func listSort(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error) {
	elems := l.Elems
	if len(a) > 0 && a[0].Kind() == value.KindBool {
		if !a[0].Bool() {
			l = &machine.List{}
		}
		a = a[1:]
	}
	c, err := m.Copied(elems)
	if err != nil {
		return value.Null, err
	}
	l.Elems = ElemsOf(c)
	return machine.Wrap(l), m.Sorted(l.Elems, func(x, y value.Value) (int, error) { return CompareBy(m, a, x, y) })
}

func listReverse(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	out, err := m.Copied(ElemsOf(self))
	if err == nil {
		slices.Reverse(ElemsOf(out))
	}
	return out, err
}

func listUnique(m *machine.Machine, l *machine.List, _ []value.Value) (value.Value, error) {
	if err := m.Charge((machine.EntryBytes + machine.ValueBytes) * len(l.Elems)); err != nil {
		return value.Null, err
	}
	seen := value.NewSet()
	var out []value.Value
	for _, e := range l.Elems {
		if err := m.Work(machine.ItemWork + machine.Extent(e)); err != nil {
			return value.Null, err
		}
		if seen.Add(m.Key(e)) {
			out = append(out, e)
		}
	}
	l.Elems = out
	return machine.Wrap(l), nil
}

func listEnd(last bool) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
		elems := ElemsOf(self)
		switch {
		case len(elems) == 0:
			return value.Null, machine.Fail(machine.NoSuchElement, "Cannot access first() or last() element from an empty List")
		case last:
			return elems[len(elems)-1], nil
		}
		return elems[0], nil
	}
}

// cut returns the elements from an index to before another, within bounds.
func cut(m *machine.Machine, self value.Value, from, to int64) (value.Value, error) {
	elems := ElemsOf(self)
	n := int64(len(elems))
	from = min(max(from, 0), n)
	to = min(max(to, from), n)
	return m.Copied(elems[from:to])
}

func listIndexOf(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	for i, e := range ElemsOf(self) {
		if m.Equal(e, a[0]) {
			return value.Int(int32(i)), nil
		}
	}
	return value.Int(-1), nil
}

func listFlatten(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	var out []value.Value
	var walk func(v value.Value, depth int) error
	walk = func(v value.Value, depth int) error {
		for _, e := range ElemsOf(v) {
			if _, ok := machine.Collection(e); ok && depth < machine.ExportDepthMax {
				if err := walk(e, depth+1); err != nil {
					return err
				}
				continue
			}
			out = append(out, e)
			if err := m.Charge(machine.ValueBytes); err != nil {
				return err
			}
		}
		return m.Step()
	}
	err := walk(self, 0)
	return machine.NewList(out), err
}

func listContainsAll(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	all := machine.NewList(ElemsOf(self))
	for _, e := range ElemsOf(a[0]) {
		if ok, err := m.IsCase(all, e); err != nil || !ok {
			return value.Bool(false), err
		}
	}
	return value.Bool(true), nil
}

func listWithIndex(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	elems := ElemsOf(self)
	if err := m.Charge(5 * machine.ValueBytes * len(elems)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(elems))
	for i, e := range elems {
		out[i] = machine.NewList([]value.Value{e, value.Int(int32(i))})
	}
	return machine.NewList(out), nil
}

// listStep takes every n-th element, as range.step(n) does.
func listStep(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	n := value.AsInt64(a[0])
	if !a[0].Kind().IsNumber() || n <= 0 {
		return value.Null, machine.Fail(machine.ArgumentException, "step() takes a positive number")
	}
	elems := ElemsOf(self)
	if err := m.Charge(machine.ValueBytes * (len(elems)/int(min(n, math.MaxInt32)) + 1)); err != nil {
		return value.Null, err
	}
	var out []value.Value
	for i := int64(0); i < int64(len(elems)); i += min(n, int64(len(elems))) {
		out = append(out, elems[i])
	}
	return machine.NewList(out), nil
}
