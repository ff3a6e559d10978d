package pebble_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
)

// TestCompact: what was removed takes no room behind it, and nobody's snapshot loses what it
// shows.
func TestCompact(t *testing.T) {
	s := open(t, dataDir, quiet(vfs.NewMem()))
	fill := func(fn func(tx storage.Tx, key []byte) error) {
		t.Helper()
		tx, err := s.Begin(t.Context(), storage.TxOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Close()
		for i := range 300 {
			if err := fn(tx, fmt.Appendf(nil, "key%04d", i)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := s.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.NewChaCha8([32]byte{1}) // nothing that compresses
	set := func(tx storage.Tx, key []byte) error {
		value := make([]byte, 1000)
		_, _ = random.Read(value)
		return tx.Set(key, value)
	}
	remove := func(tx storage.Tx, key []byte) error { return tx.Delete(key) }
	fill(set)
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	fill(remove)
	from, to := []byte("key"), []byte("kez")
	size := func() int64 {
		t.Helper()
		n, err := s.DiskBytes(from, to)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	compact := func() {
		t.Helper()
		if err := s.Compact(t.Context(), from, to); err != nil {
			t.Fatal(err)
		}
	}
	compact()
	if v, err := snap.Get([]byte("key0007")); len(v) != 1000 || err != nil {
		t.Errorf("the snapshot: %d bytes %v", len(v), err)
	}
	if err := snap.Close(); err != nil {
		t.Fatal(err)
	}
	fill(set)
	before := size()
	fill(remove)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Compact(ended, from, to); !errors.Is(err, context.Canceled) {
		t.Errorf("of who has gone: %v", err)
	}
	compact()
	if after := size(); before < 250_000 || after > before/10 {
		t.Errorf("%d bytes before, %d after", before, after)
	}
	closeStore(t, s)
	if err := s.Compact(t.Context(), from, to); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}
