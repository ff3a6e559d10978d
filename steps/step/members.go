package step

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Members calls fn for what a Java iterator over v would give: elements of a
// collection as often as they are in it, entries of a map, objects of a path, v itself
// otherwise. Null has no members. There may be any number of them, so the clock is
// looked at; an error ends it.
func Members(r *traversal.Run, v value.Value, fn func(value.Value) error) (err error) {
	one := func(e value.Value) {
		if err == nil {
			err = r.Poll()
		}
		if err == nil {
			err = fn(e)
		}
	}
	switch v = AsMap(v); v.Kind() {
	case value.KindNull:
	case value.KindMap:
		for i := 0; i < v.Map().Len() && err == nil; i++ {
			k, e := v.Map().Entry(i)
			one(value.OfMapEntry(&value.MapEntry{Key: k, Value: e}))
		}
	case value.KindPath:
		for _, o := range v.Path().Objects {
			one(o)
		}
	default:
		traversal.Each(v, func(e value.Value, bulk int64) {
			for ; bulk > 0 && err == nil; bulk-- {
				one(e)
			}
		})
	}
	return err
}

// AsMap turns a tree into the map that it is; other values stay as they are.
func AsMap(v value.Value) value.Value {
	if t := v.Tree(); t != nil {
		return t.Map().Value()
	}
	return v
}

// MemberList returns the members of v in a slice of its own.
func MemberList(r *traversal.Run, v value.Value) ([]value.Value, error) {
	if err := roomForMembers(r, v); err != nil {
		return nil, err
	}
	var list []value.Value
	err := Members(r, v, func(e value.Value) error { list = append(list, e); return nil })
	return list, err
}

// roomForMembers is an error when the members of v, each as often as it is in it, are
// more than the account has room for. Few values can stand for very many.
func roomForMembers(r *traversal.Run, v value.Value) error {
	s := v.BulkSet()
	if s == nil || s.Size() <= int64(s.Len()) {
		return nil
	}
	if err := r.ChargeCopies(s.Size(), ValueBytes); err != nil {
		return err
	}
	r.Release(int(s.Size()) * ValueBytes) // the list does not last
	return nil
}

// Iterable returns what Java would iterate over: the elements of a list, set, bulk
// set or path. ok is false for anything else.
func Iterable(r *traversal.Run, v value.Value) (list []value.Value, ok bool, err error) {
	switch v.Kind() {
	case value.KindList:
		return v.Elems(), true, nil
	case value.KindSet:
		return v.Set().Elems(), true, nil
	case value.KindBulkSet:
		list, err := MemberList(r, v)
		return list, true, err
	case value.KindPath:
		return v.Path().Objects, true, nil
	}
	return nil, false, nil
}
