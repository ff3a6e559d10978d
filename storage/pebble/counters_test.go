package pebble

import (
	"fmt"
	"maps"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
	"github.com/gremlind/gremlind/storage/table"
)

// TestCounters adds to counters that are there, that are not, and that lie between, as few
// at a time and as so many that they are read by going forward.
func TestCounters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		db, err := pebble.Open("", &pebble.Options{FS: vfs.NewMem(), Comparer: comparerOf(table.Layout, &turns{})})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		want := map[string]int64{}
		var c counters
		for range rapid.IntRange(1, 5).Draw(t, "groups") {
			b := db.NewBatch()
			for range rapid.IntRange(1, 2).Draw(t, "commits") {
				var deltas []occ.Delta
				from, step := rapid.IntRange(0, 300).Draw(t, "from"), rapid.IntRange(1, 7).Draw(t, "step")
				for i := range rapid.SampledFrom([]int{0, 1, walkFrom - 1, walkFrom, 3 * walkFrom}).Draw(t, "deltas") {
					key := fmt.Appendf(table.AppendTable(nil, 1, table.Vertices), "%06d", from+i*step)
					by := int64(i%5) - 1
					deltas, want[string(key)] = append(deltas, occ.Delta{Key: key, By: by}), want[string(key)]+by
				}
				if err := c.add(db, deltas); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.flush(b); err != nil {
				t.Fatal(err)
			}
			if err := db.Apply(b, nil); err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "forget") {
				c = counters{}
			}
		}
		got := map[string]int64{}
		it, err := db.NewIter(nil)
		if err != nil {
			t.Fatal(err)
		}
		for it.First(); it.Valid(); it.Next() {
			n, ok := storage.Count(it.Value())
			if !ok {
				t.Fatalf("%x is no counter", it.Value())
			}
			got[string(it.Key())] = n
		}
		if err := it.Close(); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%d counters, want %d, or of other values", len(got), len(want))
		}
	})
}
