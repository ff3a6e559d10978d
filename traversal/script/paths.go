package script

import "github.com/gremlind/gremlind/storage/value"

func treeGet(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	t, key := self.Tree(), m.export(a[0])
	for i, k := range t.Keys {
		if err := m.Work(itemWork + extent(k)); err != nil {
			return value.Null, err
		}
		if value.Identical(k, key) {
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
