package value

// linearMax is how many keys are searched one by one; beyond it a hash table is kept.
const linearMax = 8

// keyed is the insertion-ordered list of distinct keys beneath Map, Set and BulkSet.
type keyed struct {
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

// add returns the position of k and whether it is new.
func (s *keyed) add(k Value) (int, bool) {
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
