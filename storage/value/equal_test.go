package value_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/storage/value/valuetest"
)

// TestEqual_Compares: what is equal compares as 0, and what compares as 0 is equal.
func TestEqual_Compares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(valuetest.Storable(2), 0, 4).Draw(t, "list")
		other := rapid.Permutation(list).Draw(t, "other")
		if rapid.Bool().Draw(t, "another") {
			other = append(other[:0:0], other...)
			other = append(other, valuetest.Storable(1).Draw(t, "more"))
		}
		for _, pair := range [][2]value.Value{
			{value.List(list), value.List(other)},
			{value.NewSet(list...).Value(), value.NewSet(other...).Value()},
			{treeOf(list), treeOf(other)},
			{mapped(list), mapped(other)},
			{value.OfMapEntry(&value.MapEntry{Key: value.Int(1), Value: mapped(list)}), value.OfMapEntry(&value.MapEntry{Key: value.Double(1), Value: mapped(other)})},
		} {
			c, ok := value.Compare(pair[0], pair[1])
			if got := value.Equal(pair[0], pair[1]); got != (ok && c == 0) {
				t.Fatalf("%#v, %#v: equal: %v, they compare as %d, %v", pair[0], pair[1], got, c, ok)
			}
		}
	})
}

func treeOf(keys []value.Value) value.Value {
	t := &value.Tree{}
	for _, k := range value.NewSet(keys...).Elems() {
		t.Keys, t.Children = append(t.Keys, k), append(t.Children, &value.Tree{})
	}
	return t.Value()
}

func mapped(keys []value.Value) value.Value {
	m := value.NewMap()
	for i, k := range keys {
		m.Put(k, keys[len(keys)-1-i])
	}
	return m.Value()
}

// TestEqual_IsBrief: to compare two large sets, maps or trees takes little more than to sort them.
func TestEqual_IsBrief(t *testing.T) {
	const most = time.Second // with six stable sorts it took 2.5 s, now 0.2
	items := 200_000
	if raced.Detector() {
		items /= 10
	}
	list := make([]value.Value, items)
	for i := range list {
		list[i] = value.Long(int64(i * 7919 % items))
	}
	for name, make := range map[string]func([]value.Value) value.Value{
		"tree": treeOf, "map": mapped, "set": func(list []value.Value) value.Value { return value.NewSet(list...).Value() },
	} {
		a, b := make(list), make(list)
		began := cputime.Own()
		equal := value.Equal(a, b)
		if took := cputime.Own() - began; took > most || !equal {
			t.Errorf("%s: equal: %v, known after %v", name, equal, took)
		} else {
			t.Log(name, took)
		}
	}
}

// TestEqual_TextsAreMadeOnce: what is in order by its text alone is asked for it once a sort.
func TestEqual_TextsAreMadeOnce(t *testing.T) {
	const most = time.Second // asked at each comparison it took 2.5 s
	items := 20_000
	if raced.Detector() {
		items /= 10
	}
	entries := func() value.Value {
		set := value.NewSet()
		for i := range items {
			set.Add(value.Period{Years: 1 << 30, Months: int32(i), Days: int32(-i)}.Value())
		}
		return set.Value()
	}
	a, b := entries(), entries()
	began := cputime.Own()
	for range 4 {
		if !value.Equal(a, b) {
			t.Fatal("two equal sets are not equal")
		}
	}
	if took := cputime.Own() - began; took > most {
		t.Errorf("known after %v", took)
	} else {
		t.Log(took)
	}
}
