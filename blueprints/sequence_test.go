package blueprints_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
)

// hooked is a store that calls committed, once, behind a commit that moved a sequence.
type hooked struct {
	storage.Store
	committed func()
}

type hookedTx struct {
	storage.Tx
	s     *hooked
	moves bool
}

func (s *hooked) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	tx, err := s.Store.Begin(ctx, o)
	if err != nil {
		return nil, err
	}
	return &hookedTx{Tx: tx, s: s}, nil
}

func (t *hookedTx) Set(key, val []byte) error {
	t.moves = t.moves || bytes.Contains(key, []byte("sequence/"))
	return t.Tx.Set(key, val)
}

func (t *hookedTx) Commit(ctx context.Context) (uint64, error) {
	seq, err := t.Tx.Commit(ctx)
	if hook := t.s.committed; err == nil && t.moves && hook != nil {
		t.s.committed = nil
		hook()
	}
	return seq, err
}

// A transaction that is alone may come between the commit that moves the end of a sequence
// and the moment when that is known: it must not move the end back, for a crash would hand
// out the numbers in between once more.
func TestSequence_AloneBehindAnExtension(t *testing.T) {
	s := &hooked{}
	db := openOn(t, vfs.NewMem(), func(inner storage.Store) storage.Store { s.Store = inner; return s })
	defer db.Close()
	g, err := db.CreateGraph("g", blueprints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	update(t, g, func(tx *blueprints.Tx) error { addVertex(t, tx, "a", "k", 1); return nil })
	alone := 0
	s.committed = func() {
		tx, err := g.Begin(ctx, blueprints.TxOptions{Alone: true})
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Close()
		addVertex(t, tx, "a", "k", 1)
		if err := tx.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		alone++
	}
	for range 600 { // through several blocks, and not to the end of one
		update(t, g, func(tx *blueprints.Tx) error { addVertex(t, tx, "a", "k", 1); return nil })
		wantSound(t, g)
	}
	if alone != 1 {
		t.Error("no transaction was alone")
	}
}
