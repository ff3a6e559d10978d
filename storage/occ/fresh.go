package occ

import (
	"bytes"
	"hash/maphash"
	"iter"
	"slices"

	"github.com/gremlind/gremlind/storage"
)

// freshMax is how many keys fresh has at most.
const freshMax = 256

// fresh is what the newest commits wrote, until there is enough of it for a stretch (see
// recent). It is a hash table of keys and not sorted, because most transactions are so
// short that they are compared only with the few commits of their own group, and nearly
// always by single keys. Ranges are looked for in all of it, which is why it is small.
type fresh struct {
	layout      *storage.Layout
	first, last uint64              // commits
	keys        []freshKey          // in the order of their first write
	rows        []uint64            // hashes of the keys' rows
	met         [64]uint64          // bits of those hashes: most rows that are looked for are none of them
	slots       [4 * freshMax]int16 // by a key's hash, or behind: its place in keys plus 1
}

type freshKey struct {
	key []byte // in the memory of the first transaction that wrote it
	recentWrite
}

var hashSeed = maphash.MakeSeed()

func hashOf(key []byte) uint64 { return maphash.Bytes(hashSeed, key) }

// add notes what r wrote, as commit seq.
func (f *fresh) add(r *request, seq uint64) {
	if len(r.Writes) == 0 {
		return
	}
	if len(f.keys) == 0 {
		f.first = seq
	}
	f.last = seq
	for i := range r.Writes {
		f.put(r.Writes[i].Key, writeOf(&r.Writes[i], seq))
	}
}

func (f *fresh) put(key []byte, w recentWrite) {
	slot, i := f.find(key)
	if i >= 0 {
		f.keys[i].recentWrite = f.keys[i].and(w)
		return
	}
	f.keys = append(f.keys, freshKey{key, w})
	row := hashOf(f.layout.RowOf(key))
	f.rows = append(f.rows, row)
	word, bit := f.bit(row)
	*word |= bit
	f.slots[slot] = int16(len(f.keys))
}

// bit returns where met says whether a row with the hash was met.
func (f *fresh) bit(hash uint64) (word *uint64, bit uint64) {
	return &f.met[hash>>6%uint64(len(f.met))], 1 << (hash % 64)
}

// find returns the place of key, negative when it is not there, and its slot.
func (f *fresh) find(key []byte) (slot, i int) {
	slot = int(hashOf(key) % uint64(len(f.slots)))
	for {
		i = int(f.slots[slot]) - 1
		if i < 0 || bytes.Equal(f.keys[i].key, key) {
			return slot, i
		}
		slot = (slot + 1) % len(f.slots)
	}
}

// reset forgets everything.
func (f *fresh) reset() {
	clear(f.keys)
	clear(f.slots[:])
	clear(f.met[:])
	f.keys, f.rows, f.first, f.last = f.keys[:0], f.rows[:0], 0, 0
}

// sorted returns the keys in their order; f is to be reset then.
func (f *fresh) sorted() []freshKey {
	slices.SortFunc(f.keys, func(a, b freshKey) int { return bytes.Compare(a.key, b.key) })
	return f.keys
}

// all goes through the keys.
func (f *fresh) all() iter.Seq2[[]byte, recentWrite] {
	return func(yield func([]byte, recentWrite) bool) {
		for i := range f.keys {
			if !yield(f.keys[i].key, f.keys[i].recentWrite) {
				return
			}
		}
	}
}

// wroteKey reports whether key was written after start; exceptDeltas leaves deltas out.
func (f *fresh) wroteKey(key []byte, start uint64, exceptDeltas bool) bool {
	_, i := f.find(key)
	return i >= 0 && f.keys[i].after(start, exceptDeltas)
}

// inSpans looks for a write within one of the spans.
func (f *fresh) inSpans(spans []Span, start uint64) ([]byte, bool) {
	if len(spans) > len(f.keys) {
		return keysInSpans(f.all(), spans, start)
	}
	for _, s := range spans {
		if s.single() {
			if f.wroteKey(s.From, start, false) {
				return s.From, true
			}
		} else if key, found := f.inSpan(s, start); found {
			return key, true
		}
	}
	return nil, false
}

func (f *fresh) inSpan(s Span, start uint64) ([]byte, bool) {
	row, within := s.row(f.layout)
	hash := hashOf(row)
	if word, bit := f.bit(hash); within && *word&bit == 0 {
		return nil, false
	}
	for i := range f.keys {
		if within && f.rows[i] != hash {
			continue
		}
		if k := &f.keys[i]; k.any > start && bytes.Compare(k.key, s.From) >= 0 && before(k.key, s.To) {
			return k.key, true
		}
	}
	return nil, false
}

// sameKeys looks for a key that r writes too.
func (f *fresh) sameKeys(r *request) ([]byte, bool) {
	if len(r.Writes) > len(f.keys) {
		return keysWritten(f.all(), r)
	}
	for i := range r.Writes {
		if w := &r.Writes[i]; f.wroteKey(w.Key, r.start, w.soft()) {
			return w.Key, true
		}
	}
	return nil, false
}
