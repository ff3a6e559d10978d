package load

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/spool"
	"github.com/gremlind/gremlind/storage/value"
)

// idColumn keeps the user-visible ids of a class: numbers or texts as long as all are
// of one kind, values otherwise.
type idColumn struct {
	form   ids.Scheme
	kind   value.Kind // of all ids; 0 as long as there are none
	mixed  bool
	nums   pieces[int64]
	texts  textColumn
	values []value.Value
	user   bool // some were supplied
	runs   sortedRuns
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
		n := c.texts.len()
		c.runs.add(n, n > 0 && !c.runs.many && s < c.texts.at(n-1))
		c.texts.add(s)
	default:
		n, at := id.Int64(), c.nums.len()
		c.runs.add(at, at > 0 && n < c.nums.at(at-1))
		c.nums.add(n)
	}
}

// mix keeps values from now on.
func (c *idColumn) mix() {
	n := max(c.nums.len(), c.texts.len())
	values := make([]value.Value, 0, n+1)
	for i := range n {
		values = append(values, c.at(i))
	}
	c.mixed, c.values, c.nums, c.texts = true, values, pieces[int64]{}, textColumn{}
}

// at returns the id of the i-th element.
func (c *idColumn) at(i int) value.Value {
	switch {
	case c.mixed:
		return c.values[i]
	case c.kind == value.KindString:
		return value.String(c.texts.at(i))
	case c.kind == value.KindInt:
		return value.Int(int32(c.nums.at(i)))
	}
	return value.Long(c.nums.at(i))
}

// sorted calls fn with the rows of the ids in order, and which element each is. fn
// does not keep the row.
func (c *idColumn) sorted(fn func(row []byte, at int) error, exists func(value.Value) error) error {
	if c.mixed {
		return c.sortedValues(fn, exists)
	}
	var last []byte
	return c.eachRow(func(row []byte, at uint32) error {
		if bytes.Equal(row, last) {
			return exists(c.at(int(at)))
		}
		last = append(last[:0], row...)
		return fn(row, int(at))
	})
}

// eachRow visits the rows of ids of one kind in order.
func (c *idColumn) eachRow(fn func(row []byte, at uint32) error) error {
	n := max(c.nums.len(), c.texts.len())
	if !c.runs.many {
		return c.runs.merge(n, c.rows, fn)
	}
	var row []byte
	for _, p := range c.places(n) {
		row = c.appendRow(row[:0], int(p.place))
		if err := fn(row, p.place); err != nil {
			return err
		}
	}
	return nil
}

// rows gives the rows of the ids from one place to another, in the order in which they came.
func (c *idColumn) rows(from, to int) (spool.Run, error) {
	var row []byte
	return func() ([]byte, uint32, error) {
		if from == to {
			return nil, 0, io.EOF
		}
		row = c.appendRow(row[:0], from)
		from++
		return row, uint32(from - 1), nil
	}, nil
}

// appendRow appends the row of the i-th id: of a number, or of a text, which is short enough.
func (c *idColumn) appendRow(dst []byte, i int) []byte {
	switch {
	case c.kind == value.KindString:
		return append(append(dst, ids.TagString), c.texts.at(i)...)
	case c.kind == value.KindInt && !c.form.OneRow:
		return ids.AppendNumber(dst, ids.TagInt, c.nums.at(i))
	}
	return ids.AppendNumber(dst, ids.TagLong, c.nums.at(i))
}

// places sorts the n ids.
func (c *idColumn) places(n int) []placed {
	a := make([]placed, n)
	if c.kind != value.KindString {
		for i := range a {
			a[i] = placed{uint64(c.nums.at(i)) ^ 1<<63, uint32(i)}
		}
		return sortPlaced(a, func(p, q uint32) int { return cmp.Compare(p, q) })
	}
	skip := c.texts.commonPrefix()
	for i := range a {
		a[i] = placed{prefixOf(c.texts.at(i)[skip:]), uint32(i)}
	}
	return sortPlaced(a, func(p, q uint32) int { return strings.Compare(c.texts.at(int(p)), c.texts.at(int(q))) })
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
	locs   pieces[uint64]     // piece, offset and length, from the 40th, 16th and 0th bit on
}

func (c *textColumn) len() int { return c.locs.len() }

func (c *textColumn) add(s string) {
	last := len(c.pieces) - 1
	if last < 0 || c.pieces[last].Len()+len(s) > idChunk {
		b := &strings.Builder{}
		b.Grow(idChunk)
		c.pieces = append(c.pieces, b)
		last++
	}
	c.locs.add(uint64(last)<<40 | uint64(c.pieces[last].Len())<<16 | uint64(len(s)))
	c.pieces[last].WriteString(s)
}

func (c *textColumn) at(i int) string {
	loc := c.locs.at(i)
	from := loc >> 16 & (1<<24 - 1)
	return c.pieces[loc>>40].String()[from : from+loc&(1<<16-1)]
}

// commonPrefix returns how many bytes all strings begin with in common.
func (c *textColumn) commonPrefix() int {
	if c.len() == 0 {
		return 0
	}
	common := c.at(0)
	for i := range c.len() {
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
