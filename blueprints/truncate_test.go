package blueprints_test

import (
	"errors"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// TestGraph_Truncate: what is gone is gone from every way to it, what is defined stays, and
// the graph goes on.
func TestGraph_Truncate(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation, storage.CommittedIsolation} {
		g := newGraph(t, blueprints.Options{Isolation: level})
		if err := g.CreateKeyIndex(ctx, blueprints.VertexClass, "name"); err != nil {
			t.Fatal(err)
		}
		declareIndex(t, g, blueprints.IndexSpec{Name: "u", Class: blueprints.VertexClass, Keys: []string{"mail"}, Unique: true})
		fill := func() (v, w blueprints.VertexID, e blueprints.EdgeID) {
			t.Helper()
			update(t, g, func(tx *blueprints.Tx) (err error) {
				for _, id := range []*blueprints.VertexID{&v, &w} {
					if *id, err = tx.AddVertex("person", value.Null); err != nil {
						return err
					}
				}
				for key, text := range map[string]string{"name": "a", "mail": "m"} {
					if _, err = tx.SetVertexProperty(v, "", key, value.String(text), value.Null, nil); err != nil {
						return err
					}
				}
				if e, err = tx.AddEdge("knows", v, w, value.Null); err != nil {
					return err
				}
				return tx.Increment(blueprints.VertexClass, uint64(w), "views", 3)
			})
			return v, w, e
		}
		v, w, e := fill()
		view(t, g, func(tx *blueprints.Tx) { // so that it is cached
			if names := must[[]blueprints.PropertyEntry](t)(tx.VertexProperties(nil, v, nil)); len(names) != 2 {
				t.Fatal(names)
			}
		})
		rests := map[string]func(tx *blueprints.Tx) error{
			"a property": func(tx *blueprints.Tx) error {
				_, err := tx.SetVertexProperty(v, "", "age", value.Int(1), value.Null, nil)
				return err
			},
			"an edge":      func(tx *blueprints.Tx) error { _, err := tx.AddEdge("knows", w, v, value.Null); return err },
			"a drop":       func(tx *blueprints.Tx) error { return tx.RemoveEdge(e) },
			"a counter":    func(tx *blueprints.Tx) error { return tx.Increment(blueprints.VertexClass, uint64(w), "views", 1) },
			"a new vertex": func(tx *blueprints.Tx) error { _, err := tx.AddVertex("new", value.Null); return err },
		}
		open := map[string]*blueprints.Tx{}
		for what, change := range rests {
			tx := begin(t, g)
			if err := change(tx); err != nil {
				t.Fatal(what, err)
			}
			open[what] = tx
		}
		if err := g.Truncate(ctx); err != nil {
			t.Fatal(err)
		}
		for what, tx := range open {
			if err := tx.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
				t.Errorf("%v: %s behind the truncation: %v", level, what, err)
			}
		}
		view(t, g, func(tx *blueprints.Tx) {
			if n, m := must[int64](t)(tx.VertexCount()), must[int64](t)(tx.EdgeCount()); n != 0 || m != 0 {
				t.Errorf("%v: %d vertices, %d edges", level, n, m)
			}
			if ok := must[bool](t)(tx.VertexExists(v)); ok {
				t.Error("the vertex is still there")
			}
		})
		wantSound(t, g)
		fill() // the address is free again
		wantSound(t, g)
	}
}
