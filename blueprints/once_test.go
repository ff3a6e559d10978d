package blueprints

import (
	"errors"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// ring adds n vertices, each with a property and an edge to the next one.
func ring(t *testing.T, g *Graph, n int) (vs []VertexID, es []EdgeID) {
	t.Helper()
	commit(t, g, func(tx *Tx) error {
		for range n {
			vs = append(vs, ok[VertexID](t)(tx.AddVertex("v", value.Null)))
		}
		for i, v := range vs {
			ok[PropertyEntry](t)(tx.SetVertexProperty(v, "single", "k", value.Int(int32(i)), value.Null, nil))
			es = append(es, ok[EdgeID](t)(tx.AddEdge("e", v, vs[(i+1)%n], value.Null)))
		}
		return nil
	})
	g.cache.reset(g.store.Seq())
	return vs, es
}

// readAll reads all of a ring in the ways that an export has.
func readAll(t *testing.T, tx *Tx, vs []VertexID, es []EdgeID) {
	t.Helper()
	if err := errors.Join(tx.FetchVertices(vs, true), tx.FetchEdges(es)); err != nil {
		t.Fatal(err)
	}
	compare(t, tx, vs)
	for _, e := range es {
		ok[EdgeHeader](t)(tx.Edge(e))
	}
	for range 3 { // the third comes from memory
		it := tx.Vertices()
		n := it.Next(make([]VertexID, len(vs)+1))
		if err := it.Close(); err != nil || n != len(vs) {
			t.Fatalf("%d vertices: %v", n, err)
		}
	}
}

// TestReadOnce_LeavesTheCache: what is read once does not come into the graph's cache, and
// pushes nothing out of it, with room for its own rows and without.
func TestReadOnce_LeavesTheCache(t *testing.T) {
	db, g := openCached(t, 8<<20)
	vs, es := ring(t, g, raced.Times(raced.Part(2000, 4), 4))
	first := reader(t, g)
	if err := first.FetchVertices(vs[:100], true); err != nil {
		t.Fatal(err)
	}
	before := db.CacheStats()
	for _, room := range []int64{0, onceBytes + keptBytes<<2, 1 << 10} {
		a := account.New(nil, "queryMemory", room)
		tx := ok[*Tx](t)(g.Begin(t.Context(), TxOptions{ReadOnly: true, Account: a}))
		err := tx.ReadOnce(func() error {
			readAll(t, tx, vs, es)
			return tx.ReadOnce(func() error { return nil })
		})
		if err != nil {
			t.Fatal(err)
		}
		if tx.cache != g.cache {
			t.Error("the transaction has not its graph's cache again")
		}
		if err := tx.Close(); err != nil || a.Used() != 0 {
			t.Errorf("%v, %d bytes are charged behind the end", err, a.Used())
		}
		if after := db.CacheStats(); after != before {
			t.Errorf("%d bytes of room: the cache was %+v and is %+v", room, before, after)
		}
	}
}

// TestReadOnce_IsObserved: a transaction that read everything once and then writes loses
// against whoever changed, added or removed an element, and not against itself.
func TestReadOnce_IsObserved(t *testing.T) {
	_, g := openCached(t, 8<<20)
	vs, es := ring(t, g, 50)
	for name, change := range map[string]func(tx *Tx) error{
		"nothing":         func(*Tx) error { return nil },
		"vertex added":    func(tx *Tx) error { _, err := tx.AddVertex("v", value.Null); return err },
		"edge added":      func(tx *Tx) error { _, err := tx.AddEdge("e", vs[1], vs[7], value.Null); return err },
		"edge removed":    func(tx *Tx) error { return tx.RemoveEdge(es[9]) },
		"edge's property": func(tx *Tx) error { return tx.SetEdgeProperty(es[3], "k", value.Int(1)) },
		"property": func(tx *Tx) error {
			_, err := tx.SetVertexProperty(vs[0], "single", "k", value.Int(-1), value.Null, nil)
			return err
		},
	} {
		tx := ok[*Tx](t)(g.Begin(t.Context(), TxOptions{}))
		if err := tx.ReadOnce(func() error { return errors.Join(tx.FetchVertices(vs, true), tx.FetchEdges(es)) }); err != nil {
			t.Fatal(err)
		}
		commit(t, g, change)
		for range 5000 { // more than one block of ids
			ok[VertexID](t)(tx.AddVertex("other", value.Null))
		}
		err := tx.Commit(t.Context())
		if lost := errors.Is(err, storage.ErrConflict); lost != (name != "nothing") || err != nil && !lost {
			t.Errorf("%s: %v", name, err)
		}
		if name == "edge removed" {
			es = slices.Delete(es, 9, 10)
		}
		tx.Close()
	}
}
