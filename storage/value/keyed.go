package value

import "sync/atomic"

// linearMax is how many keys are searched one by one; beyond it a hash table is kept.
const linearMax = 8

// keyed is the insertion-ordered list of distinct keys beneath Map, Set and BulkSet.
type keyed struct {
	sum    uint64 // of settle, 0 until then; first, so that it is aligned everywhere
	keys   []Value
	hashes []uint64 // parallel to keys once slots exists
	slots  []uint32 // open addressing: position+1 of a key, 0 for free; a power of two
	holds  inside   // the keys, and the values of a Map
}

// find returns the position of k, or -1.
func (s *keyed) find(k Value) int {
	if s.slots == nil {
		for i := range s.keys {
			if Identical(s.keys[i], k) {
				return i
			}
		}
		return -1
	}
	return s.lookup(k, Hash(k))
}

func (s *keyed) lookup(k Value, h uint64) int {
	mask := uint64(len(s.slots) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		p := s.slots[at]
		if p == 0 {
			return -1
		}
		if i := int(p - 1); s.hashes[i] == h && Identical(s.keys[i], k) {
			return i
		}
	}
}

// add returns the position of k and whether it is new. k is not changed any more.
func (s *keyed) add(k Value) (int, bool) {
	if k.ext != 0 && (s.slots != nil || k.ext.depth() > 1) {
		k.settle()
	}
	s.changed()
	if s.slots == nil {
		if i := s.find(k); i >= 0 {
			return i, false
		}
		s.holds.add(k)
		s.keys = append(s.keys, k)
		if len(s.keys) > linearMax {
			s.rebuild()
		}
		return len(s.keys) - 1, true
	}
	h := Hash(k)
	if i := s.lookup(k, h); i >= 0 {
		return i, false
	}
	s.holds.add(k)
	s.keys, s.hashes = append(s.keys, k), append(s.hashes, h)
	if len(s.keys)*4 > len(s.slots)*3 {
		s.resize()
	} else {
		s.place(len(s.keys) - 1)
	}
	return len(s.keys) - 1, true
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

func (s *keyed) place(i int) {
	mask := uint64(len(s.slots) - 1)
	at := s.hashes[i] & mask
	for s.slots[at] != 0 {
		at = (at + 1) & mask
	}
	s.slots[at] = uint32(i + 1)
}

// rebuild computes the hash table from the keys.
func (s *keyed) rebuild() {
	s.hashes = s.hashes[:0]
	for _, k := range s.keys {
		s.hashes = append(s.hashes, Hash(k))
	}
	s.resize()
}

func (s *keyed) resize() {
	n := 2 * linearMax
	for n < 2*len(s.keys) {
		n *= 2
	}
	s.slots = make([]uint32, n)
	for i := range s.keys {
		s.place(i)
	}
}

// remove takes out position i and closes the gap; it costs time in the number of keys.
func (s *keyed) remove(i int) {
	s.changed()
	s.holds.remove(s.keys[i])
	s.keys = append(s.keys[:i], s.keys[i+1:]...)
	if s.slots == nil {
		return
	}
	s.hashes = append(s.hashes[:i], s.hashes[i+1:]...)
	if len(s.keys) <= linearMax/2 {
		s.slots, s.hashes = nil, nil
		return
	}
	clear(s.slots)
	for i := range s.keys {
		s.place(i)
	}
}
