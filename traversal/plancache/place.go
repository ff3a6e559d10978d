package plancache

import "github.com/gremlind/gremlind/storage/value"

// Place is where a value stands in a traversal. It says which values are constants, and
// nothing else does: the shape of bytecode, what is put into a shape, and the form of a
// request that is not decoded all ask it while they walk.
type Place bool

// Kept is a place whose values all belong to the shape: the instructions of a source are
// such.
const Kept Place = false

// PlaceOf is the place of an argument of a step. Constants are what only says which
// element or value is meant: ids, what has() compares with, and the value of property().
func PlaceOf(step string, args, arg int) Place {
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

// Within is the place of the arguments of a predicate that stands at p; text says that it
// compares parts of texts, which strategies look at. The steps of a child have places of
// their own.
func (p Place) Within(text bool) Place { return p && Place(!text) }

// LeavesOut reports whether v is a constant at p: a scalar whose kind alone decides what
// strategies make of it.
func (p Place) LeavesOut(v value.Value) bool {
	if !p {
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
