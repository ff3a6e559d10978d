package plancache

import (
	"reflect"
	"unsafe"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// sizeOf is about what a pointer's target takes of memory, in bytes, with everything that
// it refers to. Specs belong to the registry. Plans that are kept hold no functions, so
// all of them can be seen.
func sizeOf(pointer any) int {
	s := sizing{seen: map[unsafe.Pointer]bool{}}
	return s.behind(reflect.ValueOf(pointer))
}

type sizing struct{ seen map[unsafe.Pointer]bool }

// partBytes is what a part of a collection takes; a map has memory for twice its entries.
const (
	partBytes = 32
	mapFactor = 2
)

// behind is what v refers to, without v itself.
func (s *sizing) behind(v reflect.Value) int {
	if !v.IsValid() {
		return 0
	}
	switch v.Type() {
	case specType:
		return 0
	case valueType:
		return s.value(v)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || s.seen[v.UnsafePointer()] {
			return 0
		}
		s.seen[v.UnsafePointer()] = true
		return int(v.Type().Elem().Size()) + s.behind(v.Elem())
	case reflect.Interface:
		e := v.Elem()
		if e.IsValid() && e.Kind() != reflect.Pointer {
			return int(e.Type().Size()) + s.behind(reachable(e))
		}
		return s.behind(e)
	case reflect.Struct:
		n := 0
		for i := range v.NumField() {
			n += s.behind(v.Field(i))
		}
		return n
	case reflect.Slice:
		return v.Cap()*int(v.Type().Elem().Size()) + s.elements(v)
	case reflect.Array:
		return s.elements(v)
	case reflect.Map:
		return s.entries(v)
	case reflect.String:
		return v.Len()
	}
	return 0
}

func (s *sizing) elements(v reflect.Value) int {
	n := 0
	for i := range v.Len() {
		n += s.behind(v.Index(i))
	}
	return n
}

func (s *sizing) entries(v reflect.Value) int {
	n := mapFactor * v.Len() * int(v.Type().Key().Size()+v.Type().Elem().Size())
	for it := v.MapRange(); it.Next(); {
		n += s.behind(reachable(it.Key())) + s.behind(reachable(it.Value()))
	}
	return n
}

// value is what a value.Value refers to.
func (s *sizing) value(v reflect.Value) int {
	if !v.CanAddr() {
		return partBytes // out of reach
	}
	x := *(*value.Value)(unsafe.Pointer(v.UnsafeAddr()))
	switch o := x.Object().(type) {
	case *traversal.Bytecode:
		return s.behind(reflect.ValueOf(o))
	case *traversal.P:
		return s.behind(reflect.ValueOf(o))
	case nil:
		return len(x.Str()) + partBytes*int(x.Parts())
	}
	return partBytes + partBytes*int(x.Parts())
}
