package machine

import "github.com/gremlind/gremlind/storage/value"

// TreeGet is tree[key]: the tree below, or null.
func TreeGet(m *Machine, self value.Value, a []value.Value) (value.Value, error) {
	t, key := self.Tree(), m.Export(a[0])
	for i, k := range t.Keys {
		if err := m.Work(ItemWork + Extent(k)); err != nil {
			return value.Null, err
		}
		if value.Identical(k, key) {
			return t.Children[i].Value(), nil
		}
	}
	return value.Null, nil
}

// PathAt is path.a: the objects with a label, alone when there is one.
func PathAt(p *value.Path, label string) (value.Value, bool) {
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
	return NewList(found), true
}
