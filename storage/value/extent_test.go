package value_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/storage/value/valuetest"
)

// TestParts compares what a Value knows of its contents with a count of them.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := built(t, 3)
		if parts := countParts(v); v.Parts() != parts {
			t.Fatalf("%#v has %d parts, counted %d", v, v.Parts(), parts)
		}
		if depth := countDepth(v); v.Depth() < depth {
			t.Fatalf("%#v is %d deep, counted %d", v, v.Depth(), depth)
		}
		most := rapid.IntRange(0, 20).Draw(t, "most")
		if got := v.Exceeds(most); got != (countParts(v) > int64(most)) {
			t.Fatalf("%#v of %d parts exceeds %d: %v", v, countParts(v), most, got)
		}
	})
}

// built makes a value of collections that were changed while they were built.
func built(t *rapid.T, depth int) value.Value {
	member := func() value.Value {
		if depth == 0 || rapid.IntRange(0, 2).Draw(t, "scalar") == 0 {
			return valuetest.Scalar().Draw(t, "v")
		}
		return built(t, depth-1)
	}
	steps := rapid.IntRange(0, 12).Draw(t, "steps")
	list := make([]value.Value, steps)
	for i := range list {
		list[i] = member()
	}
	switch rapid.SampledFrom([]string{"list", "set", "map", "bulk", "path", "entry", "tree"}).Draw(t, "kind") {
	case "set":
		s := value.NewSet(list...)
		if steps > 0 {
			s.Delete(list[0])
		}
		return s.Value()
	case "map":
		m := value.NewMap()
		for i, v := range list {
			m.Put(list[i/2], v) // sets some twice
		}
		if m.Len() > 0 {
			m.Put(m.Keys()[0], member())
			m.Delete(m.Keys()[m.Len()-1])
		}
		return m.Clone().Value()
	case "bulk":
		s := value.NewBulkSet()
		for i, v := range list {
			s.Add(v, int64(i+1))
		}
		return s.Value()
	case "path":
		return (&value.Path{Objects: list}).Value()
	case "entry":
		return value.OfMapEntry(&value.MapEntry{Key: member(), Value: member()})
	case "tree":
		tree := &value.Tree{Keys: list}
		for range list {
			tree.Children = append(tree.Children, &value.Tree{Keys: []value.Value{member()}, Children: []*value.Tree{{}}})
		}
		return tree.Value()
	}
	return value.List(list)
}

// contents lists what is directly inside of v.
func contents(v value.Value) []value.Value {
	switch v.Kind() {
	case value.KindList:
		return v.Elems()
	case value.KindSet:
		return v.Set().Elems()
	case value.KindMap:
		return append(append([]value.Value{}, v.Map().Keys()...), v.Map().Values()...)
	case value.KindMapEntry:
		return []value.Value{v.MapEntry().Key, v.MapEntry().Value}
	case value.KindPath:
		return v.Path().Objects
	case value.KindBulkSet:
		var list []value.Value
		for i := range v.BulkSet().Len() {
			e, _ := v.BulkSet().Entry(i)
			list = append(list, e)
		}
		return list
	case value.KindTree:
		list := append([]value.Value{}, v.Tree().Keys...)
		for _, c := range v.Tree().Children {
			list = append(list, c.Value())
		}
		return list
	}
	return nil
}

func countParts(v value.Value) (n int64) {
	for _, e := range contents(v) {
		n += 1 + countParts(e)
	}
	return n
}

func countDepth(v value.Value) (n int) {
	for _, e := range contents(v) {
		n = max(n, 1+countDepth(e))
	}
	return n
}

// TestParts_Shared builds what would fill any memory when written out.
func TestParts_Shared(t *testing.T) {
	v := value.Int(1)
	for n := range 70 {
		v = value.List([]value.Value{v, v})
		if exact := int64(1)<<(n+2) - 2; n < 40 && (v.Parts() < exact || v.Parts() > exact+exact>>10) {
			t.Errorf("%d levels have %d parts, want %d", n+1, v.Parts(), exact)
		}
	}
	if v.Parts() < 1<<40 || v.Depth() != 70 || !v.Exceeds(math.MaxInt32) {
		t.Errorf("got %d parts, depth %d", v.Parts(), v.Depth())
	}
}

// TestHolds looks for a set that became larger after it was put into others.
func TestHolds(t *testing.T) {
	s, other := value.NewBulkSet(), value.NewBulkSet()
	list := value.List([]value.Value{value.Int(1), value.List([]value.Value{s.Value()})})
	for i := range 10 {
		s.Add(value.Int(int32(i)), 1)
	}
	if !list.Holds(s, 100) || list.Holds(other, 100) {
		t.Errorf("holds the set: %v, another: %v", list.Holds(s, 100), list.Holds(other, 100))
	}
	if !list.Holds(other, 12) || !list.Exceeds(12) || list.Exceeds(13) {
		t.Errorf("a list of 13 parts now: %v, %v, %v", list.Holds(other, 12), list.Exceeds(12), list.Exceeds(13))
	}
}
