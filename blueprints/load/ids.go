package load

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage/value"
)

// idColumn keeps the user-visible ids of a class: numbers or texts as long as all are
// of one kind, values otherwise.
type idColumn struct {
	form    ids.Scheme
	kind    value.Kind // of all ids; 0 as long as there are none
	mixed   bool
	nums    []int64
	texts   textColumn
	values  []value.Value
	user    bool // some were supplied
	shuffle bool // they do not ascend
}

func isNumberID(k value.Kind) bool { return k == value.KindLong || k == value.KindInt }

func (c *idColumn) add(id value.Value) {
	k := id.Kind()
	if c.kind == 0 {
		c.kind = k
	}
	if !c.mixed && (k != c.kind || !isNumberID(k) && k != value.KindString) {
		c.mix()
	}
	switch {
	case c.mixed:
		c.values = append(c.values, id)
	case k == value.KindString:
		s := id.Str()
		if n := c.texts.len(); n > 0 && !c.shuffle && s <= c.texts.at(n-1) {
			c.shuffle = true
		}
		c.texts.add(s)
	default:
		n := id.Int64()
		if len(c.nums) > 0 && n <= c.nums[len(c.nums)-1] {
			c.shuffle = true
		}
		c.nums = append(c.nums, n)
	}
}

// mix keeps values from now on.
func (c *idColumn) mix() {
	n := max(len(c.nums), c.texts.len())
	values := make([]value.Value, 0, n+1)
	for i := range n {
		values = append(values, c.at(i))
	}
	c.mixed, c.values, c.nums, c.texts = true, values, nil, textColumn{}
}

// at returns the id of the i-th element.
func (c *idColumn) at(i int) value.Value {
	switch {
	case c.mixed:
		return c.values[i]
	case c.kind == value.KindString:
		return value.String(c.texts.at(i))
	case c.kind == value.KindInt:
		return value.Int(int32(c.nums[i]))
	}
	return value.Long(c.nums[i])
}

// sorted calls fn with the rows of the ids in order, and which element each is. fn
// does not keep the row.
func (c *idColumn) sorted(fn func(row []byte, at int) error, exists func(value.Value) error) error {
	switch {
	case c.mixed:
		return c.sortedValues(fn, exists)
	case c.kind == value.KindString:
		return c.sortedTexts(fn, exists)
	}
	kind := byte(ids.TagLong)
	if c.kind == value.KindInt && !c.form.OneRow {
		kind = ids.TagInt
	}
	var buf []byte
	if !c.shuffle {
		for i, n := range c.nums {
			buf = ids.AppendNumber(buf[:0], kind, n)
			if err := fn(buf, i); err != nil {
				return err
			}
		}
		return nil
	}
	a := make([]placed, len(c.nums))
	for i, n := range c.nums {
		a[i] = placed{uint64(n) ^ 1<<63, uint32(i)}
	}
	a = sortPlaced(a, func(p, q uint32) int { return cmp.Compare(p, q) })
	for i, p := range a {
		if i > 0 && p.prefix == a[i-1].prefix {
			return exists(c.at(int(p.place)))
		}
		buf = ids.AppendNumber(buf[:0], kind, c.nums[p.place])
		if err := fn(buf, int(p.place)); err != nil {
			return err
		}
	}
	return nil
}

func (c *idColumn) sortedTexts(fn func(row []byte, at int) error, exists func(value.Value) error) error {
	a := make([]placed, c.texts.len())
	skip := 0
	if c.shuffle {
		skip = c.texts.commonPrefix()
	}
	for i := range a {
		a[i] = placed{prefixOf(c.texts.at(i)[skip:]), uint32(i)}
	}
	if c.shuffle {
		a = sortPlaced(a, func(p, q uint32) int { return strings.Compare(c.texts.at(int(p)), c.texts.at(int(q))) })
	}
	row, last := []byte{ids.TagString}, ""
	for i, p := range a {
		s := c.texts.at(int(p.place))
		if i > 0 && s == last {
			return exists(value.String(s))
		}
		last = s
		row = append(row[:1], s...)
		if err := fn(row, int(p.place)); err != nil {
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
		row, err := c.form.AppendRow(mem, id)
		if err != nil {
			return err
		}
		mem, rows[i], perm[i] = row, row[start:], uint32(i)
	}
	if err := c.distinct(exists); err != nil {
		return err
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

// distinct refuses ids that are equal and have rows of their own; those of one row meet
// when they are sorted.
func (c *idColumn) distinct(exists func(value.Value) error) error {
	if !c.form.EqualNumbers || c.form.OneRow {
		return nil
	}
	seen := map[int64]struct{}{}
	for _, id := range c.values {
		n, whole := ids.WholeNumber(id)
		if !whole {
			continue
		}
		if _, twice := seen[n]; twice {
			return exists(id)
		}
		seen[n] = struct{}{}
	}
	return nil
}

// idChunk is the size of the pieces of memory that ids are kept in.
const idChunk = 1 << 20

// textColumn keeps strings without a pointer for each. None is longer than IDMax-1.
type textColumn struct {
	pieces []*strings.Builder // each of idChunk bytes
	locs   []uint64           // piece, offset and length, from the 40th, 16th and 0th bit on
}

func (c *textColumn) len() int { return len(c.locs) }

func (c *textColumn) add(s string) {
	last := len(c.pieces) - 1
	if last < 0 || c.pieces[last].Len()+len(s) > idChunk {
		b := &strings.Builder{}
		b.Grow(idChunk)
		c.pieces = append(c.pieces, b)
		last++
	}
	c.locs = append(c.locs, uint64(last)<<40|uint64(c.pieces[last].Len())<<16|uint64(len(s)))
	c.pieces[last].WriteString(s)
}

func (c *textColumn) at(i int) string {
	loc := c.locs[i]
	from := loc >> 16 & (1<<24 - 1)
	return c.pieces[loc>>40].String()[from : from+loc&(1<<16-1)]
}

// commonPrefix returns how many bytes all strings begin with in common.
func (c *textColumn) commonPrefix() int {
	if len(c.locs) == 0 {
		return 0
	}
	common := c.at(0)
	for i := range c.locs {
		s := c.at(i)
		if strings.HasPrefix(s, common) {
			continue
		}
		n := 0
		for n < len(s) && n < len(common) && s[n] == common[n] {
			n++
		}
		common = common[:n]
	}
	return len(common)
}

// idMap finds the place of a vertex by its user-visible id. Small numbers, which most
// ids are, cost an array, and strings a hash table without pointers. It is no keyed.Index,
// which takes as long, for the half of a hash and the place share a slot: 2^20 strings
// allocate 33 MB until they are in, with an Index and a column of places 80 MB.
type idMap struct {
	ids   *idColumn  // of the vertices
	kind  value.Kind // of the numbers in dense
	dense []uint32   // place + 1
	slots []uint64   // hash << 32 | place + 1, by open addressing
	texts int        // strings in slots
	seed  maphash.Seed
	rest  map[string]uint32
	buf   []byte
	n     int
}

// denseMax bounds the array: so many places for each vertex.
const denseMax = 8

func (m *idMap) number(id value.Value) (uint64, bool) {
	if m.ids.form.EqualNumbers {
		n, whole := ids.WholeNumber(id)
		return uint64(n), whole && n >= 0
	}
	if k := id.Kind(); !isNumberID(k) || m.kind != 0 && m.kind != k {
		return 0, false
	}
	n := id.Int64()
	return uint64(n), n >= 0
}

// put adds an id that is not there, of the vertex at a place of ids.
func (m *idMap) put(id value.Value, at uint32) {
	m.n++
	if id.Kind() == value.KindString {
		m.putText(id.Str(), at)
		return
	}
	if n, ok := m.number(id); ok && n < uint64(denseMax*(m.n+1024)) {
		if n >= uint64(len(m.dense)) {
			m.dense = append(m.dense, make([]uint32, n+1-uint64(len(m.dense))+uint64(len(m.dense)/2))...)
		}
		m.kind = id.Kind()
		m.dense[n] = at + 1
		return
	}
	if m.rest == nil {
		m.rest = map[string]uint32{}
	}
	m.rest[string(m.row(id))] = at
}

func (m *idMap) get(id value.Value) (uint32, bool) {
	if id.Kind() == value.KindString {
		return m.getText(id.Str())
	}
	if n, ok := m.number(id); ok && n < uint64(len(m.dense)) && m.dense[n] != 0 {
		return m.dense[n] - 1, true
	}
	if len(m.rest) == 0 {
		return 0, false
	}
	at, ok := m.rest[string(m.row(id))]
	return at, ok
}

func (m *idMap) getText(s string) (uint32, bool) {
	if m.texts == 0 {
		return 0, false
	}
	hash := maphash.String(m.seed, s) >> 32
	for i := int(hash); ; i++ {
		slot := m.slots[i&(len(m.slots)-1)]
		if slot == 0 {
			return 0, false
		}
		if at := uint32(slot) - 1; slot>>32 == hash && m.ids.at(int(at)).Str() == s {
			return at, true
		}
	}
}

func (m *idMap) putText(s string, at uint32) {
	if 2*m.texts >= len(m.slots) {
		old := m.slots
		if old == nil {
			m.seed = maphash.MakeSeed()
		}
		m.slots = make([]uint64, max(1024, 2*len(old)))
		for _, slot := range old {
			if slot != 0 {
				m.putSlot(slot)
			}
		}
	}
	m.texts++
	m.putSlot(maphash.String(m.seed, s)>>32<<32 | uint64(at+1))
}

func (m *idMap) putSlot(slot uint64) {
	i := int(slot >> 32)
	for m.slots[i&(len(m.slots)-1)] != 0 {
		i++
	}
	m.slots[i&(len(m.slots)-1)] = slot
}

// row is what ids that are equal have in common; an id that has none is nobody's.
func (m *idMap) row(id value.Value) []byte {
	f := m.ids.form
	f.OneRow = f.EqualNumbers
	row, err := f.AppendRow(m.buf[:0], id)
	if err != nil {
		return nil
	}
	m.buf = row
	return row
}

// elementsMax is how many elements of a class a load may have.
const elementsMax = 1<<32 - 2

// permutation sorts n places by their keys, which are below limit, stably.
func permutation(n, limit int, key func(i int) uint32) (perm, starts []uint32) {
	starts = make([]uint32, limit+1)
	for i := range n {
		starts[key(i)+1]++
	}
	for i := range limit {
		starts[i+1] += starts[i]
	}
	next := slices.Clone(starts)
	perm = make([]uint32, n)
	for i := range n {
		k := key(i)
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
