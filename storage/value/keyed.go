package value

import (
	"slices"
	"sync/atomic"

	tables "github.com/gremlind/gremlind/storage/keyed"
)

// linearMax is how many keys are searched one by one; beyond it they are hashed.
const linearMax = 8

// keyed is the insertion-ordered list of distinct keys beneath Map, Set and BulkSet.
type keyed struct {
	sum    uint64 // of settle, 0 until then; first, so that it is aligned everywhere
	keys   []Value
	places *tables.Index // of the keys, by their hash; nil while they are few
	holds  inside        // the keys, and the values of a Map
}

// find returns the position of k, or -1.
func (s *keyed) find(k Value) int {
	if s.places != nil {
		return s.lookup(k, Hash(k))
	}
	for i := range s.keys {
		if Identical(s.keys[i], k) {
			return i
		}
	}
	return -1
}

func (s *keyed) lookup(k Value, h uint64) int {
	look := s.places.Look(h)
	for i := s.places.Next(&look); i >= 0; i = s.places.Next(&look) {
		if Identical(s.keys[i], k) {
			return i
		}
	}
	return -1
}

// add returns the position of k and whether it is new. k is not changed any more.
func (s *keyed) add(k Value) (int, bool) {
	if k.ext != 0 && (s.places != nil || k.ext.depth() > 1) {
		k.settle()
	}
	s.changed()
	if s.places == nil {
		if i := s.find(k); i >= 0 {
			return i, false
		}
		s.append(k)
		if len(s.keys) > linearMax {
			s.hash()
		}
		return len(s.keys) - 1, true
	}
	h := Hash(k)
	if i := s.lookup(k, h); i >= 0 {
		return i, false
	}
	s.append(k)
	s.places.Append(h)
	return len(s.keys) - 1, true
}

func (s *keyed) append(k Value) {
	s.holds.add(k)
	s.keys = append(s.keys, k)
}

// hash begins to find the keys by their hash.
func (s *keyed) hash() {
	s.places = &tables.Index{}
	s.places.Grow(2 * len(s.keys))
	for _, k := range s.keys {
		s.places.Append(Hash(k))
	}
}

// settle notes the hashes of the maps and sets in a value that nobody changes any more.
// One that is a key of a key of a key would be hashed as often as there are levels
// otherwise, and be compared, where it is alike at the top, with as many others.
func (v Value) settle() {
	if v.ext == 0 || v.ext&grows != 0 {
		return
	}
	switch v.kind {
	case KindSet:
		if s := v.Set(); s != nil {
			s.settle(nil)
		}
	case KindMap:
		if m := v.Map(); m != nil {
			m.settle(m.values)
		}
	case KindList:
		if v.ext.depth() > 1 {
			settleAll(v.Elems())
		}
	case KindMapEntry:
		v.MapEntry().Key.settle()
		v.MapEntry().Value.settle()
	case KindPath:
		settleAll(v.Path().Objects)
	case KindTree:
		v.Tree().settle()
	}
}

func settleAll(list []Value) {
	for i := range list {
		list[i].settle()
	}
}

func (t *Tree) settle() {
	settleAll(t.Keys)
	for _, c := range t.Children {
		c.settle()
	}
}

func (s *keyed) settle(values []Value) {
	if s.settled() != 0 {
		return
	}
	settleAll(s.keys)
	settleAll(values)
	atomic.StoreUint64(&s.sum, hashUnordered(s.keys, values))
}

// settled is what settle noted, 0 when it did not.
func (s *keyed) settled() uint64 { return atomic.LoadUint64(&s.sum) }

// changed forgets it. Who changes a collection is alone with it.
func (s *keyed) changed() {
	if s.sum != 0 {
		s.sum = 0
	}
}

// shrinkFrom is the room from which less is kept for what is left.
const shrinkFrom = 64

// without takes out position i, and gives up room when little of it is used.
func without(list []Value, i int) []Value {
	if i == 0 { // its room goes when the list grows
		list[0] = Value{}
		list = list[1:]
	} else {
		list = slices.Delete(list, i, i+1)
	}
	if cap(list) > shrinkFrom && len(list) < cap(list)/4 {
		return append(make([]Value, 0, 2*len(list)), list...)
	}
	return list
}

// remove takes out position i and closes the gap; it costs time in the number of keys, but
// for the first and the last.
func (s *keyed) remove(i int) {
	s.changed()
	s.holds.remove(s.keys[i])
	s.keys = without(s.keys, i)
	switch {
	case s.places == nil:
	case len(s.keys) <= linearMax/2:
		s.places = nil
	default:
		s.places.Remove(i)
	}
}
