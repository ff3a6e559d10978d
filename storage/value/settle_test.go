package value

import "testing"

// nest makes maps whose keys are maps, some levels of them, each of width entries: the
// keys of two such that differ at the bottom are alike above.
func nest(levels, width, bottom int) Value {
	v := Int(int32(bottom))
	for range levels {
		m := NewMap()
		m.Put(v, Int(1))
		for i := range width - 1 {
			m.Put(Int(int32(-i-2)), Int(1))
		}
		v = m.Value()
	}
	return v
}

// TestHash_Nested counts, by the hashes that were kept, that a level is hashed once, and
// compares what is the same and what is not.
func TestHash_Nested(t *testing.T) {
	const levels, width = 100, 20
	v := nest(levels, width, 1)
	for at := v.Map().Keys()[0]; at.Kind() == KindMap; at = at.Map().Keys()[0] {
		if at.Map().settled() == 0 {
			t.Fatal("the hash of a key is not kept")
		}
	}
	same, other := nest(levels, width, 1), nest(levels, width, 2)
	if !Identical(v, same) || Hash(v) != Hash(same) {
		t.Error("two of the same are not identical")
	}
	if Identical(v, other) {
		t.Error("others are")
	}
	both := NewSet(v, same, other)
	if both.Len() != 2 || !both.Has(nest(levels, width, 2)) {
		t.Errorf("a set of two has %d", both.Len())
	}
	m := v.Map().Clone()
	before := Hash(m.Value())
	NewSet(m.Value(), Null).Add(NewSet(m.Value()).Value())
	if m.PutString("x", Int(1)); Hash(m.Value()) == before {
		t.Error("a map that has changed has the hash that it had")
	}
	if m.Delete(String("x")); Hash(m.Value()) != before {
		t.Error("a map that is again what it was has another hash")
	}
}

// TestIdentical_Alike compares maps of few keys that are alike but for the bottom: each
// level has some that could be meant by each of the other's.
func TestIdentical_Alike(t *testing.T) {
	var tree func(levels, bottom int) Value
	tree = func(levels, bottom int) Value {
		if levels == 0 {
			return Int(int32(bottom))
		}
		m := NewMap()
		for i := range 4 {
			m.Put(tree(levels-1, bottom*4+i), Int(1))
		}
		return m.Value()
	}
	a, b := tree(8, 0), tree(8, 0) // 65,536 leaves, and 4^16 pairs of them
	if !Identical(a, b) {
		t.Error("the same is not identical")
	}
}

// TestHash_Growing: of what a BulkSet is inside of no hash is kept, for the BulkSet goes on growing
// while it is a key, as what is aggregated does.
func TestHash_Growing(t *testing.T) {
	entry := func(k, v Value) *Map {
		m := NewMap()
		m.Put(k, v)
		return m
	}
	for name, around := range map[string]func(Value) Value{
		"set":          func(v Value) Value { return NewSet(v).Value() },
		"key":          func(v Value) Value { return entry(v, Null).Value() },
		"value":        func(v Value) Value { return entry(Null, v).Value() },
		"list of sets": func(v Value) Value { return List([]Value{NewSet(v).Value()}) },
		"entry":        func(v Value) Value { return OfMapEntry(&MapEntry{Key: NewSet(v).Value(), Value: NewSet(v).Value()}) },
		"path":         func(v Value) Value { return (&Path{Objects: []Value{NewSet(v).Value()}}).Value() },
	} {
		grown, other := NewBulkSet(), NewBulkSet()
		v := around(grown.Value())
		NewSet(v)
		before := Hash(v)
		grown.Add(Int(1), 1)
		other.Add(Int(1), 1)
		if w := around(other.Value()); Hash(v) == before || Hash(v) != Hash(w) || !Identical(v, w) {
			t.Errorf("%s: the hash is that of what it was", name)
		}
	}
}
