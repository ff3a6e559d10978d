package steps_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// TestMerging sorts random lists, some of them in order in places, as the library does.
func TestMerging(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for n := range 300 {
		list := make([][2]int, n)
		for i := range list {
			list[i] = [2]int{r.IntN(n/3 + 1), i}
			if n%3 == 0 {
				list[i][0] = i / (r.IntN(20) + 1)
			}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b [2]int) int { return a[0] - b[0] })
		got, err := steps.Sort(list, func(a, b [2]int) (bool, error) { return a[0] < b[0], nil })
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("seed %d, %d items: %v, %v, want %v", seed, n, got, err, want)
		}
	}
}

// TestMerging_Ends: nothing is compared behind the first error.
func TestMerging_Ends(t *testing.T) {
	stop := errors.New("stop")
	for at := range 500 {
		calls := 0
		_, err := steps.Sort(make([]int, 100), func(a, b int) (bool, error) {
			if calls++; calls > at {
				return true, stop
			}
			return a < b, nil
		})
		if err == nil && calls > at || err != nil && (!errors.Is(err, stop) || calls > at+1) {
			t.Fatalf("%d comparisons, %v, where number %d fails", calls, err, at)
		}
	}
}

// TestOrder_LooksAtTheClock looks at it while it sorts, not before and behind that alone.
func TestOrder_LooksAtTheClock(t *testing.T) {
	const items, between = 100_000, 50
	h := newHostile(t)
	list := many(items, func(i int) value.Value { return value.Int(int32(i * 7919 % items)) })
	looks := func(in ...traversal.Instruction) int {
		w := &watched{Context: t.Context(), left: math.MaxInt}
		if err := h.run(w, account.New(nil, "queryMemory", 1<<30), &traversal.Bytecode{Steps: in}, func() {}); err != nil {
			t.Fatal(err)
		}
		return math.MaxInt - w.left
	}
	all, one := instruction("inject", list...), instruction("inject", value.List(list))
	local := value.Enum(value.KindScope, "local")
	for _, c := range []struct {
		name           string
		with, unsorted int
	}{
		{"order()", looks(all, instruction("order")), looks(all, instruction("barrier"))},
		{"order().limit(n)", looks(all, instruction("order"), instruction("limit", value.Long(items*3/4))), looks(all, instruction("barrier"))},
		{"order(local)", looks(one, instruction("order", local)), looks(one, instruction("barrier"))},
	} {
		if c.with < c.unsorted+between {
			t.Errorf("%s: %d looks at the clock, %d without it", c.name, c.with, c.unsorted)
		}
	}
}
