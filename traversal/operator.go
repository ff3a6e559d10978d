package traversal

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

// Operate applies a constant of TinkerPop's Operator. What it adds to a collection is
// charged: the first operand mostly ends with that.
func (r *Run) Operate(name string, a, b value.Value) (value.Value, error) {
	if name == "addAll" {
		if err := r.Work(partWork * int(min(members(a)+members(b), 1<<40))); err != nil {
			return value.Null, err
		}
		if err := r.ChargeCopies(members(b), memberBytes); err != nil {
			return value.Null, err
		}
	}
	return operate(name, a, b)
}

// memberBytes is what a member of a list takes, with the room that lists grow by.
const memberBytes = valueBytes + valueBytes/4

// members is how many members addAll() goes through. In a list, each copy that a bulk
// stands for is one.
func members(v value.Value) int64 {
	switch v.Kind() {
	case value.KindList:
		return int64(len(v.Elems()))
	case value.KindSet:
		return int64(v.Set().Len())
	case value.KindMap:
		return int64(v.Map().Len())
	case value.KindBulkSet:
		return v.BulkSet().Size()
	}
	return 1
}

func operate(name string, a, b value.Value) (value.Value, error) {
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
	case "sumLong":
		return sumLong(a, b)
	}
	switch { // the others keep the operand that is not null
	case a.IsNull():
		return b, nil
	case b.IsNull():
		return a, nil
	}
	switch name {
	case "and", "or":
		return junction(a, b, name == "or")
	case "addAll":
		return addAll(a, b)
	}
	return value.Null, fmt.Errorf("unknown operator %s", name)
}

func sumLong(a, b value.Value) (value.Value, error) {
	for i, v := range [...]value.Value{a, b} {
		switch v.Kind() {
		case value.KindLong:
		case value.KindNull:
			return v, nullPointer(`Cannot invoke "java.lang.Long.longValue()" because "%c" is null`, 'a'+i)
		default:
			return v, classCast(v, value.KindLong)
		}
	}
	return value.Long(a.Int64() + b.Int64()), nil
}

// junction is and or or; b is not looked at when a decides.
func junction(a, b value.Value, or bool) (value.Value, error) {
	for _, v := range [...]value.Value{a, b} {
		if v.Kind() != value.KindBool {
			return value.Null, classCast(v, value.KindBool)
		}
		if v.Bool() == or {
			return v, nil
		}
	}
	return b, nil
}

// addAll merges a collection or map into another, keeping the kind of the first.
func addAll(a, b value.Value) (value.Value, error) {
	if isMap := a.Kind() == value.KindMap; isMap != (b.Kind() == value.KindMap) || !isMap && !(a.Kind().IsCollection() && b.Kind().IsCollection()) {
		return value.Null, illegalArgument("Objects must be both of Map or Collection: a=%s b=%s", a.Kind().SimpleClass(), b.Kind().SimpleClass())
	}
	switch a.Kind() {
	case value.KindMap:
		m := value.NewMap()
		for _, src := range []value.Value{a, b} {
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
	list := make([]value.Value, 0, members(a)+members(b)) // charged: as it grew, all would be copied some times
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
