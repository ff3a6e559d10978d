package occ_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
)

func openAny(t testing.TB) storage.Store { return open(t, occ.Options{}) }

// TestContract runs the suite of every store over the least of all bases.
func TestContract(t *testing.T) { storagetest.Run(t, openAny) }

// TestModel compares transactions with a map.
func TestModel(t *testing.T) { storagetest.RunModel(t, openAny) }

// TestIsolation is the part of the suite that takes a seed, also with a read set that is
// widened to rows at once: make isolation SEED=n.
func TestIsolation(t *testing.T) {
	t.Run("Wide", func(t *testing.T) {
		storagetest.RunIsolation(t, func(t testing.TB) storage.Store {
			return open(t, occ.Options{Layout: table.Layout, Limits: occ.Limits{ReadSetCoarsen: 2, RecentKeys: 50}})
		})
	})
	storagetest.RunIsolation(t, openAny)
}

func closeStore(t testing.TB, s *store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, s *store, key, value string) {
	t.Helper()
	if err := tryPut(t.Context(), s, key, value); err != nil {
		t.Fatal(err)
	}
}

func tryPut(ctx context.Context, s *store, key, value string) error {
	tx, err := s.Begin(ctx, storage.TxOptions{})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Close() }()
	if err := tx.Set([]byte(key), []byte(value)); err != nil {
		return err
	}
	_, err = tx.Commit(ctx)
	return err
}

func value(t testing.TB, s *store, key string) string {
	t.Helper()
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = snap.Close() }()
	v, err := snap.Get([]byte(key))
	if errors.Is(err, storage.ErrNotFound) {
		return "-"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(v)
}

// TestNotSeenBeforeWritten: while the Base writes, nobody sees the commit, hears of it or
// is answered; those who come meanwhile make one group.
func TestNotSeenBeforeWritten(t *testing.T) {
	s := open(t, occ.Options{})
	put(t, s, "k", "old")
	reached, release := make(chan struct{}), make(chan struct{})
	s.base.hold = func() {
		reached <- struct{}{}
		<-release
	}
	heard := make(chan uint64, 8)
	s.OnCommit(func(c storage.Commit) { heard <- c.Seq })
	answers := make(chan error, 8)
	go func() { answers <- tryPut(context.Background(), s, "k", "new") }()
	<-reached
	if got := value(t, s, "k"); got != "old" || s.Seq() != 1 || len(heard) != 0 || len(answers) != 0 {
		t.Errorf("before it is written: %q, commit %d, %d heard, %d answered", got, s.Seq(), len(heard), len(answers))
	}
	for _, key := range []string{"a", "b", "c"} {
		go func() { answers <- tryPut(context.Background(), s, key, "1") }()
	}
	for s.Stats().Queue < 3 { // until all wait
		runtime.Gosched()
	}
	close(release)
	<-reached
	for range 4 {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
	if m := s.Stats(); m.Commits != 5 || m.Groups != 3 || value(t, s, "k") != "new" {
		t.Errorf("%+v", m)
	}
	closeStore(t, s)
}

// TestFail: a Base that cannot write ends the Store: the commit's outcome is unknown, and
// nobody reads or begins anything any more.
func TestFail(t *testing.T) {
	s := open(t, occ.Options{})
	put(t, s, "k", "old")
	reader, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	it := reader.Scan(storage.ScanOptions{})
	s.base.hold = func() {
		s.Fail()
		runtime.Goexit()
	}
	if err := tryPut(t.Context(), s, "k", "new"); !errors.Is(err, storage.ErrUndetermined) {
		t.Errorf("a commit that was not written: %v", err)
	}
	if it.Next() || !errors.Is(it.Err(), storage.ErrUnavailable) {
		t.Errorf("a scan behind the failure: %q, %v", it.Value(), it.Err())
	}
	if _, err := reader.Get([]byte("k")); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("a read behind the failure: %v", err)
	}
	if _, err := s.Begin(t.Context(), storage.TxOptions{}); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("begin behind the failure: %v", err)
	}
}

// TestFail_Refresh: a transaction that asked for a newer state when the Store failed has nothing
// left to commit, for it is not known whether it lost a conflict.
func TestFail_Refresh(t *testing.T) {
	s := open(t, occ.Options{})
	tx, err := s.Begin(t.Context(), storage.TxOptions{Isolation: storage.CommittedIsolation})
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Set([]byte("a"), nil); err != nil {
		t.Fatal(err)
	}
	put(t, s, "k", "1")
	reached, asked := make(chan struct{}), make(chan struct{})
	s.base.hold = func() {
		close(reached)
		<-asked
		s.Fail()
		runtime.Goexit()
	}
	answers := make(chan error, 2)
	go func() { answers <- tryPut(context.Background(), s, "k", "2") }()
	<-reached
	go func() { answers <- tx.Refresh(context.Background()) }()
	for s.Stats().Queue == 0 {
		runtime.Gosched()
	}
	close(asked)
	for range 2 {
		if err := <-answers; !errors.Is(err, storage.ErrUndetermined) {
			t.Error(err)
		}
	}
	if tx.Pending() {
		t.Error("it could be committed")
	}
	if err := tx.Close(); err != nil {
		t.Error(err)
	}
}

// TestEnd: who is still open says so, and the last of them makes the base idle.
func TestEnd(t *testing.T) {
	s := open(t, occ.Options{CloseWait: time.Millisecond})
	put(t, s, "k", "1")
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	idle, err := s.End()
	if !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("an end with a reader: %v", err)
	}
	if _, err := s.Begin(t.Context(), storage.TxOptions{}); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("begin behind the end: %v", err)
	}
	select {
	case <-idle:
		t.Error("idle with a reader")
	default:
	}
	if v, err := snap.Get([]byte("k")); string(v) != "1" || err != nil {
		t.Errorf("a reader behind the end: %q, %v", v, err)
	}
	if err := snap.Close(); err != nil {
		t.Fatal(err)
	}
	<-idle
}

// TestCommitTables_Release: who has written its tables keeps no state open while everybody waits for
// them to be taken in, for its memory may be what the base needs then.
func TestCommitTables_Release(t *testing.T) {
	s := open(t, occ.Options{})
	defer closeStore(t, s)
	tx, err := s.Begin(context.Background(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Get([]byte("k")); err != storage.ErrNotFound {
		t.Fatal(err)
	}
	put(t, s, "other", "1")
	states := 0
	late := func([]storage.Touched) (storage.KeySource, error) {
		s.base.mu.Lock()
		defer s.base.mu.Unlock()
		states = s.base.states
		return nil, nil
	}
	source := func(add func(key, value []byte) error) error { return add([]byte("k"), []byte("v")) }
	if _, err := tx.CommitTablesBeside(context.Background(), storage.Beside{Late: late}, source); err != nil {
		t.Fatal(err)
	}
	if states != 1 {
		t.Errorf("%d states are open, want the current one alone", states)
	}
	if got := value(t, s, "k"); got != "v" {
		t.Errorf("k is %q", got)
	}
}
