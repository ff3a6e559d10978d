package value

import "unsafe"

// Map is a java.util.LinkedHashMap: insertion ordered, keys compared by Identical.
// A nil *Map reads as empty.
type Map struct {
	keyed
	values []Value
}

// NewMap returns an empty map.
func NewMap() *Map { return &Map{} }

// NewMapSize returns an empty map with room for n entries.
func NewMapSize(n int) *Map {
	return &Map{keyed: keyed{keys: make([]Value, 0, n)}, values: make([]Value, 0, n)}
}

// MapIn returns an empty map that has room for entries in keys and values.
func MapIn(keys, values []Value) Map {
	return Map{keyed: keyed{keys: keys[:0]}, values: values[:0]}
}

// Value wraps m. The caller stops changing m.
func (m *Map) Value() Value {
	if m == nil {
		return Value{kind: KindMap, ext: emptyExtent}
	}
	return m.holds.of(Value{kind: KindMap, ptr: unsafe.Pointer(m)})
}

// Map returns the content of a Map, nil for other kinds.
func (v Value) Map() *Map { return pointed[Map](v, KindMap) }

// Len returns the number of entries.
func (m *Map) Len() int {
	if m == nil {
		return 0
	}
	return len(m.keys)
}

// Get returns the value of k.
func (m *Map) Get(k Value) (Value, bool) {
	if m == nil {
		return Null, false
	}
	if i := m.find(k); i >= 0 {
		return m.values[i], true
	}
	return Null, false
}

// GetString returns the value of a String key.
func (m *Map) GetString(k string) (Value, bool) { return m.Get(String(k)) }

// Put sets the value of k; a key that exists keeps its place.
func (m *Map) Put(k, v Value) {
	i, added := m.add(k)
	m.holds.add(v)
	if added {
		m.values = append(m.values, v)
		return
	}
	m.holds.remove(m.values[i])
	m.values[i] = v
	m.changed()
}

// PutString sets the value of a String key.
func (m *Map) PutString(k string, v Value) { m.Put(String(k), v) }

// Delete removes k and reports whether it was there.
func (m *Map) Delete(k Value) bool {
	if m == nil {
		return false
	}
	i := m.find(k)
	if i < 0 {
		return false
	}
	m.holds.remove(m.values[i])
	m.remove(i)
	m.values = without(m.values, i)
	return true
}

// Entry returns the i-th entry in insertion order.
func (m *Map) Entry(i int) (k, v Value) { return m.keys[i], m.values[i] }

// Keys returns the keys in insertion order; the caller must not change them.
func (m *Map) Keys() []Value {
	if m == nil {
		return nil
	}
	return m.keys
}

// Values returns the values in insertion order; the caller must not change them.
func (m *Map) Values() []Value {
	if m == nil {
		return nil
	}
	return m.values
}

// Clone returns a copy that can be changed.
func (m *Map) Clone() *Map {
	c := NewMapSize(m.Len())
	for i := range m.Len() {
		c.Put(m.Entry(i))
	}
	return c
}

// Set is a java.util.LinkedHashSet: insertion ordered, compared by Identical.
// A nil *Set reads as empty.
type Set struct{ keyed }

// NewSet returns a set of the elements.
func NewSet(elems ...Value) *Set {
	s := &Set{}
	for _, e := range elems {
		s.Add(e)
	}
	return s
}

// Value wraps s. The caller stops changing s.
func (s *Set) Value() Value {
	if s == nil {
		return Value{kind: KindSet, ext: emptyExtent}
	}
	return s.holds.of(Value{kind: KindSet, ptr: unsafe.Pointer(s)})
}

// Set returns the content of a Set, nil for other kinds.
func (v Value) Set() *Set { return pointed[Set](v, KindSet) }

// Add reports whether v is new.
func (s *Set) Add(v Value) bool {
	_, added := s.add(v)
	return added
}

// Place adds v unless it is there, and returns how many elements are before it.
func (s *Set) Place(v Value) (i int, added bool) { return s.add(v) }

// Has reports whether v is in the set.
func (s *Set) Has(v Value) bool { return s != nil && s.find(v) >= 0 }

// Delete removes v and reports whether it was there.
func (s *Set) Delete(v Value) bool {
	if s == nil {
		return false
	}
	i := s.find(v)
	if i >= 0 {
		s.remove(i)
	}
	return i >= 0
}

// Len returns the number of elements.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.keys)
}

// Elems returns the elements in insertion order; the caller must not change them.
func (s *Set) Elems() []Value {
	if s == nil {
		return nil
	}
	return s.keys
}

// BulkSet is TinkerPop's BulkSet: distinct values with how often each occurs.
// A nil *BulkSet reads as empty.
type BulkSet struct {
	keyed
	bulks []int64
	size  int64
}

// NewBulkSet returns an empty bulk set.
func NewBulkSet() *BulkSet { return &BulkSet{} }

// Value wraps s, which may go on growing.
func (s *BulkSet) Value() Value {
	if s == nil {
		return Value{kind: KindBulkSet, ext: emptyExtent}
	}
	v := s.holds.of(Value{kind: KindBulkSet, ptr: unsafe.Pointer(s)})
	v.ext |= grows
	return v
}

// BulkSet returns the content of a BulkSet, nil for other kinds.
func (v Value) BulkSet() *BulkSet { return pointed[BulkSet](v, KindBulkSet) }

// Add counts v bulk times more and reports whether it is new.
func (s *BulkSet) Add(v Value, bulk int64) bool {
	i, added := s.add(v)
	if added {
		s.bulks = append(s.bulks, 0)
	}
	s.bulks[i] += bulk
	s.size += bulk
	return added
}

// Len returns the number of distinct values.
func (s *BulkSet) Len() int {
	if s == nil {
		return 0
	}
	return len(s.keys)
}

// Size returns the sum of the bulks.
func (s *BulkSet) Size() int64 {
	if s == nil {
		return 0
	}
	return s.size
}

// Entry returns the i-th distinct value in insertion order and its bulk.
func (s *BulkSet) Entry(i int) (Value, int64) { return s.keys[i], s.bulks[i] }

// Get returns the bulk of v, 0 when absent.
func (s *BulkSet) Get(v Value) int64 {
	if s == nil {
		return 0
	}
	if i := s.find(v); i >= 0 {
		return s.bulks[i]
	}
	return 0
}
