package steps

import "math/bits"

// bulkTable sums bulks by vertex: open addressing with linear probing, at most three
// quarters full. A bulk of 0 marks a free slot, so bulks that cancel out (they wrap as
// Java's long does) lose their vertex, and with it nothing.
type bulkTable struct {
	keys  []uint64
	bulks []int64
	n     int
	shift uint
}

const bulkTableMin = 64

func (t *bulkTable) add(key uint64, bulk int64) {
	if 4*(t.n+1) > 3*len(t.keys) {
		t.grow()
	}
	mask := uint64(len(t.keys) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> t.shift; ; i = (i + 1) & mask {
		if t.bulks[i] == 0 {
			t.keys[i], t.bulks[i] = key, bulk
			t.n++
			return
		}
		if t.keys[i] == key {
			t.bulks[i] += bulk
			return
		}
	}
}

// bulk returns the sum of a key, 0 for none.
func (t *bulkTable) bulk(key uint64) int64 {
	if len(t.keys) == 0 {
		return 0
	}
	mask := uint64(len(t.keys) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> t.shift; t.bulks[i] != 0; i = (i + 1) & mask {
		if t.keys[i] == key {
			return t.bulks[i]
		}
	}
	return 0
}

func (t *bulkTable) grow() {
	keys, bulks := t.keys, t.bulks
	size := max(bulkTableMin, 2*len(keys))
	t.keys, t.bulks, t.n = make([]uint64, size), make([]int64, size), 0
	t.shift = uint(64 - bits.TrailingZeros(uint(size)))
	for i, b := range bulks {
		if b != 0 {
			t.add(keys[i], b)
		}
	}
}

func (t *bulkTable) clear() {
	clear(t.bulks)
	t.n = 0
}
