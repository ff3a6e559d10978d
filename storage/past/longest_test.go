package past_test

import (
	"bytes"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// TestLongestKey: the longest key that history has is that of a user id of 64 KiB, all of whose
// bytes are escaped: it is kept and read as any.
func TestLongestKey(t *testing.T) {
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	key := table.AppendUserID(nil, graph, table.VertexClass, make([]byte, 64<<10))
	var at []storage.Stamp
	for _, val := range []string{"1", "2"} {
		tx, err := s.Begin(ctx, storage.TxOptions{})
		if err == nil {
			err = tx.Set(key, []byte(val))
		}
		if err == nil {
			err = past.Keep(tx, graph, nil, nil)
		}
		if err == nil {
			_, err = tx.Commit(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
		snap, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		b, err := snap.Get(table.Layout.Stamp)
		last, _ := storage.Count(b)
		if at = append(at, storage.Stamp(last)); err != nil {
			t.Fatal(err)
		}
		defer snap.Close()
		for i, want := range []string{"1", "2"}[:len(at)] {
			got, err := past.At(snap, graph, at[i]).Get(key)
			if err != nil || !bytes.Equal(got, []byte(want)) {
				t.Errorf("as of commit %d: %q, %v", i, got, err)
			}
		}
	}
}
