package steps

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// members calls fn for what a Java iterator over v would give: elements of a
// collection as often as they are in it, entries of a map, objects of a path, v itself
// otherwise. Null has no members.
func members(v value.Value, fn func(value.Value)) {
	switch v = asMap(v); v.Kind() {
	case value.KindNull:
	case value.KindMap:
		for i := range v.Map().Len() {
			k, e := v.Map().Entry(i)
			fn(value.OfMapEntry(&value.MapEntry{Key: k, Value: e}))
		}
	case value.KindPath:
		for _, o := range v.Path().Objects {
			fn(o)
		}
	default:
		traversal.Each(v, func(e value.Value, bulk int64) {
			for ; bulk > 0; bulk-- {
				fn(e)
			}
		})
	}
}

// asMap is the map that a tree is: of its roots and their subtrees. Other values stay as
// they are.
func asMap(v value.Value) value.Value {
	t := v.Tree()
	if t == nil {
		return v
	}
	m := value.NewMapSize(len(t.Keys))
	for i, k := range t.Keys {
		m.Put(k, t.Children[i].Value())
	}
	return m.Value()
}

// memberList returns the members of v in a slice of its own.
func memberList(v value.Value) []value.Value {
	var list []value.Value
	members(v, func(e value.Value) { list = append(list, e) })
	return list
}
