package pebble_test

import (
	"bytes"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage/table"
)

// TestFiles_HoldOneTableEach: new vertices touch the ends of two tables; no file may lie
// across what is between them, on whatever level.
func TestFiles_HoldOneTableEach(t *testing.T) {
	s := open(t, dataDir, quiet(vfs.NewMem()))
	defer closeStore(t, s)
	for round := range uint64(3) {
		for v := range uint64(100) {
			if err := addVertex(s, round*100+v, new([]byte)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.DB().Flush(); err != nil {
			t.Fatal(err)
		}
		if round == 1 {
			if err := s.DB().Compact(t.Context(), []byte{0}, bytes.Repeat([]byte{0xff}, 8), false); err != nil {
				t.Fatal(err)
			}
		}
	}
	levels, err := s.DB().SSTables()
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for level, tables := range levels {
		for _, f := range tables {
			files++
			graph, code, _ := table.Head(f.Smallest.UserKey)
			if g, c, _ := table.Head(f.Largest.UserKey); g != graph || c != code {
				t.Errorf("a file of level %d reaches from %x to %x", level, f.Smallest.UserKey, f.Largest.UserKey)
			}
		}
	}
	if files < 4 {
		t.Errorf("%d files are too few to show anything", files)
	}
}
