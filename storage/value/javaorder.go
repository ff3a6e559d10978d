package value

import (
	"math"
	"slices"
	"unicode/utf16"
)

// javaOrderMax is up to how many keys a grouping comes in the order of the reference's
// java.util.HashMap; larger ones keep the order of first coming.
const javaOrderMax = 4096

// IDs tells the ids of stored elements.
type IDs interface {
	ID(element Value) (Value, error)
}

// JavaOrder returns the positions of keys in the order in which a HashMap that they
// were put into gives them back: clients see it in unfold(). ids may be nil where no key
// is a stored element. Nil when a key's hash code changes with every start of the
// reference (enumerations), or there are too many.
func JavaOrder(keys []Value, ids IDs) []int32 {
	if len(keys) > javaOrderMax {
		return nil
	}
	size := uint32(16)
	for 4*len(keys) > 3*int(size) {
		size *= 2
	}
	buckets := make([]uint32, len(keys))
	order := make([]int32, len(keys))
	for i, k := range keys {
		h, ok := javaHash(k, ids)
		if !ok {
			return nil
		}
		buckets[i], order[i] = (h^h>>16)&(size-1), int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return int(buckets[a]) - int(buckets[b]) })
	return order
}

// javaHash is Java's hashCode() of what clients group by.
func javaHash(v Value, ids IDs) (uint32, bool) {
	switch v.Kind() {
	case KindNull:
		return 0, true
	case KindString:
		var h uint32
		for _, u := range utf16.Encode([]rune(v.Str())) {
			h = 31*h + uint32(u)
		}
		return h, true
	case KindByte, KindShort, KindInt, KindChar:
		return uint32(v.Int64()), true
	case KindLong:
		return fold64(uint64(v.Int64())), true
	case KindDouble:
		return fold64(math.Float64bits(v.Float64())), true
	case KindFloat:
		return math.Float32bits(v.Float32()), true
	case KindBool:
		if v.Bool() {
			return 1231, true
		}
		return 1237, true
	case KindList:
		h := uint32(1)
		for _, e := range v.Elems() {
			x, ok := javaHash(e, ids)
			if !ok {
				return 0, false
			}
			h = 31*h + x
		}
		return h, true
	case KindVertex, KindEdge:
		return elementHash(v, ids)
	case KindVertexProperty:
		return javaHash(v.VertexProperty().ID, ids)
	}
	return 0, false
}

// elementHash is that of an element: of its id.
func elementHash(v Value, ids IDs) (uint32, bool) {
	if e := v.Detached(); e != nil {
		return javaHash(e.ID, ids)
	}
	if ids == nil {
		return 0, false
	}
	id, err := ids.ID(v)
	if err != nil { // it is gone: the order is no reason to fail
		return 0, false
	}
	return javaHash(id, ids)
}

func fold64(n uint64) uint32 { return uint32(n ^ n>>32) }

// JavaOrdered returns s with its elements in the order in which a HashSet has them; s itself
// where that is not known. ids is JavaOrder's.
func (s *Set) JavaOrdered(ids IDs) *Set {
	order := JavaOrder(s.Elems(), ids)
	if order == nil {
		return s
	}
	out := NewSet()
	for _, i := range order {
		out.Add(s.Elems()[i])
	}
	return out
}
