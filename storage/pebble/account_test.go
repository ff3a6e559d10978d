package pebble_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/heap"
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

// TestScan_Account: scans that are left open are charged for about what they take, whether
// a Tx writes or not; when there is no room the next one says so, and all is given back.
func TestScan_Account(t *testing.T) {
	s := open(t, "", pebble.Options{Layout: table.Layout, InMemory: true})
	defer closeStore(t, s)
	for i := range 100 {
		put(t, s, fmt.Sprint("k", i), "v")
	}
	if err := s.DB().Flush(); err != nil {
		t.Fatal(err)
	}
	put(t, s, "k", "in memory")
	for _, o := range []storage.TxOptions{{}, {ReadOnly: true}} {
		const scans = 1000
		o.Account = account.New(nil, "queryMemory", account.Unlimited)
		tx, err := s.Begin(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		before, kept := heap.InUse(), make([]storage.Iterator, scans)
		for i := range kept {
			kept[i] = tx.Scan(storage.ScanOptions{From: []byte("k"), To: []byte("l")})
			if !kept[i].Next() {
				t.Fatal(kept[i].Err())
			}
		}
		if grown, used := heap.InUse()-before, o.Account.Used(); grown > used+used/4 || grown < used/2 {
			t.Errorf("%d scans: %d bytes are in use, %d are charged", scans, grown, used)
		}
		if err := o.Account.Charge(1 << 30); err != nil {
			t.Fatal(err)
		}
		for _, it := range kept {
			if err := it.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if used := o.Account.Used() - 1<<30; used != 0 {
			t.Errorf("%d bytes are charged for scans that are closed", used)
		}
		if err := tx.Close(); err != nil {
			t.Fatal(err)
		}
		if used := o.Account.Used() - 1<<30; used != 0 {
			t.Errorf("%d bytes are charged behind the end", used)
		}
	}
}

// TestScan_FullAccount: a scan that nobody can pay for ends with the reason, and those
// before it go on; a reader that was forked pays from the same account.
func TestScan_FullAccount(t *testing.T) {
	const limit = 1 << 20
	s := open(t, "", pebble.Options{Layout: table.Layout, InMemory: true})
	defer closeStore(t, s)
	for i := range 10 {
		put(t, s, fmt.Sprint("k", i), "v")
	}
	a := account.New(nil, "queryMemory", limit)
	tx, err := s.Begin(t.Context(), storage.TxOptions{ReadOnly: true, Account: a})
	if err != nil {
		t.Fatal(err)
	}
	fork, err := tx.Snapshot().Fork()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []storage.Reader{tx, fork} {
		first := r.Scan(storage.ScanOptions{})
		for n := 0; ; n++ {
			it := r.Scan(storage.ScanOptions{})
			if it.Next() {
				if n > limit>>10 {
					t.Fatalf("%d scans are open", n)
				}
				continue
			}
			if err := it.Close(); !errors.Is(err, account.ErrLimit) || !strings.Contains(err.Error(), "queryMemory") {
				t.Fatalf("scan %d: %v", n, err)
			}
			break
		}
		if !first.Next() {
			t.Errorf("the first scan: %v", first.Err())
		}
	}
	if err := errors.Join(fork.Close(), tx.Close()); err != nil || a.Used() != 0 {
		t.Errorf("%d bytes are charged behind the end, %v", a.Used(), err)
	}
}
