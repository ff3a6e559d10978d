package value

import "math/bits"

// extent says what a collection stands for: how many values are inside of it, through
// all levels, and how many levels. It travels with the Value, so that it is known
// without looking: what is small in memory may stand for more than can ever be
// written, as a list that holds one list twice, which holds one list twice, and so on.
//
// It is one field, for a Value must not have more than four: the compiler keeps
// structs of more out of registers. From above: grows, 8 bits of depth, and the number of values
// as 5 bits of exponent and 18 of mantissa, rounded up.
type extent uint32

const (
	grows        extent = 1 << 31 // a BulkSet is inside, which may become larger
	depthMax            = 1<<8 - 1
	depthShift          = 23
	exponentMax         = 1<<5 - 1
	mantissaBits        = 18
	mantissaMax         = 1<<mantissaBits - 1
	partsMax            = mantissaMax << exponentMax
	emptyExtent  extent = 1 << depthShift
)

func (e extent) depth() int { return int(e>>depthShift) & depthMax }

func (e extent) parts() int64 {
	return int64(e&mantissaMax) << (e >> mantissaBits & exponentMax)
}

// inside adds up what a collection holds while it is built.
type inside struct {
	parts int64
	depth int // of the deepest
	grows extent
}

func (x *inside) add(v Value) {
	x.parts++
	if v.ext == 0 {
		return
	}
	x.parts = min(x.parts+v.ext.parts(), partsMax)
	x.depth = max(x.depth, v.ext.depth())
	x.grows |= v.ext & grows
}

func (x *inside) addAll(list []Value) {
	for i := range list {
		x.add(list[i])
	}
}

// remove leaves the depth as it was, and the parts of what is too large to count.
func (x *inside) remove(v Value) {
	if x.parts < partsMax {
		x.parts -= 1 + v.ext.parts()
	}
}

// of notes x in v, the collection around it.
func (x *inside) of(v Value) Value {
	exponent := max(bits.Len64(uint64(x.parts))-mantissaBits, 0)
	mantissa := (x.parts + 1<<exponent - 1) >> exponent
	if mantissa > mantissaMax {
		mantissa, exponent = mantissa>>1, exponent+1
	}
	if exponent > exponentMax {
		mantissa, exponent = mantissaMax, exponentMax
	}
	v.ext = x.grows | extent(min(x.depth+1, depthMax))<<depthShift | extent(exponent)<<mantissaBits | extent(mantissa)
	return v
}

// Parts returns the number of values inside of a collection, through all levels: as
// many as are written when it is. A value that is there twice counts twice. A BulkSet
// inside counts with what it held when it was put there. Beyond 2^18 the number is
// rounded up, by less than 1 in 10^5 a level, and at most some 10^14.
func (v Value) Parts() int64 { return v.ext.parts() }

// Depth returns the levels of collections: 0 for what is none, at most 255.
func (v Value) Depth() int { return v.ext.depth() }

// Exceeds reports whether there are more than max values inside of v now.
func (v Value) Exceeds(max int) bool {
	if v.ext&grows == 0 {
		return v.ext.parts() > int64(max)
	}
	w := walk{left: max}
	return !w.contents(v)
}

// Holds reports whether s is v or inside of it, or v is too large to know: more than
// max values.
func (v Value) Holds(s *BulkSet, max int) bool {
	if v.ext&grows == 0 {
		return false
	}
	w := walk{left: max, until: s}
	return !w.contents(v)
}

// walk looks at all values inside of one, until there are no more left or until one
// of them is the set that it looks for.
type walk struct {
	left  int
	until *BulkSet
}

// contents is false when the walk is to end.
func (w *walk) contents(v Value) bool {
	switch v.kind {
	case KindList:
		return w.all(v.Elems())
	case KindSet:
		return w.all(v.Set().Elems())
	case KindBulkSet:
		return v.BulkSet() != w.until && w.all(v.BulkSet().keys)
	case KindMap:
		return w.all(v.Map().Keys()) && w.all(v.Map().Values())
	case KindMapEntry:
		return w.all([]Value{v.MapEntry().Key, v.MapEntry().Value})
	case KindPath:
		return w.all(v.Path().Objects)
	case KindTree:
		return w.tree(v.Tree())
	}
	return true
}

func (w *walk) all(list []Value) bool {
	if w.left -= len(list); w.left < 0 {
		return false
	}
	for i := range list {
		if list[i].ext != 0 && !w.contents(list[i]) {
			return false
		}
	}
	return true
}

func (w *walk) tree(t *Tree) bool {
	if w.left -= len(t.Children); w.left < 0 || !w.all(t.Keys) {
		return false
	}
	for _, c := range t.Children {
		if !w.tree(c) {
			return false
		}
	}
	return true
}
