package script

import (
	"sort"

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
		"containsKey": {1, 1, func(_ *machine, self value.Value, a []value.Value) (value.Value, error) {
			_, ok := self.Map().Get(export(a[0]))
			return value.Bool(ok), nil
		}},
		"containsValue": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			ok, err := m.isCase(newList(self.Map().Values()), a[0])
			return value.Bool(ok), err
		}},
		"keySet": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.NewSet(self.Map().Keys()...).Value(), nil
		}},
		"values": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return newList(append([]value.Value(nil), self.Map().Values()...)), nil
		}},
		"entrySet": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return newList(entries(self.Map())), nil
		}},
		"isEmpty": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(self.Map().Len() == 0), nil
		}},
		"sort":      {0, 1, mapSort},
		"plus":      operatorMethod("+"),
		"leftShift": operatorMethod("<<"),
	}
}

func mapGet(_ *machine, self value.Value, a []value.Value) (value.Value, error) {
	v, ok := self.Map().Get(export(a[0]))
	if !ok && len(a) == 2 {
		return a[1], nil
	}
	return v, nil
}

func mapPut(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	old, _ := self.Map().Get(export(a[0]))
	return old, m.putAt(self, a[0], a[1])
}

func mapRemove(_ *machine, self value.Value, a []value.Value) (value.Value, error) {
	old, _ := self.Map().Get(export(a[0]))
	self.Map().Delete(export(a[0]))
	return old, nil
}

// mapSort sorts by key, or by what a closure makes of the entries.
func mapSort(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	items := entries(self.Map())
	var failed error
	sort.SliceStable(items, func(i, j int) bool {
		x, y := items[i], items[j]
		var c int
		var err error
		if len(a) == 0 {
			c, err = m.compare(x.MapEntry().Key, y.MapEntry().Key)
		} else {
			c, err = m.compareBy(a, x, y)
		}
		if err != nil {
			failed = err
		}
		return c < 0
	})
	out := value.NewMapSize(len(items))
	for _, e := range items {
		out.Put(e.MapEntry().Key, e.MapEntry().Value)
	}
	return out.Value(), failed
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
			return value.Bool(self.Set().Add(export(a[0]))), m.charge(valueBytes)
		}},
		"remove": {1, 1, func(_ *machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(self.Set().Delete(export(a[0]))), nil
		}},
		"addAll": {1, 1, setAddAll},
		"contains": {1, 1, func(_ *machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(self.Set().Has(export(a[0]))), nil
		}},
		"isEmpty": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(self.Set().Len() == 0), nil
		}},
		"sort": {0, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return listSort(m, newList(elemsOf(self)), a)
		}},
		"first": {0, 0, listEnd(false)},
		"last":  {0, 0, listEnd(true)},
		"plus":  operatorMethod("+"),
		"minus": operatorMethod("-"),
	}
}

func setAddAll(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	items, err := m.items(a[0])
	added := false
	for _, v := range items {
		added = self.Set().Add(export(v)) || added
	}
	if err == nil {
		err = m.charge(valueBytes * len(items))
	}
	return value.Bool(added), err
}

func treeMethods() methods {
	return methods{
		"keySet": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.NewSet(self.Tree().Keys...).Value(), nil
		}},
		"size": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(len(self.Tree().Keys))), nil
		}},
		"get":   {1, 1, treeGet},
		"getAt": {1, 1, treeGet},
	}
}

func treeGet(_ *machine, self value.Value, a []value.Value) (value.Value, error) {
	t := self.Tree()
	for i, k := range t.Keys {
		if value.Identical(k, export(a[0])) {
			return t.Children[i].Value(), nil
		}
	}
	return value.Null, nil
}

// pathAt is path.a: the objects with a label, alone when there is one.
func pathAt(p *value.Path, label string) (value.Value, bool) {
	var found []value.Value
	for i, labels := range p.Labels {
		for _, l := range labels {
			if l == label && i < len(p.Objects) {
				found = append(found, p.Objects[i])
			}
		}
	}
	switch len(found) {
	case 0:
		return value.Null, false
	case 1:
		return found[0], true
	}
	return newList(found), true
}

func pathMethods() methods {
	return methods{
		"objects": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return newList(append([]value.Value(nil), self.Path().Objects...)), nil
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

func pathLabels(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
	var out []value.Value
	for _, labels := range self.Path().Labels {
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
