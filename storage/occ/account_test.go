package occ_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/occ"
)

// writeMuch writes small keys, large values, counters and range deletions until the
// account of the transaction refuses, and returns why.
func writeMuch(tx storage.Tx, kind string) error {
	large := make([]byte, 8000)
	for i := range 1_000_000 {
		key := fmt.Appendf(nil, "k%d", i)
		var err error
		switch kind {
		case "keys":
			err = tx.Set(key, nil)
		case "values":
			err = tx.Set(key, large)
		case "deletions":
			err = tx.Delete(key)
		case "ranges":
			err = tx.DeleteRange(key, append(key, 0))
		case "counters":
			err = tx.Merge(key, 1)
		case "cover":
			err = tx.DeleteRange([]byte("k"), key)
		case "versions", "deleted again": // each of which a scan may still see
			if err = tx.Set([]byte("k"), large[:100]); kind == "deleted again" {
				err = tx.Delete([]byte("k"))
			}
			if it := tx.Scan(storage.ScanOptions{From: []byte("k"), To: []byte("l")}); err == nil {
				err = it.Close()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestWriteSet_Account refuses to keep more writes than the account of a transaction
// allows, whatever they are, and gives all back when the transaction ends, however it
// does.
func TestWriteSet_Account(t *testing.T) {
	const limit = 16 << 20
	s := open(t, occ.Options{})
	defer closeStore(t, s)
	for _, kind := range []string{"keys", "values", "deletions", "ranges", "counters", "cover", "versions", "deleted again"} {
		a := account.New(nil, "sessionMemory", limit)
		tx, err := s.Begin(t.Context(), storage.TxOptions{Account: a})
		if err != nil {
			t.Fatal(err)
		}
		before := heap.InUse()
		err = writeMuch(tx, kind)
		if !errors.Is(err, account.ErrLimit) || !strings.Contains(err.Error(), "sessionMemory") {
			t.Errorf("%s: %v", kind, err)
		}
		if grown := heap.InUse() - before; grown > limit {
			t.Errorf("%s: %d bytes are in use, %d were charged", kind, grown, a.Used())
		}
		if _, err := tx.Commit(t.Context()); !errors.Is(err, account.ErrLimit) {
			t.Errorf("%s: commit of a part: %v", kind, err)
		}
		if a.Used() != 0 {
			t.Errorf("%s: %d bytes are charged behind the end", kind, a.Used())
		}
	}
	for _, end := range []func(storage.Tx) error{
		func(tx storage.Tx) error { _, err := tx.Commit(t.Context()); return err },
		storage.Tx.Close,
	} {
		a := account.New(nil, "queryMemory", limit)
		tx, err := s.Begin(t.Context(), storage.TxOptions{Account: a})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 1000 {
			if err := tx.Set(fmt.Appendf(nil, "n%d", i), make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
		}
		if used := a.Used(); used < 1000*100 {
			t.Errorf("%d bytes are charged for 1000 writes of 100 bytes", used)
		}
		if err := end(tx); err != nil || a.Used() != 0 {
			t.Errorf("end of a transaction: %v, %d bytes are charged", err, a.Used())
		}
	}
}

// TestCommit_Account: what a commit takes beside the write set was charged, too.
func TestCommit_Account(t *testing.T) {
	const keys = 10_000
	s := open(t, occ.Options{})
	defer closeStore(t, s)
	older, err := s.Begin(t.Context(), storage.TxOptions{}) // the committer has to know the keys behind the commit
	if err != nil {
		t.Fatal(err)
	}
	defer older.Close()
	for _, write := range []func(tx storage.Tx, key []byte) error{
		func(tx storage.Tx, key []byte) error { return tx.Set(key, make([]byte, 20)) },
		storage.Tx.Delete,
		func(tx storage.Tx, key []byte) error { return tx.Merge(key, 1) },
	} {
		a := account.New(nil, "queryMemory", account.Unlimited)
		before := heap.InUse()
		tx, err := s.Begin(t.Context(), storage.TxOptions{Account: a})
		if err != nil {
			t.Fatal(err)
		}
		for i := range keys {
			if err := write(tx, fmt.Appendf(nil, "k%d", i)); err != nil {
				t.Fatal(err)
			}
		}
		s.base.hold = func() {
			if grown := heap.InUse() - before; grown > a.Used() {
				t.Errorf("%d bytes are in use when the commit is written, %d are charged", grown, a.Used())
			}
		}
		if _, err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// readMuch reads until what was read cannot be kept.
func readMuch(tx storage.Tx, kind string) {
	for i := range 400_000 {
		key := fmt.Appendf(nil, "row %d", i)
		switch kind {
		case "keys":
			_, _ = tx.Get(key) // there is nothing
		case "ranges":
			tx.Observe(key, append(key, 1))
		case "guards":
			tx.Guard(key)
		case "the same":
			tx.Observe([]byte("a"), []byte("b"))
			tx.Observe([]byte("c"), []byte("d"))
		}
	}
}

// TestReadSet_Account: what a transaction reads is charged while it may have to be compared
// with what others write. When the account has no room it can still read, and the first
// write or the commit says why it cannot.
func TestReadSet_Account(t *testing.T) {
	const limit = 16 << 20
	s := open(t, occ.Options{})
	defer closeStore(t, s)
	for _, kind := range []string{"keys", "ranges", "guards", "the same"} {
		for _, max := range []int64{limit, account.Unlimited} {
			a := account.New(nil, "sessionMemory", max)
			before := heap.InUse()
			tx, err := s.Begin(t.Context(), storage.TxOptions{Account: a})
			if err != nil {
				t.Fatal(err)
			}
			readMuch(tx, kind)
			if grown := heap.InUse() - before; grown > a.Used()+64<<10 || kind == "the same" && a.Used() > 4<<20 {
				t.Errorf("%s: %d bytes are in use, %d are charged", kind, grown, a.Used())
			}
			refused := max == limit && kind != "the same"
			err = tx.Set([]byte("k"), nil)
			if refused != errors.Is(err, account.ErrLimit) || refused && !strings.Contains(err.Error(), "sessionMemory") {
				t.Errorf("%s, limit %d: write: %v", kind, max, err)
			}
			if _, err := tx.Commit(t.Context()); refused != errors.Is(err, account.ErrLimit) {
				t.Errorf("%s, limit %d: commit: %v", kind, max, err)
			}
			if a.Used() != 0 {
				t.Errorf("%s: %d bytes are charged behind the end", kind, a.Used())
			}
		}
	}
}

// TestCommit_Forgotten: what a commit wrote is kept for the sake of transactions that may
// conflict with it, no longer than one is open: not until somebody commits again.
func TestCommit_Forgotten(t *testing.T) {
	const keys = 50_000
	s := open(t, occ.Options{})
	defer closeStore(t, s)
	write := func(n int) {
		tx, err := s.Begin(t.Context(), storage.TxOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if err := tx.Delete(fmt.Appendf(nil, "a key that is not there %d", i)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	write(1)
	before := heap.InUse()
	older, err := s.Begin(t.Context(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	write(keys)
	if grown := heap.InUse() - before; grown < keys*40 {
		t.Errorf("%d bytes are in use while a transaction is open that may conflict with %d keys", grown, keys)
	}
	if err := older.Close(); err != nil {
		t.Fatal(err)
	}
	last, err := s.Begin(t.Context(), storage.TxOptions{Alone: true}) // behind what the committer has to do
	if err != nil {
		t.Fatal(err)
	}
	if err := last.Close(); err != nil {
		t.Fatal(err)
	}
	if grown := heap.InUse() - before; grown > 1<<20 {
		t.Errorf("%d bytes are in use when no transaction is open", grown)
	}
}
