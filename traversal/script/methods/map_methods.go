package methods

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

func mapMethods() machine.Methods {
	return machine.Methods{
		"get":          {1, 2, mapGet},
		"getAt":        {1, 1, mapGet},
		"getOrDefault": {2, 2, mapGet},
		"put":          {2, 2, mapPut},
		"putAt":        {2, 2, mapPut},
		"putAll": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			_, err := m.LeftShift(self, a[0])
			return value.Null, err
		}},
		"remove": {1, 1, mapRemove},
		"containsKey": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			_, ok := self.Map().Get(m.Export(a[0]))
			return value.Bool(ok), nil
		}},
		"containsValue": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			ok, err := m.IsCase(machine.NewList(self.Map().Values()), a[0])
			return value.Bool(ok), err
		}},
		"keySet": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.NewSet(self.Map().Keys())
		}},
		"values": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.Copied(self.Map().Values())
		}},
		"entrySet": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			items, err := m.Entries(self.Map())
			return machine.NewList(items), err
		}},
		"isEmpty": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(self.Map().Len() == 0), nil
		}},
		"sort":      {0, 1, mapSort},
		"plus":      operatorMethod("+"),
		"leftShift": operatorMethod("<<"),
	}
}

func mapGet(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if len(a) == 1 {
		return m.LookUp(self.Map(), a[0])
	}
	v, ok := self.Map().Get(m.Export(a[0]))
	if !ok {
		return a[1], nil
	}
	return v, nil
}

func mapPut(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	old, _ := self.Map().Get(m.Export(a[0]))
	return old, m.PutAt(self, a[0], a[1])
}

func mapRemove(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	old, _ := self.Map().Get(m.Export(a[0]))
	self.Map().Delete(m.Export(a[0]))
	return old, nil
}

// mapSort sorts by key, or by what a closure makes of the entries.
func mapSort(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	items, err := m.Entries(self.Map())
	if err != nil {
		return value.Null, err
	}
	err = m.Sorted(items, func(x, y value.Value) (int, error) {
		if len(a) == 0 {
			return m.Compare(x.MapEntry().Key, y.MapEntry().Key)
		}
		return CompareBy(m, a, x, y)
	})
	if err == nil {
		err = m.Charge(machine.EntryBytes * len(items))
	}
	if err != nil {
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

func entryMethods() machine.Methods {
	return machine.Methods{
		"getKey": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return self.MapEntry().Key, nil
		}},
		"getValue": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return self.MapEntry().Value, nil
		}},
	}
}

func setMethods() machine.Methods {
	return machine.Methods{
		"add": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			if err := m.Charge(machine.EntryBytes); err != nil {
				return value.Null, err
			}
			return value.Bool(self.Set().Add(m.Key(a[0]))), nil
		}},
		"remove": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(self.Set().Delete(m.Export(a[0]))), nil
		}},
		"addAll": {1, 1, setAddAll},
		"contains": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(self.Set().Has(m.Export(a[0]))), nil
		}},
		"isEmpty": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(self.Set().Len() == 0), nil
		}},
		"sort": {0, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return listSort(m, &machine.List{Elems: ElemsOf(self)}, a)
		}},
		"first": {0, 0, listEnd(false)},
		"last":  {0, 0, listEnd(true)},
		"plus":  operatorMethod("+"),
		"minus": operatorMethod("-"),
	}
}

func setAddAll(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	items, err := m.Items(a[0])
	if err == nil {
		err = m.Charge(machine.EntryBytes * len(items))
	}
	added := false
	for _, v := range items {
		if err == nil {
			err = m.Work(machine.ItemWork + machine.Extent(v))
		}
		if err != nil {
			return value.Null, err
		}
		added = self.Set().Add(m.Key(v)) || added
	}
	return value.Bool(added), err
}

func treeMethods() machine.Methods {
	return machine.Methods{
		"keySet": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.NewSet(self.Tree().Keys)
		}},
		"size": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(len(self.Tree().Keys))), nil
		}},
		"get":   {1, 1, machine.TreeGet},
		"getAt": {1, 1, machine.TreeGet},
	}
}

func pathMethods() machine.Methods {
	return machine.Methods{
		"objects": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.Copied(self.Path().Objects)
		}},
		"labels": {0, 0, pathLabels},
		"size": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(len(self.Path().Objects))), nil
		}},
		"head": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.ListAt(self.Path().Objects, value.Int(-1))
		}},
		"get":   {1, 1, PathGet},
		"getAt": {1, 1, PathGet},
		"hasLabel": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			_, ok := machine.PathAt(self.Path(), m.String(a[0]))
			return value.Bool(ok), nil
		}},
		"isEmpty": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(len(self.Path().Objects) == 0), nil
		}},
	}
}

func pathLabels(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	var out []value.Value
	for _, labels := range self.Path().Labels {
		if err := m.Charge(machine.EntryBytes * (len(labels) + 1)); err != nil {
			return value.Null, err
		}
		set := value.NewSet()
		for _, l := range labels {
			set.Add(value.String(l))
		}
		out = append(out, set.Value())
	}
	return machine.NewList(out), nil
}

// PathGet is path.get(i) and path.get(label).
func PathGet(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if a[0].Kind().IsNumber() {
		return ListGet(m, self.Path().Objects, a[0])
	}
	v, ok := machine.PathAt(self.Path(), m.String(a[0]))
	if !ok {
		return v, machine.Fail(machine.ArgumentException, "The step with label %s does not exist", m.String(a[0]))
	}
	return v, nil
}
