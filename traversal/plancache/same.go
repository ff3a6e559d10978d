package plancache

import (
	"reflect"
	"unsafe"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// samePlan reports whether two plans are alike in every field, those of the steps'
// typed arguments included. Functions are never alike unless they are nil.
func samePlan(a, b *traversal.Plan) bool {
	c := comparison{seen: map[[2]unsafe.Pointer]bool{}}
	return c.same(reflect.ValueOf(a), reflect.ValueOf(b))
}

type comparison struct{ seen map[[2]unsafe.Pointer]bool }

var (
	valueType   = reflect.TypeFor[value.Value]()
	specType    = reflect.TypeFor[*traversal.Spec]()
	optionsType = reflect.TypeFor[*traversal.SourceOptions]()
)

func (c *comparison) same(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() || !a.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Type() {
	case valueType:
		return c.sameValue(a, b)
	case specType:
		return a.Pointer() == b.Pointer()
	case optionsType:
		return true // made of source instructions, which are part of the shape
	}
	switch a.Kind() {
	case reflect.Pointer:
		return c.samePointer(a, b)
	case reflect.Interface:
		return c.same(reachable(a.Elem()), reachable(b.Elem()))
	case reflect.Struct:
		for i := range a.NumField() {
			if !c.same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		return c.sameElements(a, b)
	case reflect.Map:
		return a.Len() == 0 && b.Len() == 0
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return a.IsNil() && b.IsNil()
	case reflect.String:
		return a.String() == b.String()
	}
	return a.Equal(b)
}

func (c *comparison) samePointer(a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() || a.Pointer() == b.Pointer() {
		return a.Pointer() == b.Pointer()
	}
	pair := [2]unsafe.Pointer{a.UnsafePointer(), b.UnsafePointer()}
	if c.seen[pair] {
		return true
	}
	c.seen[pair] = true
	return c.same(a.Elem(), b.Elem())
}

func (c *comparison) sameElements(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !c.same(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

// sameValue compares values; those of nested bytecode stand beside the child plan
// that was made of it, which is compared by itself.
func (c *comparison) sameValue(a, b reflect.Value) bool {
	if !a.CanAddr() || !b.CanAddr() {
		return false
	}
	x, y := *(*value.Value)(unsafe.Pointer(a.UnsafeAddr())), *(*value.Value)(unsafe.Pointer(b.UnsafeAddr()))
	if x.Kind() != y.Kind() {
		return false
	}
	switch p := x.Object().(type) {
	case *traversal.Bytecode:
		return true
	case *traversal.P:
		return c.same(reflect.ValueOf(p), reflect.ValueOf(y.Object()))
	}
	return value.Identical(x, y)
}

// reachable copies the content of an interface to where its fields have addresses.
func reachable(v reflect.Value) reflect.Value {
	if !v.IsValid() || v.Kind() == reflect.Pointer || !v.CanInterface() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}
