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

// asMap turns a tree into the map that it is; other values stay as they are.
func asMap(v value.Value) value.Value {
	if t := v.Tree(); t != nil {
		return t.Map().Value()
	}
	return v
}

// memberList returns the members of v in a slice of its own.
func memberList(v value.Value) []value.Value {
	var list []value.Value
	members(v, func(e value.Value) { list = append(list, e) })
	return list
}
