package keyed

import "math/bits"

// Index numbers keys in the order of their coming, and finds the places of a key again:
// open addressing, linearly probed, at most three quarters full. The zero Index is empty.
// Its owner keeps what belongs to the places, in columns beside it.
type Index struct {
	keys []uint64 // by place
	// slots are base + place + 1, where a key is or would be; a power of two of them. What
	// is base or below stands for a free one, so that Reset need not clear them.
	slots []uint32
	base  uint32
	shift uint8
}

const (
	indexMin = 16
	// baseMax is where Reset clears the slots after all. Fewer keys than that fit behind it.
	baseMax = 1 << 31
	// scatter spreads keys over the slots: 2^64 by the golden ratio.
	scatter = 0x9e3779b97f4a7c15
)

// Len returns the number of places.
func (x *Index) Len() int { return len(x.keys) }

// Keys returns the keys by place; the caller must not change them.
func (x *Index) Keys() []uint64 { return x.keys }

// Look is where a search for the places of one key is.
type Look struct {
	key  uint64
	slot uint64
}

// Look begins a search.
func (x *Index) Look(key uint64) Look { return Look{key, key * scatter >> (x.shift & 63)} }

// Next returns another place of the key, -1 when there is none left.
func (x *Index) Next(l *Look) int {
	mask := uint64(len(x.slots) - 1)
	for l.slot < uint64(len(x.slots)) {
		at := x.slots[l.slot]
		if at <= x.base {
			break
		}
		l.slot = (l.slot + 1) & mask
		if i := int(at - x.base - 1); x.keys[i] == l.key {
			return i
		}
	}
	return -1
}

// Find returns the first place of a key, -1 when there is none.
func (x *Index) Find(key uint64) int {
	l := x.Look(key)
	return x.Next(&l)
}

// Add returns the place of a key, and whether it is new. It is for keys that do not
// repeat.
func (x *Index) Add(key uint64) (place int, isNew bool) {
	l := x.Look(key)
	if i := x.Next(&l); i >= 0 {
		return i, false
	}
	x.keys = append(x.keys, key)
	if n := len(x.keys); x.crowded(n) {
		x.resize(n)
	} else {
		x.slots[l.slot] = x.base + uint32(n) // the search ended at a free one
	}
	return len(x.keys) - 1, true
}

// Append gives a key the next place, whether or not it has one.
func (x *Index) Append(key uint64) {
	x.keys = append(x.keys, key)
	if x.crowded(len(x.keys)) {
		x.resize(len(x.keys))
		return
	}
	x.put(len(x.keys) - 1)
}

func (x *Index) crowded(keys int) bool { return 4*keys > 3*len(x.slots) }

// put enters the key at a place into the slots.
func (x *Index) put(i int) {
	mask := uint64(len(x.slots) - 1)
	s := x.keys[i] * scatter >> x.shift
	for x.slots[s] > x.base {
		s = (s + 1) & mask
	}
	x.slots[s] = x.base + uint32(i) + 1
}

// resize makes slots for so many keys and more, and enters those that there are.
func (x *Index) resize(keys int) {
	n := slotsFor(keys)
	if n > len(x.slots) {
		x.setSlots(make([]uint32, n))
	} else {
		clear(x.slots)
	}
	x.base = 0
	for i := range x.keys {
		x.put(i)
	}
}

func (x *Index) setSlots(slots []uint32) {
	x.slots, x.shift = slots, uint8(64-bits.TrailingZeros(uint(len(slots))))
}

// lend gives an empty Index its first memory: slots are a power of two, and zeros.
func (x *Index) lend(keys []uint64, slots []uint32) {
	x.keys = keys
	x.setSlots(slots)
}

// slotsFor is how many slots so many keys need.
func slotsFor(keys int) int {
	n := indexMin
	for 4*keys > 3*n {
		n *= 2
	}
	return n
}

// Drop forgets the first n places; those behind them move up.
func (x *Index) Drop(n int) {
	x.keys = x.keys[:copy(x.keys, x.keys[n:])]
	x.resize(len(x.keys))
}

// Remove forgets one place; those behind it move up. It takes time in the number of keys,
// but for the first place and the last.
func (x *Index) Remove(i int) {
	x.free(i)
	last := len(x.keys) - 1
	switch i {
	case 0: // all others are one less behind a base of one more
		x.keys = x.keys[1:]
		x.base++
	case last:
		x.keys = x.keys[:last]
	default:
		x.keys = append(x.keys[:i], x.keys[i+1:]...)
		x.lower(x.base + uint32(i) + 1)
	}
	switch {
	case len(x.slots) > slotsFor(sparse*last):
		x.setSlots(make([]uint32, slotsFor(2*last)))
		x.resize(last)
	case x.base >= baseMax:
		x.resize(last)
	}
}

// lower takes one off the slots that are greater. Which are is random: no branch would be
// foreseen.
func (x *Index) lower(than uint32) {
	for s, at := range x.slots {
		x.slots[s] = at - uint32((uint64(than)-uint64(at))>>63)
	}
}

// sparse is how many times as many keys there must be room for that Remove gives some up.
const sparse = 8

// free takes the key at a place out of the slots. Those that were put behind it since its
// slot was taken move up, or they would not be found.
func (x *Index) free(i int) {
	mask := uint64(len(x.slots) - 1)
	hole := x.keys[i] * scatter >> x.shift
	for x.slots[hole] != x.base+uint32(i)+1 {
		hole = (hole + 1) & mask
	}
	for s := (hole + 1) & mask; x.slots[s] > x.base; s = (s + 1) & mask {
		home := x.keys[x.slots[s]-x.base-1] * scatter >> x.shift
		if (s-home)&mask >= (s-hole)&mask {
			x.slots[hole], hole = x.slots[s], s
		}
	}
	x.slots[hole] = 0
}

// Reset forgets all keys and keeps the memory.
func (x *Index) Reset() {
	if x.base += uint32(len(x.keys)); x.base >= baseMax {
		clear(x.slots)
		x.base = 0
	}
	x.keys = x.keys[:0]
}

// Grow makes room for so many keys in all: up to there Append takes no memory.
func (x *Index) Grow(keys int) {
	if keys > cap(x.keys) {
		x.keys = append(make([]uint64, 0, keys), x.keys...)
	}
	if x.crowded(keys) {
		x.resize(keys)
	}
}

// IndexBytes is what an Index takes that Grow made for so many keys.
func IndexBytes(keys int) int64 { return int64(8*keys + 4*slotsFor(keys)) }
