package blueprints_test

import (
	"errors"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// TestRefresh: a transaction on a graph of committed isolation sees what others commit
// between its requests, through the cache and beside its own changes of the same
// elements; what it wrote itself still conflicts.
func TestRefresh(t *testing.T) {
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(s, blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for name, isolation := range map[string]storage.Isolation{"committed": storage.CommittedIsolation, "snapshot": storage.SnapshotIsolation} {
		g, err := db.CreateGraph(name, blueprints.Options{Isolation: isolation})
		if err != nil {
			t.Fatal(err)
		}
		var a blueprints.VertexID
		set := func(tx *blueprints.Tx, key, v string) {
			t.Helper()
			if _, err := tx.SetVertexProperty(a, "single", key, value.String(v), value.Null, nil); err != nil {
				t.Fatal(err)
			}
		}
		update := func(fn func(tx *blueprints.Tx)) {
			t.Helper()
			if err := g.Update(t.Context(), func(tx *blueprints.Tx) error { fn(tx); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		update(func(tx *blueprints.Tx) {
			if a, err = tx.AddVertex("v", value.Null); err != nil {
				t.Fatal(err)
			}
			set(tx, "x", "1")
			set(tx, "y", "1")
		})
		tx, err := g.Begin(t.Context(), blueprints.TxOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Close() }()
		read := func(key string) string {
			t.Helper()
			sym, ok := tx.Symbol(key)
			if !ok {
				t.Fatalf("no key %s", key)
			}
			ps, err := tx.VertexProperties(nil, a, []blueprints.Symbol{sym})
			if err != nil || len(ps) != 1 {
				t.Fatalf("%s: %v %v", key, ps, err)
			}
			return ps[0].Value.String()
		}
		read("x")
		set(tx, "x", "own")
		update(func(tx *blueprints.Tx) { set(tx, "y", "2") })
		before := read("y")
		if err := tx.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if isolation == storage.CommittedIsolation && (read("x") == before || read("y") == before) || isolation != storage.CommittedIsolation && read("y") != before {
			t.Errorf("%s: x %s, y %s, which was %s", name, read("x"), read("y"), before)
		}
		update(func(tx *blueprints.Tx) { set(tx, "x", "another") })
		if err := tx.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(t.Context()); !errors.Is(err, storage.ErrConflict) {
			t.Errorf("%s: two wrote x: %v", name, err)
		}
	}
}
