package pebble_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// TestIngest_NeedsNoCompaction: what is ingested into a gap between keys that share a
// table lands on the lowest level, where nothing writes it again.
func TestIngest_NeedsNoCompaction(t *testing.T) {
	s := open(t, dataDir, quiet(vfs.NewMem()))
	put(t, s, "a", "before the gap")
	put(t, s, "z", "behind the gap")
	if err := s.DB().Flush(); err != nil {
		t.Fatal(err)
	}
	if err := s.DB().Compact(t.Context(), []byte("a"), []byte("zz"), false); err != nil {
		t.Fatal(err)
	}
	err := s.Ingest(context.Background(), []byte("k"), []byte("l"), func(add func(key, value []byte) error) error {
		for i := range 100 {
			if err := add(fmt.Appendf(nil, "k%03d", i), []byte("v")); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DB().Flush(); err != nil {
		t.Fatal(err)
	}
	levels := s.DB().Metrics().Levels
	if n := levels[len(levels)-1].TablesIngested; n == 0 {
		t.Errorf("no ingested table is on the lowest level: %+v", levels)
	}
	for _, key := range []string{"a", "k000", "k099", "z"} {
		if value(t, s, key) == "" {
			t.Errorf("%s is lost", key)
		}
	}
	closeStore(t, s)
}
