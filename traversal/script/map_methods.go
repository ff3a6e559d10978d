package script

import (
	"github.com/gremlind/gremlind/storage/value"
)

func mapMethods() methods {
	return methods{
		"get":          {1, 2, mapGet},
		"getAt":        {1, 1, mapGet},
		"getOrDefault": {2, 2, mapGet},
		"put":          {2, 2, mapPut},
		"putAt":        {2, 2, mapPut},
		"putAll": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			_, err := m.leftShift(self, a[0])
			return value.Null, err
		}},
		"remove": {1, 1, mapRemove},
		"containsKey": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			_, ok := self.Map().Get(m.export(a[0]))
			return value.Bool(ok), nil
		}},
		"containsValue": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			ok, err := m.isCase(newList(self.Map().Values()), a[0])
			return value.Bool(ok), err
		}},
		"keySet": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.newSet(self.Map().Keys())
		}},
		"values": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.copied(self.Map().Values())
		}},
		"entrySet": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			items, err := m.entries(self.Map())
			return newList(items), err
		}},
		"isEmpty": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(self.Map().Len() == 0), nil
		}},
		"sort":      {0, 1, mapSort},
		"plus":      operatorMethod("+"),
		"leftShift": operatorMethod("<<"),
	}
}

func mapGet(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	if len(a) == 1 {
		return m.lookUp(self.Map(), a[0])
	}
	v, ok := self.Map().Get(m.export(a[0]))
	if !ok {
		return a[1], nil
	}
	return v, nil
}

func mapPut(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	old, _ := self.Map().Get(m.export(a[0]))
	return old, m.putAt(self, a[0], a[1])
}

func mapRemove(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	old, _ := self.Map().Get(m.export(a[0]))
	self.Map().Delete(m.export(a[0]))
	return old, nil
}

// mapSort sorts by key, or by what a closure makes of the entries.
func mapSort(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	items, err := m.entries(self.Map())
	if err != nil {
		return value.Null, err
	}
	err = m.sorted(items, func(x, y value.Value) (int, error) {
		if len(a) == 0 {
			return m.compare(x.MapEntry().Key, y.MapEntry().Key)
		}
		return m.compareBy(a, x, y)
	})
	if err == nil {
		err = m.charge(entryBytes * len(items))
	}
	if err != nil {
		return value.Null, err
	}
	out := value.NewMapSize(len(items))
	for _, e := range items {
		if err := m.Work(itemWork); err != nil {
			return value.Null, err
		}
		out.Put(e.MapEntry().Key, e.MapEntry().Value)
	}
	return out.Value(), nil
}

func entryMethods() methods {
	return methods{
		"getKey": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return self.MapEntry().Key, nil
		}},
		"getValue": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return self.MapEntry().Value, nil
		}},
	}
}

func setMethods() methods {
	return methods{
		"add": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			if err := m.charge(entryBytes); err != nil {
				return value.Null, err
			}
			return value.Bool(self.Set().Add(m.key(a[0]))), nil
		}},
		"remove": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(self.Set().Delete(m.export(a[0]))), nil
		}},
		"addAll": {1, 1, setAddAll},
		"contains": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(self.Set().Has(m.export(a[0]))), nil
		}},
		"isEmpty": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(self.Set().Len() == 0), nil
		}},
		"sort": {0, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return listSort(m, &list{elems: elemsOf(self)}, a)
		}},
		"first": {0, 0, listEnd(false)},
		"last":  {0, 0, listEnd(true)},
		"plus":  operatorMethod("+"),
		"minus": operatorMethod("-"),
	}
}

func setAddAll(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	items, err := m.items(a[0])
	if err == nil {
		err = m.charge(entryBytes * len(items))
	}
	added := false
	for _, v := range items {
		if err == nil {
			err = m.Work(itemWork + extent(v))
		}
		if err != nil {
			return value.Null, err
		}
		added = self.Set().Add(m.key(v)) || added
	}
	return value.Bool(added), err
}

func treeMethods() methods {
	return methods{
		"keySet": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.newSet(self.Tree().Keys)
		}},
		"size": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(len(self.Tree().Keys))), nil
		}},
		"get":   {1, 1, treeGet},
		"getAt": {1, 1, treeGet},
	}
}

func pathMethods() methods {
	return methods{
		"objects": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.copied(self.Path().Objects)
		}},
		"labels": {0, 0, pathLabels},
		"size": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(len(self.Path().Objects))), nil
		}},
		"head": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.listAt(self.Path().Objects, value.Int(-1))
		}},
		"get":   {1, 1, pathGet},
		"getAt": {1, 1, pathGet},
		"hasLabel": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			_, ok := pathAt(self.Path(), m.string(a[0]))
			return value.Bool(ok), nil
		}},
		"isEmpty": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(len(self.Path().Objects) == 0), nil
		}},
	}
}

func pathLabels(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	var out []value.Value
	for _, labels := range self.Path().Labels {
		if err := m.charge(entryBytes * (len(labels) + 1)); err != nil {
			return value.Null, err
		}
		set := value.NewSet()
		for _, l := range labels {
			set.Add(value.String(l))
		}
		out = append(out, set.Value())
	}
	return newList(out), nil
}

func pathGet(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	if a[0].Kind().IsNumber() {
		return m.listGet(self.Path().Objects, a[0])
	}
	v, ok := pathAt(self.Path(), m.string(a[0]))
	if !ok {
		return v, fail(argumentException, "The step with label %s does not exist", m.string(a[0]))
	}
	return v, nil
}
