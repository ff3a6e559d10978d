package script

import (
	"math"
	"slices"

	"github.com/gremlind/gremlind/storage/value"
)

func elemsOf(v value.Value) []value.Value {
	elems, _ := collection(v)
	return elems
}

// changed is the list that a method changes: one that a script made, or a copy.
func (m *machine) changed(v value.Value) (*list, error) {
	if l, ok := foreign(v).(*list); ok {
		l.span = nil // what is changed is a range no longer
		return l, nil
	}
	c, err := m.copied(elemsOf(v))
	if err != nil {
		return nil, err
	}
	return c.Object().(*list), nil
}

// changing makes a method of one that changes a list.
func changing(call func(m *machine, l *list, a []value.Value) (value.Value, error)) func(*machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		l, err := m.changed(self)
		if err != nil {
			return value.Null, err
		}
		return call(m, l, a)
	}
}

// listMethods are those of lists that scripts made.
func listMethods() methods {
	return methods{
		"get": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return m.listGet(elemsOf(self), a[0])
		}},
		"getAt": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return m.listAt(elemsOf(self), a[0])
		}},
		"add":    {1, 2, changing(listAdd)},
		"addAll": {1, 1, changing(listAddAll)},
		"set": {2, 2, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Null, m.putAt(self, a[0], a[1])
		}},
		"remove":   {1, 1, changing(listRemove)},
		"removeAt": {1, 1, changing(listRemove)},
		"pop":      {0, 0, changing(listPop)},
		"clear": {0, 0, changing(func(_ *machine, l *list, _ []value.Value) (value.Value, error) {
			l.elems = nil
			return value.Null, nil
		})},
		"sort": {0, 2, changing(listSort)},
		"toSorted": {0, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return listSort(m, &list{elems: elemsOf(self)}, append([]value.Value{value.Bool(false)}, a...))
		}},
		"first": {0, 0, listEnd(false)},
		"head":  {0, 0, listEnd(false)},
		"last":  {0, 0, listEnd(true)},
		"take": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return m.cut(self, 0, value.AsInt64(a[0]))
		}},
		"drop": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return m.cut(self, value.AsInt64(a[0]), math.MaxInt32)
		}},
		"tail": {0, 0, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return m.cut(self, 1, math.MaxInt32)
		}},
		"subList": {2, 2, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return m.cut(self, value.AsInt64(a[0]), value.AsInt64(a[1]))
		}},
		"isEmpty": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(len(elemsOf(self)) == 0), nil
		}},
		"contains": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			ok, err := m.isCase(newList(elemsOf(self)), a[0])
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
func fixed(all methods) methods {
	out := methods{}
	for name, b := range all {
		switch name {
		case "add", "push", "addAll", "set", "remove", "removeAt", "pop", "clear", "addFirst", "addLast", "offer", "poll",
			"removeAll", "removeIf", "retainAll", "removeElement", "removeLast", "replaceAll", "swap", "shuffle":
			b.call = func(*machine, value.Value, []value.Value) (value.Value, error) {
				return value.Null, fail(unsupported, "%s() cannot change a list inside a result", name)
			}
		}
		out[name] = b
	}
	return out
}

func (m *machine) listGet(elems []value.Value, k value.Value) (value.Value, error) {
	i := value.AsInt64(k)
	if !k.Kind().IsNumber() || i < 0 || i >= int64(len(elems)) {
		return value.Null, fail(indexException, "Index %s out of bounds for length %d", m.string(k), len(elems))
	}
	return elems[i], nil
}

func listAdd(m *machine, l *list, a []value.Value) (value.Value, error) {
	if err := m.charge(valueBytes); err != nil {
		return value.Null, err
	}
	if len(a) == 1 {
		l.elems = append(l.elems, a[0])
		return value.Bool(true), nil
	}
	i := value.AsInt64(a[0])
	if i < 0 || i > int64(len(l.elems)) {
		return value.Null, fail(indexException, "Index: %d, Size: %d", i, len(l.elems))
	}
	l.elems = append(l.elems, value.Null)
	copy(l.elems[i+1:], l.elems[i:])
	l.elems[i] = a[1]
	return value.Null, m.step()
}

func listAddAll(m *machine, l *list, a []value.Value) (value.Value, error) {
	items, err := m.items(a[0])
	if err == nil {
		err = m.charge(valueBytes * len(items))
	}
	if err != nil {
		return value.Null, err
	}
	l.elems = append(l.elems, items...)
	return value.Bool(len(items) > 0), nil
}

// listRemove removes by index, or the first element equal to what is no number.
func listRemove(m *machine, l *list, a []value.Value) (value.Value, error) {
	i := -1
	if a[0].Kind().IsNumber() {
		n := value.AsInt64(a[0])
		if n < 0 || n >= int64(len(l.elems)) {
			return value.Null, fail(indexException, "Index %d out of bounds for length %d", n, len(l.elems))
		}
		i = int(n)
	} else {
		for j, e := range l.elems {
			if m.equal(e, a[0]) {
				i = j
				break
			}
		}
		if i < 0 {
			return value.Bool(false), nil
		}
	}
	v := l.elems[i]
	l.elems = append(l.elems[:i:i], l.elems[i+1:]...)
	if !a[0].Kind().IsNumber() {
		v = value.Bool(true)
	}
	return v, m.charge(valueBytes)
}

func listPop(_ *machine, l *list, _ []value.Value) (value.Value, error) {
	if len(l.elems) == 0 {
		return value.Null, fail(noSuchElement, "Cannot pop() an empty List")
	}
	v := l.elems[0]
	l.elems = l.elems[1:]
	return v, nil
}

// listSort sorts in place, unless told not to.
func listSort(m *machine, l *list, a []value.Value) (value.Value, error) {
	elems := l.elems
	if len(a) > 0 && a[0].Kind() == value.KindBool {
		if !a[0].Bool() {
			l = &list{}
		}
		a = a[1:]
	}
	c, err := m.copied(elems)
	if err != nil {
		return value.Null, err
	}
	l.elems = elemsOf(c)
	return wrap(l), m.sorted(l.elems, func(x, y value.Value) (int, error) { return m.compareBy(a, x, y) })
}

func listReverse(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	out, err := m.copied(elemsOf(self))
	if err == nil {
		slices.Reverse(elemsOf(out))
	}
	return out, err
}

func listUnique(m *machine, l *list, _ []value.Value) (value.Value, error) {
	if err := m.charge((entryBytes + valueBytes) * len(l.elems)); err != nil {
		return value.Null, err
	}
	seen := value.NewSet()
	var out []value.Value
	for _, e := range l.elems {
		if err := m.Work(itemWork + extent(e)); err != nil {
			return value.Null, err
		}
		if seen.Add(m.key(e)) {
			out = append(out, e)
		}
	}
	l.elems = out
	return wrap(l), nil
}

func listEnd(last bool) func(*machine, value.Value, []value.Value) (value.Value, error) {
	return func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
		elems := elemsOf(self)
		switch {
		case len(elems) == 0:
			return value.Null, fail(noSuchElement, "Cannot access first() or last() element from an empty List")
		case last:
			return elems[len(elems)-1], nil
		}
		return elems[0], nil
	}
}

// cut returns the elements from an index to before another, within bounds.
func (m *machine) cut(self value.Value, from, to int64) (value.Value, error) {
	elems := elemsOf(self)
	n := int64(len(elems))
	from = min(max(from, 0), n)
	to = min(max(to, from), n)
	return m.copied(elems[from:to])
}

func listIndexOf(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	for i, e := range elemsOf(self) {
		if m.equal(e, a[0]) {
			return value.Int(int32(i)), nil
		}
	}
	return value.Int(-1), nil
}

func listFlatten(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	var out []value.Value
	var walk func(v value.Value, depth int) error
	walk = func(v value.Value, depth int) error {
		for _, e := range elemsOf(v) {
			if _, ok := collection(e); ok && depth < exportDepthMax {
				if err := walk(e, depth+1); err != nil {
					return err
				}
				continue
			}
			out = append(out, e)
			if err := m.charge(valueBytes); err != nil {
				return err
			}
		}
		return m.step()
	}
	err := walk(self, 0)
	return newList(out), err
}

func listContainsAll(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	all := newList(elemsOf(self))
	for _, e := range elemsOf(a[0]) {
		if ok, err := m.isCase(all, e); err != nil || !ok {
			return value.Bool(false), err
		}
	}
	return value.Bool(true), nil
}

func listWithIndex(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	elems := elemsOf(self)
	if err := m.charge(5 * valueBytes * len(elems)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(elems))
	for i, e := range elems {
		out[i] = newList([]value.Value{e, value.Int(int32(i))})
	}
	return newList(out), nil
}

// listStep takes every n-th element, as range.step(n) does.
func listStep(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	n := value.AsInt64(a[0])
	if !a[0].Kind().IsNumber() || n <= 0 {
		return value.Null, fail(argumentException, "step() takes a positive number")
	}
	elems := elemsOf(self)
	if err := m.charge(valueBytes * (len(elems)/int(min(n, math.MaxInt32)) + 1)); err != nil {
		return value.Null, err
	}
	var out []value.Value
	for i := int64(0); i < int64(len(elems)); i += min(n, int64(len(elems))) {
		out = append(out, elems[i])
	}
	return newList(out), nil
}
