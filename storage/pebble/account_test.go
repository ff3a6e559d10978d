package pebble_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// TestCommit_FullAccount commits writes that fill their account: they have paid for the
// commit, too. Ranges are deleted before the writes.
func TestCommit_FullAccount(t *testing.T) {
	const limit, keys = 8 << 20, 1000
	s := open(t, "", pebble.Options{Layout: table.Layout, InMemory: true})
	defer closeStore(t, s)
	put(t, s, "k", "before")
	put(t, s, "l", "before")
	for _, size := range []int{30, 3000} {
		a := account.New(nil, "sessionMemory", limit)
		tx, err := s.Begin(t.Context(), storage.TxOptions{Account: a})
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.DeleteRange([]byte("k"), []byte("m")); err != nil {
			t.Fatal(err)
		}
		for i := range keys {
			if err := tx.Set(fmt.Appendf(nil, "k%d", i), make([]byte, size)); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Charge(limit - a.Used()); err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Commit(t.Context()); err != nil {
			t.Errorf("commit of %d writes of %d bytes: %v", keys, size, err)
		}
		snap, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := snap.Get([]byte("l")); !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("a key of a deleted range: %v", err)
		}
		for i := range keys {
			if v, err := snap.Get(fmt.Appendf(nil, "k%d", i)); err != nil || len(v) != size {
				t.Fatalf("key %d of %d bytes: %d bytes, %v", i, size, len(v), err)
			}
		}
		if err := snap.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
