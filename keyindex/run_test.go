package keyindex

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Runs of any sizes are merged into what was added to all of them, in order and once.
func TestMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var spare spareRuns
		var runs []*run
		all := map[string]string{}
		someKeys := rapid.SliceOfN(rapid.SliceOfN(rapid.ByteRange('a', 'c'), 0, 12), 0, 30)
		for i := range rapid.IntRange(0, 5).Draw(t, "runs") {
			r := spare.take(0)
			for _, k := range someKeys.Draw(t, "keys") {
				k = append([]byte("table"), k...)
				all[string(k)] = "of " + string(k)
				r.add(i, k, []byte(all[string(k)]))
			}
			r.sort(&spare)
			runs = append(runs, r)
		}
		var got []string
		err := merge(runs, func(key, value []byte) error {
			if all[string(key)] != string(value) {
				t.Fatalf("%q is %q", key, value)
			}
			got = append(got, string(key))
			return nil
		})
		if want := slices.Sorted(maps.Keys(all)); err != nil || !slices.Equal(got, want) {
			t.Fatalf("merged %q, want %q, %v", got, want, err)
		}
	})
}

// A run has room for an entry of any size, and spare memory is that of runs as usual.
func TestSpareRuns(t *testing.T) {
	var spare spareRuns
	large := bytes.Repeat([]byte("large"), runMem)
	r := spare.take(len(large))
	if !r.fits(len(large)) {
		t.Error("no room for a large entry")
	}
	r.add(0, large[:runMem], large[runMem:])
	spare.give(r)
	again := spare.take(1)
	if again == r || !again.fits(1) || again.fits(runMem+1) || len(again.sets) != 0 {
		t.Error("a large run is used again")
	}
	again.add(0, []byte("tables"), nil)
	spare.give(again)
	if third := spare.take(0); third != again || len(third.sets) != 0 || len(third.mem) != 0 {
		t.Error("a run is not used again, or not empty")
	}
}
