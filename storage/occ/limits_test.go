package occ_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
	"github.com/gremlind/gremlind/storage/table"
)

// TestWriteSetLimit: a transaction that met the limit cannot
// commit the part that fitted.
func TestWriteSetLimit(t *testing.T) {
	o := occ.Options{Layout: table.Layout, Limits: occ.Limits{WriteSetBytes: 10_000}}
	s := open(t, o)
	defer closeStore(t, s)
	tx, err := s.Begin(t.Context(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; err == nil; i++ {
		err = tx.Set(fmt.Appendf(nil, "k%d", i), make([]byte, 1000))
	}
	if !errors.Is(err, storage.ErrTooLarge) || !strings.Contains(err.Error(), "transactionBytes") {
		t.Errorf("Set beyond the limit: %v", err)
	}
	if _, err := tx.Commit(t.Context()); !errors.Is(err, storage.ErrTooLarge) {
		t.Errorf("Commit beyond the limit: %v", err)
	}
	if s.Seq() != 0 {
		t.Error("a part was committed")
	}
}

// TestWriteSetLimit_Exact: a write of as many bytes as a transaction may have fits.
func TestWriteSetLimit_Exact(t *testing.T) {
	s := open(t, occ.Options{Layout: table.Layout, Limits: occ.Limits{WriteSetBytes: 100}})
	defer closeStore(t, s)
	for n, fits := range map[int]bool{99: true, 100: true, 101: false} {
		err := tryPut(t.Context(), s, "key", strings.Repeat("v", n-len("key")))
		if fits && err != nil || !fits && (!errors.Is(err, storage.ErrTooLarge) || !strings.Contains(err.Error(), "exceed 100 bytes")) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// TestGroupLimit: many writers do not make a batch larger than GroupBytes.
func TestGroupLimit(t *testing.T) {
	s := open(t, occ.Options{Layout: table.Layout, Limits: occ.Limits{GroupBytes: 1}})
	defer closeStore(t, s)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if err := tryPut(t.Context(), s, fmt.Sprint("k", i), "v"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if m := s.Stats(); m.Commits != 8 || m.Groups != 8 {
		t.Errorf("%d commits in %d groups", m.Commits, m.Groups)
	}
}

// TestReadSetLimit: a transaction that read too much cannot be validated and says so.
func TestReadSetLimit(t *testing.T) {
	s := open(t, occ.Options{Layout: table.Layout, Limits: occ.Limits{ReadSetRanges: 100, ReadSetCoarsen: 10}})
	defer closeStore(t, s)
	tx, err := s.Begin(t.Context(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		if _, err := tx.Get(fmt.Appendf(nil, "key%d", i)); !errors.Is(err, storage.ErrNotFound) {
			t.Fatal(err)
		}
	}
	if err := tx.Set([]byte("a"), nil); !errors.Is(err, storage.ErrTooLarge) || !strings.Contains(err.Error(), "transactionReads") {
		t.Errorf("Set: %v", err)
	}
	if _, err := tx.Commit(t.Context()); !errors.Is(err, storage.ErrTooLarge) {
		t.Errorf("Commit: %v", err)
	}
}

// TestConflictNamesKey: the message says which element, so that a person can find it.
func TestConflictNamesKey(t *testing.T) {
	s := open(t, occ.Options{Layout: table.Layout})
	defer closeStore(t, s)
	key := table.AppendVertexProperty(nil, table.VertexProperty{Graph: 1, Vertex: 42, Key: 7, Ordinal: 1})
	tx, err := s.Begin(t.Context(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Set(key, nil); err != nil {
		t.Fatal(err)
	}
	put(t, s, string(key), "other")
	_, err = tx.Commit(t.Context())
	var conflict *storage.ConflictError
	if !errors.As(err, &conflict) || string(conflict.Key) != string(key) {
		t.Fatalf("%v", err)
	}
	const want = "Conflict: element modified in another transaction: vertex 42 PROPERTY #7 ordinal 1 of graph 1"
	if err.Error() != want {
		t.Errorf("the text is %q", err)
	}
}

// TestRecentBytes: an idle transaction makes the store keep no more than RecentBytes of
// keys, and is told why it lost.
func TestRecentBytes(t *testing.T) {
	s := open(t, occ.Options{Layout: table.Layout, Limits: occ.Limits{RecentBytes: 256 << 10}})
	defer closeStore(t, s)
	idle, err := s.Begin(t.Context(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = idle.Close() }()
	if err := idle.Set([]byte("idle"), nil); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		put(t, s, fmt.Sprintf("%03d%s", i, strings.Repeat("k", 2000)), "v")
	}
	put(t, s, "young", "1")
	if _, err := idle.Commit(t.Context()); !errors.Is(err, storage.ErrConflict) || !strings.Contains(err.Error(), "conflictMemory") {
		t.Errorf("%v", err)
	}
}
