package occ_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
	"github.com/gremlind/gremlind/storage/table"
)

// TestAloneForATime: one that is alone and takes long holds others up no longer than
// AloneMax, and then may lose like any other.
func TestAloneForATime(t *testing.T) {
	s := open(t, occ.Options{Layout: table.Layout, AloneMax: 30 * time.Millisecond})
	defer closeStore(t, s)
	put(t, s, "a", "1")
	began := time.Now()
	alone, err := s.Begin(t.Context(), storage.TxOptions{Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = alone.Close() }()
	if _, err := alone.Get([]byte("a")); err != nil {
		t.Fatal(err)
	}
	put(t, s, "a", "2")
	if d := time.Since(began); d < 30*time.Millisecond || d > 20*time.Second {
		t.Errorf("a writer was done %v after the other began", d)
	}
	if err := alone.Set([]byte("a"), []byte("3")); err != nil {
		t.Fatal(err)
	}
	if _, err := alone.Commit(t.Context()); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("one that was alone for too long: %v", err)
	}
	put(t, s, "a", "4")
	if got := value(t, s, "a"); got != "4" {
		t.Error(got)
	}
}

// TestHeldCommitsMakeGroups: commits that waited for one that was alone are cut into
// groups by their bytes like others.
func TestHeldCommitsMakeGroups(t *testing.T) {
	s := open(t, occ.Options{Layout: table.Layout, Limits: occ.Limits{GroupBytes: 1 << 20}})
	defer closeStore(t, s)
	alone, err := s.Begin(t.Context(), storage.TxOptions{Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	const held = 16
	var wg sync.WaitGroup
	for i := range held {
		tx, err := s.Begin(t.Context(), storage.TxOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.Set(fmt.Appendf(nil, "k%d", i), make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
		wg.Add(1)
		tx.CommitAsync(t.Context(), func(_ uint64, err error) {
			defer wg.Done()
			if err != nil {
				t.Error(err)
			}
		})
	}
	if err := alone.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if m := s.Stats(); m.Commits != held || m.Groups != held {
		t.Errorf("%d commits in %d groups", m.Commits, m.Groups)
	}
}
