// Package storagetest is one suite for every storage.Store: what the contract says,
// the isolation cases as fixed interleavings, random histories with a checker, and a
// model test. Run it with a function that opens an empty store.
package storagetest

import (
	"context"
	"errors"
	"testing"

	"github.com/gremlind/gremlind/storage"
)

// Open opens an empty store. The suite closes it.
type Open func(t testing.TB) storage.Store

// Run runs what the contract says, over every way to keep bytes that a store has. How
// transactions see each other does not depend on that: RunIsolation asks it once.
func Run(t *testing.T, open Open) {
	for _, c := range contract {
		t.Run(c.name, func(t *testing.T) { c.run(newBench(t, open)) })
	}
}

// RunIsolation runs the isolation cases and random histories; the seed of those can be
// given, see Seeds.
func RunIsolation(t *testing.T, open Open) {
	t.Run("Isolation", func(t *testing.T) { runIsolation(t, open) })
	t.Run("History", func(t *testing.T) { runHistories(t, open) })
}

// RunConcurrent runs the histories that depend on how long a write takes, for a store whose
// writes take long.
func RunConcurrent(t *testing.T, open Open) {
	for name, level := range levels {
		t.Run("Concurrent/"+name, func(t *testing.T) {
			Seeds(t, 3, func(t *testing.T, seed uint64) { checkHistory(t, concurrent(newBench(t, open), level, seed, 400)) })
		})
	}
}

// bench is a store under test with shorthands that fail the test on an error.
type bench struct {
	testing.TB
	store storage.Store
}

func newBench(t testing.TB, open Open) *bench {
	b := &bench{TB: t, store: open(t)}
	t.Cleanup(func() { b.ok(b.store.Close()) })
	return b
}

func (b *bench) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) is(err, want error) {
	b.Helper()
	if !errors.Is(err, want) {
		b.Fatalf("error is %v, want %v", err, want)
	}
}

func (b *bench) begin(o storage.TxOptions) *tx {
	b.Helper()
	t, err := b.store.Begin(context.Background(), o)
	b.ok(err)
	b.Cleanup(func() { _ = t.Close() })
	return &tx{b, t}
}

// put commits pairs of key and value.
func (b *bench) put(pairs ...string) {
	b.Helper()
	t := b.begin(storage.TxOptions{})
	for i := 0; i < len(pairs); i += 2 {
		t.set(pairs[i], pairs[i+1])
	}
	t.commit()
}

// tx is a transaction with shorthands over strings.
type tx struct {
	*bench
	storage.Tx
}

func (t *tx) set(key, value string) {
	t.Helper()
	t.ok(t.Tx.Set([]byte(key), []byte(value)))
}

func (t *tx) del(key string) {
	t.Helper()
	t.ok(t.Tx.Delete([]byte(key)))
}

func (t *tx) delRange(from, to string) {
	t.Helper()
	t.ok(t.Tx.DeleteRange([]byte(from), []byte(to)))
}

func (t *tx) merge(key string, n int64) {
	t.Helper()
	t.ok(t.Tx.Merge([]byte(key), n))
}

func (t *tx) commit() uint64 {
	t.Helper()
	seq, err := t.Tx.Commit(context.Background())
	t.ok(err)
	return seq
}

func (t *tx) conflict() {
	t.Helper()
	_, err := t.Tx.Commit(context.Background())
	t.is(err, storage.ErrConflict)
}

// get returns a value, "-" when missing.
func (t *tx) get(key string) string {
	t.Helper()
	return get(t.TB, t.Tx, key)
}

func get(t testing.TB, r storage.Reader, key string) string {
	t.Helper()
	v, err := r.Get([]byte(key))
	if errors.Is(err, storage.ErrNotFound) {
		return "-"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(v)
}

func (t *tx) scan(from, to string) string { t.Helper(); return scan(t.TB, t.Tx, from, to, false) }

// scan returns "k=v k=v" of a range.
func scan(t testing.TB, r storage.Reader, from, to string, reverse bool) string {
	t.Helper()
	it := r.Scan(storage.ScanOptions{From: []byte(from), To: []byte(to), Reverse: reverse})
	return drain(t, it)
}

func drain(t testing.TB, it storage.Iterator) string {
	t.Helper()
	out := ""
	for it.Next() {
		if out != "" {
			out += " "
		}
		out += string(it.Key()) + "=" + string(it.Value())
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}

func (b *bench) eq(got, want any) {
	b.Helper()
	if got != want {
		b.Fatalf("got %v, want %v", got, want)
	}
}
