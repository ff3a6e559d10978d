package blueprints

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/gremlind/gremlind/storage/value"
)

// idColumn keeps the user-visible ids of a class: numbers as long as all are of one
// numeric kind, values otherwise.
type idColumn struct {
	kind    value.Kind
	nums    []int64
	values  []value.Value
	user    bool // some were supplied
	shuffle bool // they do not ascend
}

func (c *idColumn) add(id value.Value) {
	k := id.Kind()
	if c.values == nil && (k == value.KindLong || k == value.KindInt) && (c.kind == 0 || c.kind == k) {
		n := id.Int64()
		if len(c.nums) > 0 && n <= c.nums[len(c.nums)-1] {
			c.shuffle = true
		}
		c.kind, c.nums = k, append(c.nums, n)
		return
	}
	if c.values == nil {
		c.values = make([]value.Value, 0, len(c.nums)+1)
		for _, n := range c.nums {
			c.values = append(c.values, c.number(n))
		}
		c.nums = nil
	}
	c.values = append(c.values, id)
}

func (c *idColumn) number(n int64) value.Value {
	if c.kind == value.KindInt {
		return value.Int(int32(n))
	}
	return value.Long(n)
}

// at returns the id of the i-th element.
func (c *idColumn) at(i int) value.Value {
	if c.values != nil {
		return c.values[i]
	}
	return c.number(c.nums[i])
}

// sorted calls fn with the rows of the ids in order, and which element each is.
func (c *idColumn) sorted(fn func(row []byte, at int) error, exists func(value.Value) error) error {
	if c.values != nil {
		return c.sortedValues(fn, exists)
	}
	kind := byte(idLong)
	if c.kind == value.KindInt {
		kind = idInt
	}
	var buf []byte
	if !c.shuffle {
		for i, n := range c.nums {
			if err := fn(appendNumberID(buf[:0], kind, n), i); err != nil {
				return err
			}
		}
		return nil
	}
	perm := make([]uint32, len(c.nums))
	for i := range perm {
		perm[i] = uint32(i)
	}
	slices.SortFunc(perm, func(a, b uint32) int { return cmp.Compare(c.nums[a], c.nums[b]) })
	for i, p := range perm {
		if i > 0 && c.nums[p] == c.nums[perm[i-1]] {
			return exists(c.number(c.nums[p]))
		}
		if err := fn(appendNumberID(buf[:0], kind, c.nums[p]), int(p)); err != nil {
			return err
		}
	}
	return nil
}

func (c *idColumn) sortedValues(fn func(row []byte, at int) error, exists func(value.Value) error) error {
	rows := make([][]byte, len(c.values))
	perm := make([]uint32, len(c.values))
	var mem []byte
	for i, id := range c.values {
		if len(mem) > cap(mem)-idChunk/2 {
			mem = make([]byte, 0, idChunk)
		}
		start := len(mem)
		row, err := appendID(mem, id)
		if err != nil {
			return err
		}
		mem, rows[i], perm[i] = row, row[start:], uint32(i)
	}
	slices.SortFunc(perm, func(a, b uint32) int { return bytes.Compare(rows[a], rows[b]) })
	for i, p := range perm {
		if i > 0 && bytes.Equal(rows[p], rows[perm[i-1]]) {
			return exists(c.values[p])
		}
		if err := fn(rows[p], int(p)); err != nil {
			return err
		}
	}
	return nil
}

// idChunk is the size of the pieces of memory that rows of ids are made in.
const idChunk = 1 << 20

// idMap finds the place of a vertex by its user-visible id. Small numbers, which most
// ids are, cost an array.
type idMap struct {
	kind  value.Kind // of the numbers in dense
	dense []uint32   // place + 1
	rest  map[string]uint64
	buf   []byte
	n     int
}

// denseMax bounds the array: so many places for each vertex.
const denseMax = 8

func (m *idMap) number(id value.Value) (uint64, bool) {
	k := id.Kind()
	if k != value.KindLong && k != value.KindInt || m.kind != 0 && m.kind != k {
		return 0, false
	}
	n := id.Int64()
	return uint64(n), n >= 0
}

// put adds an id, or reports that it is there.
func (m *idMap) put(id value.Value, at uint64) bool {
	if _, taken := m.get(id); taken {
		return false
	}
	m.n++
	if n, ok := m.number(id); ok && n < uint64(denseMax*(m.n+1024)) && at < 1<<32-2 {
		if n >= uint64(len(m.dense)) {
			m.dense = append(m.dense, make([]uint32, n+1-uint64(len(m.dense))+uint64(len(m.dense)/2))...)
		}
		m.kind = id.Kind()
		m.dense[n] = uint32(at + 1)
		return true
	}
	if m.rest == nil {
		m.rest = map[string]uint64{}
	}
	m.rest[string(m.row(id))] = at
	return true
}

func (m *idMap) get(id value.Value) (uint64, bool) {
	if n, ok := m.number(id); ok && n < uint64(len(m.dense)) && m.dense[n] != 0 {
		return uint64(m.dense[n] - 1), true
	}
	if len(m.rest) == 0 {
		return 0, false
	}
	at, ok := m.rest[string(m.row(id))]
	return at, ok
}

// row is the id's stored form; an id that has none is nobody's.
func (m *idMap) row(id value.Value) []byte {
	row, err := appendID(m.buf[:0], id)
	if err != nil {
		return nil
	}
	m.buf = row
	return row
}

// elementsMax is how many elements of a class a load may have.
const elementsMax = 1<<32 - 2

// permutation sorts places by a key below limit, stably.
func permutation(keys []uint32, limit int) (perm, starts []uint32) {
	starts = make([]uint32, limit+1)
	for _, k := range keys {
		starts[k+1]++
	}
	for i := range limit {
		starts[i+1] += starts[i]
	}
	next := slices.Clone(starts)
	perm = make([]uint32, len(keys))
	for i, k := range keys {
		perm[next[k]] = uint32(i)
		next[k]++
	}
	return perm, starts
}

func bigEndian8(n uint64) [8]byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	return b
}
