package keyindex

import (
	"bytes"
	"encoding/binary"
	"fmt"
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
		err := merge(runs, false, func(key, value []byte) error {
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

// Runs of a text index: each has entries of most of its trigrams, of elements of its own.
func BenchmarkMerge(b *testing.B) {
	const elements, trigrams = 1 << 14, 20
	var spare spareRuns
	var runs []*run
	entries := 0
	for element := range elements {
		for i := range trigrams {
			key := binary.BigEndian.AppendUint64(fmt.Appendf(nil, "table%03d", (element*31+i*i*7)%700), uint64(element))
			if len(runs) == 0 || !runs[len(runs)-1].fits(len(key)) {
				runs = append(runs, spare.take(0))
			}
			runs[len(runs)-1].add(element, key, nil)
			entries++
		}
	}
	for _, r := range runs {
		r.sort(&spare)
	}
	for b.Loop() {
		if err := merge(runs, false, func(_, _ []byte) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*entries), "ns/entry")
}
