package blueprints_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

func scratchDatabase(t *testing.T) *blueprints.Database {
	t.Helper()
	memory := func() (storage.Store, error) {
		return pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, CacheBytes: 1 << 20})
	}
	s, err := memory()
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(s, blueprints.DatabaseOptions{Scratch: memory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// TestScratch_Memory compares what graphs take with what is charged for them.
func TestScratch_Memory(t *testing.T) {
	db := scratchDatabase(t)
	ctx := context.Background()
	a := account.New(nil, "sessionMemory", account.Unlimited)
	fills := map[string]func(tx *blueprints.Tx) error{
		"nothing": func(*blueprints.Tx) error { return nil },
		"vertices": func(tx *blueprints.Tx) error {
			_, err := tx.AddVertex("a", value.Null)
			return err
		},
		"properties": func(tx *blueprints.Tx) error {
			v, err := tx.AddVertex("a", value.Null)
			for i := 0; i < 10 && err == nil; i++ {
				_, err = tx.SetVertexProperty(v, "list", fmt.Sprint("k", i), value.Int(int32(i)), value.Null, nil)
			}
			return err
		},
		"edges": func(tx *blueprints.Tx) error {
			v, err := tx.AddVertex("a", value.Null)
			for i := 0; i < 10 && err == nil; i++ {
				_, err = tx.AddEdge("b", v, v, value.Null)
			}
			return err
		},
		"removed": func(tx *blueprints.Tx) error {
			v, err := tx.AddVertex("a", value.Null)
			if err == nil {
				err = tx.RemoveVertex(v)
			}
			return err
		},
		"names": func(tx *blueprints.Tx) error {
			n, err := tx.VertexCount()
			if err == nil {
				_, err = tx.AddVertex(fmt.Sprint("label", n), value.Null)
			}
			return err
		},
	}
	// What the process takes once, whoever comes first (pools, the first memory table,
	// generated code of encoders), is nobody's graph: a first round takes it.
	for _, measured := range []bool{false, true} {
		for name, fill := range fills {
			graphs, times := 1, 4_000
			if name == "nothing" {
				graphs, times = 200, 1
			}
			before := heap.InUse()
			var txs []*blueprints.Tx
			for range graphs {
				tx, err := db.Scratch(ctx, blueprints.Options{}, a)
				if err != nil {
					t.Fatal(err)
				}
				for range times {
					if err := fill(tx); err != nil {
						t.Fatal(err)
					}
				}
				txs = append(txs, tx)
			}
			took, charged := heap.InUse()-before, a.Used()
			t.Logf("%s: %d bytes, %d charged", name, took, charged)
			if measured && took > charged+charged/2 {
				t.Errorf("%s: %d bytes are charged for %d", name, charged, took)
			}
			for _, tx := range txs {
				tx.Close()
			}
			if a.Used() != 0 {
				t.Fatalf("%s: %d bytes are charged afterwards", name, a.Used())
			}
		}
	}
}

// TestScratch keeps graphs apart, from each other and from the database.
func TestScratch(t *testing.T) {
	db := scratchDatabase(t)
	ctx := context.Background()
	a := account.New(nil, "sessionMemory", 1<<20)
	one, err := db.Scratch(ctx, blueprints.Options{DefaultCardinality: "list"}, a)
	if err != nil {
		t.Fatal(err)
	}
	other, err := db.Scratch(ctx, blueprints.Options{}, a)
	if err != nil {
		t.Fatal(err)
	}
	v, err := one.AddVertex("person", value.Int(7))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.AddVertex("person", value.Int(7)); err == nil {
		t.Error("an id was taken twice")
	}
	if err := one.SetVariable("a", value.Int(1)); err != nil {
		t.Error(err)
	}
	for tx, want := range map[*blueprints.Tx]int64{one: 1, other: 0} {
		if n, err := tx.VertexCount(); n != want || err != nil {
			t.Errorf("%d vertices, not %d: %v", n, want, err)
		}
		if vs, err := tx.Variables(); int64(vs.Len()) != want || err != nil {
			t.Errorf("%d variables, not %d: %v", vs.Len(), want, err)
		}
	}
	g := one.Graph()
	if err := g.CreateKeyIndex(ctx, blueprints.VertexClass, "name"); err != nil {
		t.Error(err)
	}
	if keys, err := g.IndexedKeys(blueprints.VertexClass); len(keys) != 1 || err != nil {
		t.Errorf("indexed keys %v: %v", keys, err)
	}
	if _, err := g.Begin(ctx, blueprints.TxOptions{}); err == nil {
		t.Error("a second transaction began")
	}
	if ok, err := one.VertexExists(v); !ok || err != nil {
		t.Errorf("the vertex is gone: %v", err)
	}
	if names := db.GraphNames(); len(names) != 0 {
		t.Errorf("the database has %v", names)
	}
	for _, tx := range []*blueprints.Tx{one, other, one} { // twice is once
		if err := tx.Close(); err != nil {
			t.Error(err)
		}
	}
	if a.Used() != 0 {
		t.Errorf("%d bytes are charged afterwards", a.Used())
	}
	if _, err := db.Scratch(ctx, blueprints.Options{}, account.New(nil, "sessionMemory", 1<<10)); !errors.Is(err, account.ErrLimit) {
		t.Errorf("a graph beyond the account: %v", err)
	}
}
