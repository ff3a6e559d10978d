package value_test

import (
	"fmt"
	"strings"
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

// TestOrder_OfWhatIsNested: collections that are members of collections of their kind, many
// levels deep, are compared in time that grows with how much they hold.
func TestOrder_OfWhatIsNested(t *testing.T) {
	const most, depth, width = 5 * time.Second, 60, 20
	leaf := func(i int) value.Value { return value.String(strings.Repeat("x", i%7) + fmt.Sprint(i)) }
	small := map[string]func(members []value.Value) value.Value{
		"map by keys": func(members []value.Value) value.Value {
			m := value.NewMap()
			for i, v := range members {
				m.Put(v, value.Int(int32(i)))
			}
			return m.Value()
		},
		"map by values": func(members []value.Value) value.Value { // of keys that are in order alike
			m := value.NewMap()
			for i, v := range members {
				if i%2 == 0 {
					m.Put(value.Int(int32(i/2)), v)
				} else {
					m.Put(value.Double(float64(i/2)), v)
				}
			}
			return m.Value()
		},
		"tree": treeOf,
		"set":  func(members []value.Value) value.Value { return value.NewSet(members...).Value() },
		"bulk set": func(members []value.Value) value.Value {
			s := value.NewBulkSet()
			for _, v := range members {
				s.Add(v, 3)
			}
			return s.Value()
		},
		"list in set": func(members []value.Value) value.Value {
			s := value.NewSet()
			for _, v := range members {
				s.Add(value.List([]value.Value{v, v}))
			}
			return s.Value()
		},
	}
	for name, of := range small {
		nested := func() value.Value {
			v := of([]value.Value{leaf(0), leaf(1)})
			for i := range depth {
				members := []value.Value{v}
				for j := range width {
					members = append(members, of([]value.Value{leaf(i + j), leaf(j)}))
				}
				if name == "list in set" {
					members = members[:2] // v is in it twice at each level
				}
				v = of(members)
				if strings.HasPrefix(name, "list") && i > 8 {
					break
				}
			}
			return v
		}
		a, b := nested(), nested()
		began := cputime.Own()
		if !value.Equal(a, b) || value.Order(a, b) != 0 {
			t.Errorf("%s: two alike are not equal", name)
		}
		if c, ok := value.Compare(a, b); ok && c != 0 {
			t.Errorf("%s: they compare as %d", name, c)
		}
		if took := cputime.Own() - began; took > most {
			t.Errorf("%s: known after %v", name, took)
		} else {
			t.Log(name, took)
		}
	}
}

// TestEqualUntil: who compares what is large may end that at any member.
func TestEqualUntil(t *testing.T) {
	nested := func() value.Value {
		v := value.NewSet(value.Int(1)).Value()
		for range 12 {
			v = value.NewSet(v, value.List([]value.Value{v})).Value()
		}
		return v
	}
	a, b := nested(), nested()
	asked := 0
	if !value.EqualUntil(a, b, func() bool { asked++; return false }) || asked < 1<<12 {
		t.Errorf("two alike are not equal, or asked %d times", asked)
	}
	if c, ok := value.CompareUntil(a, b, func() bool { return false }); c != 0 || !ok {
		t.Errorf("they compare as %d, %v", c, ok)
	}
	for _, compare := range []func(stop func() bool){
		func(stop func() bool) { value.EqualUntil(a, b, stop) },
		func(stop func() bool) { _, _ = value.CompareUntil(a, b, stop) },
	} {
		left := 100
		compare(func() bool { left--; return left <= 0 })
		if left != 0 {
			t.Errorf("asked %d times more behind the end", -left)
		}
	}
}
