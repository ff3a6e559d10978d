// Package value holds the one type that everything in gremlind carries: traversers,
// properties, ids, arguments, results. A Value is a small tagged union; numbers,
// booleans, strings and references to stored elements cost no allocation to make.
//
// Kinds keep Java's widths, because drivers, predicates and promotion depend on
// them. Equality, identity, comparability and orderability are in compare.go and
// follow TinkerPop's Gremlin Semantics page. The two byte forms are in msgpack.go
// (values of cells) and ordered.go (parts of keys).
//
// A Value is immutable. Lists, sets and maps are shared by reference: whoever
// builds one stops changing it once it is wrapped. Only the BulkSet of aggregate() goes
// on growing. What a collection stands for is in extent.go.
package value

import (
	"math"
	"unsafe"
)

// Value is the tagged union. The zero Value is Gremlin's null.
type Value struct {
	ptr  unsafe.Pointer
	num  uint64
	kind Kind
	ext  extent // of a collection
}

// Null is Gremlin's null.
var Null = Value{}

// Kind returns what v holds.
func (v Value) Kind() Kind { return v.kind }

// IsNull reports whether v is Gremlin's null.
func (v Value) IsNull() bool { return v.kind == KindNull }

// Bool wraps a java.lang.Boolean.
func Bool(b bool) Value {
	v := Value{kind: KindBool}
	if b {
		v.num = 1
	}
	return v
}

// Byte wraps a java.lang.Byte.
func Byte(n int8) Value { return Value{kind: KindByte, num: uint64(n)} }

// Short wraps a java.lang.Short.
func Short(n int16) Value { return Value{kind: KindShort, num: uint64(n)} }

// Int wraps a java.lang.Integer.
func Int(n int32) Value { return Value{kind: KindInt, num: uint64(n)} }

// Long wraps a java.lang.Long.
func Long(n int64) Value { return Value{kind: KindLong, num: uint64(n)} }

// Float wraps a java.lang.Float.
func Float(f float32) Value { return Value{kind: KindFloat, num: uint64(math.Float32bits(f))} }

// Double wraps a java.lang.Double.
func Double(f float64) Value { return Value{kind: KindDouble, num: math.Float64bits(f)} }

// Char wraps a java.lang.Character, or a whole code point beyond the BMP.
func Char(r rune) Value { return Value{kind: KindChar, num: uint64(r)} }

// String wraps a java.lang.String.
func String(s string) Value { return text(KindString, s) }

// Class wraps a java.lang.Class by its fully qualified name.
func Class(name string) Value { return text(KindClass, name) }

// Enum wraps a constant of one of TinkerPop's enumerations, by its Java name.
// k is one of the kinds for which Kind.IsEnum is true.
func Enum(k Kind, name string) Value { return text(k, name) }

func text(k Kind, s string) Value {
	return Value{kind: k, num: uint64(len(s)), ptr: unsafe.Pointer(unsafe.StringData(s))}
}

// VertexRef refers to a stored vertex by its internal id.
func VertexRef(id uint64) Value { return Value{kind: KindVertex, num: id} }

// EdgeRef refers to a stored edge by its internal id.
func EdgeRef(id uint64) Value { return Value{kind: KindEdge, num: id} }

// List wraps a java.util.List. The caller stops changing elems.
func List(elems []Value) Value {
	var x inside
	x.addAll(elems)
	return x.of(Value{kind: KindList, num: uint64(len(elems)), ptr: unsafe.Pointer(unsafe.SliceData(elems))})
}

// Binary wraps a java.nio.ByteBuffer. The caller stops changing b.
func Binary(b []byte) Value {
	return Value{kind: KindBinary, num: uint64(len(b)), ptr: unsafe.Pointer(unsafe.SliceData(b))}
}

// Bool returns the boolean; v must be KindBool.
func (v Value) Bool() bool { return v.num != 0 }

// Int64 returns the number of a Byte, Short, Int, Long or Char.
func (v Value) Int64() int64 { return int64(v.num) }

// Float64 returns the number of a Float or Double.
func (v Value) Float64() float64 {
	if v.kind == KindFloat {
		return float64(math.Float32frombits(uint32(v.num)))
	}
	return math.Float64frombits(v.num)
}

// Float32 returns the number of a Float.
func (v Value) Float32() float32 { return math.Float32frombits(uint32(v.num)) }

// Str returns the text of a String, Class or enum constant, and "" for other kinds.
func (v Value) Str() string {
	if v.kind == KindString || v.kind == KindClass || v.kind.IsEnum() {
		return unsafe.String((*byte)(v.ptr), int(v.num))
	}
	return ""
}

// Ref returns the internal id of a stored vertex or edge. It is meaningful only
// when Detached is nil.
func (v Value) Ref() uint64 { return v.num }

// IsStored reports whether v refers to a vertex or edge of the request's graph,
// as opposed to a detached copy.
func (v Value) IsStored() bool {
	return (v.kind == KindVertex || v.kind == KindEdge) && v.ptr == nil
}

// Elems returns the elements of a List; the caller must not change them.
func (v Value) Elems() []Value {
	if v.kind != KindList {
		return nil
	}
	return unsafe.Slice((*Value)(v.ptr), int(v.num))
}

// Bytes returns the content of a Binary; the caller must not change it.
func (v Value) Bytes() []byte {
	if v.kind != KindBinary {
		return nil
	}
	return unsafe.Slice((*byte)(v.ptr), int(v.num))
}
