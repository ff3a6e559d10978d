package blueprints_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
)

// undeletable is a store of which no range can be deleted while it fails.
type undeletable struct {
	storage.Store
	fails bool
}

func (s *undeletable) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	tx, err := s.Store.Begin(ctx, o)
	return undeletableTx{tx, s}, err
}

type undeletableTx struct {
	storage.Tx
	s *undeletable
}

func (t undeletableTx) DeleteRange(from, to []byte) error {
	if t.s.fails {
		return storagetest.ErrDisk
	}
	return t.Tx.DeleteRange(from, to)
}

// numbersIn are the numbers of the graphs of which a store has something.
func numbersIn(t *testing.T, s storage.Store) map[uint32]bool {
	t.Helper()
	snap := must[storage.Snapshot](t)(s.Snapshot())
	defer snap.Close()
	it := snap.Scan(allKeys)
	defer it.Close()
	all := map[uint32]bool{}
	for it.Next() {
		all[binary.BigEndian.Uint32(it.Key())] = true
	}
	return all
}

// TestArchive_NameTaken: who restores a graph, and finds at the end that another one has its name by
// now, is told so, and nothing of what was restored stays; or that it stays, which is told, too.
func TestArchive_NameTaken(t *testing.T) {
	for _, c := range []struct{ inMemory, fails bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		open := func() *undeletable {
			return &undeletable{Store: must[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))}
		}
		disk, memory := open(), open()
		db := must[*blueprints.Database](t)(blueprints.Open(disk, blueprints.DatabaseOptions{Memory: memory}))
		t.Cleanup(func() { db.Close() })
		o := blueprints.NewOptions()
		o.InMemory = c.inMemory
		g := archivable(t, db, o)
		var file bytes.Buffer
		if err := g.Archive(ctx, &file); err != nil {
			t.Fatal(err)
		}
		whole := file.Bytes()
		last := lateReader(func(b []byte) (int, error) {
			if _, err := db.CreateGraph("taken", blueprints.NewOptions()); err != nil {
				return 0, err
			}
			disk.fails, memory.fails = c.fails, c.fails
			return copy(b, whole[len(whole)-1:]), io.EOF
		})
		err := db.RestoreGraph(ctx, "taken", io.MultiReader(bytes.NewReader(whole[:len(whole)-1]), last))
		if !errors.Is(err, blueprints.ErrGraphExists) || errors.Is(err, storagetest.ErrDisk) != c.fails {
			t.Errorf("%+v: %v", c, err)
		}
		taken := must[*blueprints.Graph](t)(db.Graph("taken"))
		wantCounts(t, taken, 0, 0)
		for _, s := range []*undeletable{disk, memory} {
			for n := range numbersIn(t, s) {
				if n != table.StoreGraph && n != g.Number() && n != taken.Number() && !c.fails {
					t.Errorf("%+v: there is something of graph %d", c, n)
				}
			}
		}
	}
}

// lateReader reads what is there when it is asked for.
type lateReader func(b []byte) (int, error)

func (r lateReader) Read(b []byte) (int, error) { return r(b) }
