package plancache

import "github.com/gremlind/gremlind/storage/value"

// Constants reports whether the scalars at some point of a traversal are constants: what
// requests with one plan may differ in. It is decided here and nowhere else: the shape of
// bytecode, what is put into a shape, and the form of a request that is not decoded all ask
// while they walk.
type Constants bool

// Kept says that all values belong to the shape: those of the instructions of a source do.
const Kept Constants = false

// ConstantsAt is said of an argument of a step. Constants are what only says which element
// or value is meant: ids, what has() compares with, and the value of property().
func ConstantsAt(step string, args, arg int) Constants {
	switch step {
	case "V", "E":
		return true
	case "has":
		return arg > 0 && arg == args-1
	case "property":
		return arg > 0 && arg == args-1 && args <= 3
	}
	return Kept
}

// Within is said of the arguments of a predicate that is such an argument; text says that
// it compares parts of texts, which strategies look at. The steps of a child are asked
// about by themselves.
func (c Constants) Within(text bool) Constants { return c && Constants(!text) }

// LeavesOut reports whether v is a constant: a scalar whose kind alone decides what
// strategies make of it.
func (c Constants) LeavesOut(v value.Value) bool {
	if !c {
		return false
	}
	switch v.Kind() {
	case value.KindInt, value.KindLong, value.KindString, value.KindUUID:
		return true
	case value.KindDouble:
		return v.Float64() == v.Float64()
	}
	return false
}
