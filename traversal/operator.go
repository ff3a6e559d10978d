package traversal

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

// Operate applies a constant of TinkerPop's Operator.
func Operate(name string, a, b value.Value) (value.Value, error) {
	switch name {
	case "sum":
		return value.Add(a, b)
	case "minus":
		return value.Sub(a, b)
	case "mult":
		return value.Mul(a, b)
	case "div":
		return value.Div(a, b)
	case "min":
		return value.Min(a, b)
	case "max":
		return value.Max(a, b)
	case "assign":
		return b, nil
	case "and":
		return value.Bool(a.Bool() && b.Bool()), nil
	case "or":
		return value.Bool(a.Bool() || b.Bool()), nil
	case "addAll":
		return addAll(a, b)
	case "sumLong":
		return value.Long(a.Int64() + b.Int64()), nil
	}
	return value.Null, fmt.Errorf("unknown operator %s", name)
}

// addAll merges a collection or map into another, keeping the kind of the first.
func addAll(a, b value.Value) (value.Value, error) {
	if a.IsNull() {
		return b, nil
	}
	if b.IsNull() {
		return a, nil
	}
	switch a.Kind() {
	case value.KindMap:
		m := value.NewMap()
		for _, src := range []value.Value{a, b} {
			if src.Kind() != value.KindMap {
				return value.Null, fmt.Errorf("addAll cannot add %s to a map", b.Kind().JavaClass())
			}
			for i := 0; i < src.Map().Len(); i++ {
				k, v := src.Map().Entry(i)
				m.Put(k, v)
			}
		}
		return m.Value(), nil
	case value.KindSet:
		s := value.NewSet()
		Each(a, func(v value.Value, _ int64) { s.Add(v) })
		Each(b, func(v value.Value, _ int64) { s.Add(v) })
		return s.Value(), nil
	case value.KindBulkSet:
		s := value.NewBulkSet()
		add := func(v value.Value, n int64) { s.Add(v, n) }
		Each(a, add)
		Each(b, add)
		return s.Value(), nil
	}
	var list []value.Value
	add := func(v value.Value, n int64) {
		for ; n > 0; n-- {
			list = append(list, v)
		}
	}
	Each(a, add)
	Each(b, add)
	return value.List(list), nil
}

// Each calls fn for every member of a list, set or bulk set with its bulk; other
// values are their own only member.
func Each(v value.Value, fn func(v value.Value, bulk int64)) {
	switch v.Kind() {
	case value.KindList:
		for _, e := range v.Elems() {
			fn(e, 1)
		}
	case value.KindSet:
		for _, e := range v.Set().Elems() {
			fn(e, 1)
		}
	case value.KindBulkSet:
		s := v.BulkSet()
		for i := 0; i < s.Len(); i++ {
			fn(s.Entry(i))
		}
	default:
		fn(v, 1)
	}
}
