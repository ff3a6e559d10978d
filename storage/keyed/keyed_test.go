package keyed_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/keyed"
)

// TestIndex compares an Index with a list that is searched from its beginning.
func TestIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var x keyed.Index
		var list []uint64
		spread := rapid.SampledFrom([]uint64{10, 1 << 10, 1 << 63}).Draw(t, "spread")
		for range rapid.IntRange(0, 400).Draw(t, "operations") {
			key := rapid.Uint64Range(0, spread).Draw(t, "key")
			switch rapid.IntRange(0, 40).Draw(t, "operation") {
			case 0:
				x.Reset()
				list = list[:0]
			case 1:
				n := rapid.IntRange(0, len(list)).Draw(t, "drop")
				x.Drop(n)
				list = list[n:]
			case 2, 8, 9, 10:
				if len(list) > 0 {
					i := rapid.IntRange(0, len(list)-1).Draw(t, "remove")
					x.Remove(i)
					list = slices.Delete(slices.Clone(list), i, i+1)
				}
			case 3:
				x.Grow(rapid.IntRange(0, 1000).Draw(t, "grow"))
			case 4, 5, 6, 7:
				x.Append(key)
				list = append(list, key)
			default:
				i, isNew := x.Add(key)
				if was := slices.Contains(list, key); was == isNew {
					t.Fatalf("%d is new: %v", key, isNew)
				}
				if isNew {
					list = append(list, key)
				}
				if list[i] != key {
					t.Fatalf("%d is said to be at %d, where %d is", key, i, list[i])
				}
			}
			if !slices.Equal(x.Keys(), list) || x.Len() != len(list) {
				t.Fatalf("holds %d, want %d", x.Keys(), list)
			}
			samePlaces(t, &x, list, key)
		}
	})
}

func samePlaces(t *rapid.T, x *keyed.Index, list []uint64, key uint64) {
	var got, want []int
	l := x.Look(key)
	for i := x.Next(&l); i >= 0; i = x.Next(&l) {
		got = append(got, i)
	}
	slices.Sort(got)
	for i, k := range list {
		if k == key {
			want = append(want, i)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%d is found at %d, want %d", key, got, want)
	}
	if i := x.Find(key); i < 0 && len(want) > 0 || i >= 0 && list[i] != key {
		t.Fatalf("%d is found at %d first, it is at %d", key, i, want)
	}
}

// TestIndex_ResetsWithoutEnd: an Index is as good after more keys than its numbers reach.
func TestIndex_ResetsWithoutEnd(t *testing.T) {
	var x keyed.Index
	keyed.SetBase(&x, 1<<31-20)
	for round := range uint64(30) {
		for k := range uint64(5) {
			if _, isNew := x.Add(k * (round + 1)); !isNew {
				t.Fatalf("round %d: %d is there already", round, k)
			}
		}
		for k := range uint64(5) {
			if i := x.Find(k * (round + 1)); i != int(k) {
				t.Fatalf("round %d: %d is found at %d", round, k, i)
			}
		}
		x.Reset()
	}
}

// spreads are how far apart ids are.
var spreads = []uint64{1 << 6, 1 << 8, 1 << 14, 1 << 20, 1 << 28, 1 << 40}

// TestTable compares tables with maps, however many ids come and however far apart.
func TestTable(t *testing.T) {
	var arrays keyed.Arrays[int64]
	rapid.Check(t, func(t *rapid.T) {
		one, other := keyed.Table[int64]{Arrays: &arrays}, keyed.Table[int64]{Arrays: &arrays}
		for range rapid.IntRange(1, 3).Draw(t, "rounds") {
			want := map[uint64]int64{}
			for range rapid.IntRange(1, 3).Draw(t, "kinds") {
				fill(t, &one, want)
			}
			for id, n := range want {
				if got, ok := one.Get(id); !ok || got != n {
					t.Fatalf("%d has %d (%v), want %d", id, got, ok, n)
				}
			}
			sums(t, &one, want)
			if one.Len() != len(want) {
				t.Fatalf("%d ids, want %d", one.Len(), len(want))
			}
			if rapid.Bool().Draw(t, "reset") {
				one.Reset()
			} else {
				takeAll(t, &one, want)
			}
			for id := range want {
				if n, ok := one.Get(id); ok {
					t.Fatalf("%d has %d though nothing is left", id, n)
				}
			}
			one, other = other, one
		}
		one.Release()
		other.Release()
	})
}

// sums asks for numbers that are there and for some that are not.
func sums(t *rapid.T, table *keyed.Table[int64], want map[uint64]int64) {
	var pairs []uint32
	all := int64(0)
	for id, n := range want {
		for _, id := range []uint64{id, id + 1} {
			if got := table.Sum(id); got != want[id] {
				t.Fatalf("the sum of %d is %d, want %d", id, got, want[id])
			}
		}
		if id>>32 == 0 {
			pairs = append(pairs, 7, uint32(id), 7, uint32(id))
			all += 2 * n
		}
	}
	if got := table.SumPairs(pairs); got != all {
		t.Fatalf("%d pairs are %d, want %d", len(pairs), got, all)
	}
}

func fill(t *rapid.T, table *keyed.Table[int64], want map[uint64]int64) {
	spread := rapid.SampledFrom(spreads).Draw(t, "spread")
	for range rapid.IntRange(0, 600).Draw(t, "ids") {
		id := rapid.Uint64Range(0, spread).Draw(t, "id")
		n := rapid.Int64Range(-1, 3).Draw(t, "number")
		want[id] += n
		var err error
		if id>>32 == 0 && n > 1 {
			err = table.AddPairs([]uint32{7, uint32(id)}, n)
		} else {
			err = table.Add(id, n)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func takeAll(t *rapid.T, table *keyed.Table[int64], want map[uint64]int64) {
	var ids []uint64
	var ns []int64
	max := rapid.IntRange(1, 90).Draw(t, "max")
	left := len(want)
	var next []uint64
	for {
		next = keyed.Peek(table, next[:0], max)
		ids, ns = keyed.Take(table, ids[:0], ns[:0], max)
		if !slices.Equal(ids, next) {
			t.Fatalf("%v were to come next, %v came", next, ids)
		}
		if len(ids) == 0 {
			break
		}
		if len(ids) > max || len(ns) != len(ids) {
			t.Fatalf("%d ids and %d numbers came, %d were asked for", len(ids), len(ns), max)
		}
		for i, id := range ids {
			if n, ok := want[id]; !ok || n != ns[i] {
				t.Fatalf("%d came with %d, want %d (%v)", id, ns[i], n, ok)
			}
			left--
		}
	}
	if left != 0 {
		t.Fatalf("%d ids did not come", left)
	}
}

// TestSet compares sets with maps.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s keyed.Set
		want := map[uint64]bool{}
		for range rapid.IntRange(0, 300).Draw(t, "ids") {
			id := rapid.SampledFrom(spreads).Draw(t, "spread") + rapid.Uint64Range(0, 99).Draw(t, "id")
			if s.Has(id) != want[id] {
				t.Fatalf("has %d: %v", id, !want[id])
			}
			isNew := false
			var err error
			if id>>32 == 0 && id%2 == 0 {
				was := s.Len()
				err = s.AddPairs([]uint32{1, uint32(id), 1, uint32(id)})
				isNew = s.Len() == was+1
			} else {
				isNew, err = s.Add(id)
			}
			if err != nil || isNew == want[id] {
				t.Fatalf("%d is new: %v (%v)", id, isNew, err)
			}
			want[id] = true
			if s.Len() != int64(len(want)) {
				t.Fatalf("%d ids, want %d", s.Len(), len(want))
			}
		}
		for id := range want {
			if !s.Has(id) {
				t.Fatalf("lost %d", id)
			}
		}
		s.Release()
		for id := range want {
			if s.Has(id) {
				t.Fatalf("has %d though it was emptied", id)
			}
		}
	})
}

// TestCharged: what is refused is not there, all that was charged is given back, and what
// is charged is not less than what ids take.
func TestCharged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := account.New(nil, "queryMemory", rapid.Int64Range(0, 1<<18).Draw(t, "bytes"))
		table, set := keyed.Table[int64]{Account: top}, keyed.Set{Account: top}
		spread := rapid.SampledFrom(spreads).Draw(t, "spread")
		added, refused := map[uint64]bool{}, 0
		for range rapid.IntRange(0, 1000).Draw(t, "ids") {
			id := rapid.Uint64Range(0, spread).Draw(t, "id")
			err := table.Add(id, 1)
			if _, setErr := set.Add(id); err == nil {
				err = setErr
			}
			if err != nil {
				if !errors.Is(err, account.ErrLimit) {
					t.Fatal(err)
				}
				refused++
				continue
			}
			added[id] = true
		}
		for id := range added {
			if _, ok := table.Get(id); !ok || !set.Has(id) {
				t.Fatalf("lost %d after %d refusals", id, refused)
			}
		}
		if least := int64(8 * len(added)); top.Used() < least && len(added) > 16 {
			t.Fatalf("%d bytes charged for %d ids", top.Used(), len(added))
		}
		table.Release()
		set.Release()
		if top.Used() != 0 {
			t.Fatalf("%d bytes charged when all was given back", top.Used())
		}
	})
}

// BenchmarkIndex_Remove removes one of many keys.
func BenchmarkIndex_Remove(b *testing.B) {
	for name, at := range map[string]func(n int) int{"first": func(int) int { return 0 }, "second": func(int) int { return 1 }, "last": func(n int) int { return n - 1 }} {
		b.Run(name, func(b *testing.B) {
			const keys = 100_000
			var x keyed.Index
			for k := range uint64(keys) {
				x.Append(k * k)
			}
			for i := 0; b.Loop(); i++ {
				x.Remove(at(x.Len()))
				x.Append(uint64(keys+i) * uint64(keys+i))
			}
		})
	}
}
