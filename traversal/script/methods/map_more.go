package methods

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// moreMapMethods are Groovy's and Java's for maps that books use beyond the first need.
func moreMapMethods() machine.Methods {
	return machine.Methods{
		"take":             {1, 1, mapSlice(func(n, k int) (int, int) { return 0, k })},
		"drop":             {1, 1, mapSlice(func(n, k int) (int, int) { return k, n })},
		"withDefault":      {1, 1, machine.MapWithDefault},
		"putIfAbsent":      {2, 2, mapPutIfAbsent},
		"computeIfAbsent":  {2, 2, mapComputeIfAbsent},
		"computeIfPresent": {2, 2, mapComputeIfPresent},
		"compute":          {2, 2, mapCompute},
		"merge":            {3, 3, mapMerge},
		"minus":            {1, 1, mapMinus},
		"subMap":           {1, 1, mapSubMap},
		"intersect":        {1, 1, mapIntersect},
		"clear":            {0, 0, mapClear},
		"clone":            {0, 0, mapClone},
		"asImmutable":      {0, 0, Itself},
		"groupBy":          {1, 1, mapGroupBy},
		"collectEntries":   {0, 1, collectEntries},
		"removeAll":        {1, 1, mapRetain(false)},
		"retainAll":        {1, 1, mapRetain(true)},
		"replaceAll":       {1, 1, mapReplaceAll},
		"eachWithIndex":    {1, 1, mapEachWithIndex},
		"toMapString": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(m.String(self)), nil
		}},
		"firstEntry": {0, 0, mapEntryAt(false)},
		"lastEntry":  {0, 0, mapEntryAt(true)},
		"firstKey":   {0, 0, mapKeyAt(false)},
		"lastKey":    {0, 0, mapKeyAt(true)},
	}
}

// mapOf makes a map of entries.
func mapOf(m *machine.Machine, items []value.Value) (value.Value, error) {
	if err := m.Charge(machine.EntryBytes * len(items)); err != nil {
		return value.Null, err
	}
	out := value.NewMapSize(len(items))
	for _, e := range items {
		if err := m.Work(machine.ItemWork); err != nil {
			return value.Null, err
		}
		out.Put(e.MapEntry().Key, e.MapEntry().Value)
	}
	return out.Value(), nil
}

func mapSlice(bounds func(n, k int) (int, int)) Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		n := self.Map().Len()
		from, to := bounds(n, int(min(max(value.AsInt64(a[0]), 0), int64(n))))
		items, err := m.Entries(self.Map())
		if err != nil {
			return value.Null, err
		}
		return mapOf(m, items[from:to])
	}
}

func mapPutIfAbsent(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if v, _ := self.Map().Get(m.Export(a[0])); !v.IsNull() {
		return v, nil
	}
	return value.Null, m.PutAt(self, a[0], a[1])
}

func mapComputeIfAbsent(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if v, _ := self.Map().Get(m.Export(a[0])); !v.IsNull() {
		return v, nil
	}
	v, err := m.Invoke(a[1], "call", a[:1])
	if err != nil || v.IsNull() {
		return v, err
	}
	return v, m.PutAt(self, a[0], v)
}

// store puts what a closure made; null removes the entry.
func store(m *machine.Machine, self, k, v value.Value) (value.Value, error) {
	if v.IsNull() {
		self.Map().Delete(m.Export(k))
		return v, nil
	}
	return v, m.PutAt(self, k, v)
}

func mapComputeIfPresent(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	old, _ := self.Map().Get(m.Export(a[0]))
	if old.IsNull() {
		return old, nil
	}
	return mapCompute(m, self, a)
}

func mapCompute(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	old, _ := self.Map().Get(m.Export(a[0]))
	v, err := m.Invoke(a[1], "call", []value.Value{a[0], old})
	if err != nil {
		return v, err
	}
	return store(m, self, a[0], v)
}

func mapMerge(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	old, _ := self.Map().Get(m.Export(a[0]))
	v, err := a[1], error(nil)
	if !old.IsNull() {
		v, err = m.Invoke(a[2], "call", []value.Value{old, a[1]})
	}
	if err != nil {
		return v, err
	}
	return store(m, self, a[0], v)
}

func mapSubMap(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	items, err := m.Items(a[0])
	if err == nil {
		err = m.Charge(machine.EntryBytes * len(items))
	}
	if err != nil {
		return value.Null, err
	}
	out := value.NewMap()
	for _, k := range items {
		if err := m.Work(machine.ItemWork); err != nil {
			return value.Null, err
		}
		k = m.Key(k)
		if v, ok := self.Map().Get(k); ok {
			out.Put(k, v)
		}
	}
	return out.Value(), m.Surface()
}

func mapIntersect(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	return entriesThat(m, self.Map(), func(e *value.MapEntry) bool {
		v, ok := a[0].Map().Get(e.Key)
		return ok && m.Equal(v, e.Value)
	})
}

// refill puts entries in the place of all that a map has.
func refill(m *machine.Machine, of *value.Map, items []value.Value) error {
	v, err := mapOf(m, items)
	if err == nil {
		*of = *v.Map()
	}
	return err
}

func mapClear(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	*self.Map() = *value.NewMap()
	return value.Null, nil
}

func mapClone(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	c := value.NewMap()
	return c.Value(), m.PutAll(c, self.Map())
}

// mapGroupBy makes maps of the entries with the same key.
func mapGroupBy(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	groups, err := groupBy(m, self, a)
	if err != nil {
		return groups, err
	}
	of := groups.Map()
	for i := range of.Len() {
		k, v := of.Entry(i)
		if v, err = mapOf(m, ElemsOf(v)); err != nil {
			return v, err
		}
		of.Put(k, v)
	}
	return groups, nil
}

func mapRetain(keep bool) Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		items, err := m.Entries(self.Map())
		if err != nil {
			return value.Null, err
		}
		var left []value.Value
		for _, e := range items {
			ok, err := test(m, a, e)
			if err != nil {
				return value.Null, err
			}
			if ok == keep {
				left = append(left, e)
			}
		}
		if len(left) == len(items) {
			return value.Bool(false), nil
		}
		return value.Bool(true), refill(m, self.Map(), left)
	}
}

func mapReplaceAll(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	items, err := m.Entries(self.Map())
	if err != nil {
		return value.Null, err
	}
	for _, e := range items {
		v, err := apply(m, a[0], e)
		if err == nil {
			err = m.Charge(machine.EntryBytes)
		}
		if err != nil {
			return value.Null, err
		}
		self.Map().Put(e.MapEntry().Key, v)
	}
	return value.Null, nil
}

// mapEachWithIndex gives a closure of three parameters key, value and index.
func mapEachWithIndex(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	c, ok := machine.Foreign(a[0]).(*machine.Closure)
	if !ok || len(c.Function.Params) != 3 {
		return eachWithIndex(m, self, a)
	}
	items, err := m.Entries(self.Map())
	if err != nil {
		return value.Null, err
	}
	for i, e := range items {
		if _, err := c.Run(m, []value.Value{e.MapEntry().Key, e.MapEntry().Value, value.Int(int32(i))}); err != nil {
			return value.Null, err
		}
	}
	return self, nil
}

func mapEntryAt(last bool) Call {
	return func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
		of, at := self.Map(), 0
		if of.Len() == 0 {
			return value.Null, nil
		}
		if last {
			at = of.Len() - 1
		}
		k, v := of.Entry(at)
		return value.OfMapEntry(&value.MapEntry{Key: k, Value: v}), nil
	}
}

func mapKeyAt(last bool) Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		e, err := mapEntryAt(last)(m, self, a)
		if err == nil && e.IsNull() {
			return e, machine.Fail(machine.NoSuchElement, "")
		}
		return e.MapEntry().Key, err
	}
}

// entriesThat makes a map of the entries that pass a test.
func entriesThat(m *machine.Machine, of *value.Map, test func(e *value.MapEntry) bool) (value.Value, error) {
	items, err := m.Entries(of)
	if err != nil {
		return value.Null, err
	}
	var kept []value.Value
	for _, e := range items {
		if err := m.Work(machine.ItemWork); err != nil {
			return value.Null, err
		}
		if test(e.MapEntry()) {
			kept = append(kept, e)
		}
	}
	return mapOf(m, kept)
}

func mapMinus(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	other := a[0].Map()
	if other == nil {
		return value.Null, m.NoMethod(self, "minus", a)
	}
	return entriesThat(m, self.Map(), func(e *value.MapEntry) bool {
		v, ok := other.Get(e.Key)
		return !ok || !m.Equal(v, e.Value)
	})
}

// NewTreeMap is a map that put keeps sorted.
func NewTreeMap(m *machine.Machine, args []value.Value) (value.Value, error) {
	out := value.NewMap()
	if len(args) == 1 && args[0].Kind() == value.KindMap {
		v, err := mapSort(m, args[0], nil)
		if err != nil {
			return v, err
		}
		out = v.Map()
	}
	if err := m.Special(); err != nil {
		return value.Null, err
	}
	m.State.Kinds.Sorted[out] = true
	return out.Value(), nil
}
