package blueprints

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// storeOnly is the transaction without what it and the graph keep decoded.
func (t *Tx) storeOnly() *Tx {
	bare := *t
	bare.columns = columns{off: true}
	bare.cache, bare.vertexRows, bare.edgeRows = nil, nil, nil
	bare.key, bare.key2, bare.cell, bare.labels, bare.open = nil, nil, nil, nil, nil
	return &bare
}

// A transaction that goes on reading what it writes is answered, from its rows and the
// cache, as the store's transaction would.
func TestTx_RowsAgreeWithTheStore(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for round := range uint64(raced.Times(raced.Part(12, 4), 4)) {
		r := rand.New(rand.NewPCG(seed, round))
		isolation := []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation}[round%2]
		db, _ := openCached(t, 1<<20)
		g := ok[*Graph](t)(db.CreateGraph("rows", Options{Isolation: isolation}))
		var vs []VertexID
		commit(t, g, func(tx *Tx) error {
			for i := range 6 {
				vs = append(vs, ok[VertexID](t)(tx.AddVertex("v", value.Long(int64(i)))))
			}
			for range 20 {
				if err := randomWrites(tx, r, vs); err != nil {
					return err
				}
			}
			return nil
		})
		compare(t, reader(t, g), vs[:3]) // the others come to the cache later
		tx := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
		defer tx.Close()
		next := int64(6)
		for range 40 {
			vs, next = randomElements(t, tx, r, vs, next)
			if err := randomWrites(tx, r, vs); err != nil {
				t.Fatal(err)
			}
			compare(t, tx, vs)
			compareIDs(t, tx, next)
		}
		if err := tx.Commit(context.Background()); err != nil {
			t.Fatal(err)
		}
		compare(t, reader(t, g), vs)
		compareIDs(t, reader(t, g), next)
	}
}

// randomElements adds a vertex now and then, under an id that may have been another's,
// and removes one.
func randomElements(t *testing.T, tx *Tx, r *rand.Rand, vs []VertexID, next int64) ([]VertexID, int64) {
	switch r.IntN(4) {
	case 0:
		id := r.Int64N(next + 1)
		v, err := tx.AddVertex("w", value.Long(id))
		if err == nil {
			return append(vs, v), max(next, id+1)
		}
	case 1:
		if len(vs) > 3 {
			i := r.IntN(len(vs))
			if err := tx.RemoveVertex(vs[i]); err != nil {
				t.Fatal(err)
			}
			return append(vs[:i:i], vs[i+1:]...), next
		}
	}
	return vs, next
}

func compareIDs(t *testing.T, tx *Tx, ids int64) {
	t.Helper()
	bare := tx.storeOnly()
	for id := range ids {
		got, want := fmt.Sprint(tx.FindVertex(value.Long(id))), fmt.Sprint(bare.FindVertex(value.Long(id)))
		if got != want {
			t.Fatalf("vertex %d: %s, the store says %s", id, got, want)
		}
	}
	for e := range tx.goneEdges {
		if ok[bool](t)(tx.EdgeExists(e)) {
			t.Fatalf("edge #%d exists though it was removed", e)
		}
	}
	for _, e := range drain(bare.Edges()) {
		id := ok[value.Value](t)(bare.EdgeUserID(e))
		if got, found, err := tx.FindEdge(id); got != e || !found || err != nil {
			t.Fatalf("edge %s: #%d, %v, %v, want #%d", id.JavaString(), got, found, err, e)
		}
	}
}

// What a transaction reads of a row that it has changed still counts as read.
func TestTx_ChangedRowsCountAsReads(t *testing.T) {
	_, g := openCached(t, 1<<20)
	a, _, e := pair(t, g)
	type step struct{ change, read, conflict func(*Tx) error }
	set := func(card, key string) func(*Tx) error {
		return func(tx *Tx) error {
			_, err := tx.SetVertexProperty(a, card, key, value.Int(2), value.Null, nil)
			return err
		}
	}
	setEdge := func(key string) func(*Tx) error {
		return func(tx *Tx) error { return tx.SetEdgeProperty(e, key, value.Int(2)) }
	}
	for name, s := range map[string]step{
		"vertex": {set("single", "k"), func(tx *Tx) error { tx.value(a, "other"); return nil }, set("list", "other")},
		"edge": {setEdge("k"), func(tx *Tx) error {
			other, _ := tx.Symbol("other")
			_, _, err := tx.EdgeValue(e, other)
			return err
		}, setEdge("other")},
		"all of the edge": {setEdge("k"), func(tx *Tx) error { _, err := tx.EdgeProperties(nil, e, nil); return err }, setEdge("other")},
	} {
		compare(t, reader(t, g), []VertexID{a})
		x := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
		defer x.Close()
		if err := errors.Join(s.change(x), s.read(x)); err != nil {
			t.Fatal(err)
		}
		if x.vertexRows[a] == nil && x.edgeRows[e] == nil {
			t.Errorf("%s: the transaction has no row of its own", name)
		}
		commit(t, g, s.conflict)
		if err := x.Commit(context.Background()); !errors.Is(err, storage.ErrConflict) {
			t.Errorf("%s: a read was not validated: %v", name, err)
		}
	}
}

// Existence that a write depends on is validated, on every level of isolation.
func TestTx_WritesLoseAgainstRemoval(t *testing.T) {
	db, _ := openCached(t, 1<<20)
	for i, isolation := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		g := ok[*Graph](t)(db.CreateGraph(fmt.Sprint("removal", i), Options{Isolation: isolation}))
		for _, c := range []ElementClass{VertexClass, EdgeClass} {
			if err := g.CreateIndex(context.Background(), fmt.Sprint("index", c), c); err != nil {
				t.Fatal(err)
			}
		}
		put := func(tx *Tx, c ElementClass, element uint64) error {
			x, err := tx.Index(fmt.Sprint("index", c), c)
			if err != nil {
				return err
			}
			return x.Put("k", value.Int(1), element)
		}
		writes := map[string]func(*Tx, VertexID, EdgeID) error{
			"a vertex in an index": func(tx *Tx, a VertexID, _ EdgeID) error { return put(tx, VertexClass, uint64(a)) },
			"an edge in an index":  func(tx *Tx, _ VertexID, e EdgeID) error { return put(tx, EdgeClass, uint64(e)) },
			"an edge":              func(tx *Tx, a VertexID, _ EdgeID) error { _, err := tx.AddEdge("e", a, a, value.Null); return err },
			"a property": func(tx *Tx, a VertexID, _ EdgeID) error {
				_, err := tx.SetVertexProperty(a, "list", "new", value.Int(2), value.Null, nil)
				return err
			},
			"an edge's property": func(tx *Tx, _ VertexID, e EdgeID) error { return tx.SetEdgeProperty(e, "new", value.Int(2)) },
		}
		for name, write := range writes {
			a, _, e := pair(t, g)
			compare(t, reader(t, g), []VertexID{a})
			x := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
			defer x.Close()
			if err := write(x, a, e); err != nil {
				t.Fatal(err)
			}
			commit(t, g, func(tx *Tx) error { return tx.RemoveVertex(a) })
			if err := x.Commit(context.Background()); !errors.Is(err, storage.ErrConflict) {
				t.Errorf("isolation %v, %s: the element was removed: %v", isolation, name, err)
			}
		}
	}
}

// A list that its giver changes later does not change the property.
func TestTx_PropertiesAreTheirOwn(t *testing.T) {
	_, g := openCached(t, 1<<20)
	a, _, e := pair(t, g)
	compare(t, reader(t, g), []VertexID{a})
	tx := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
	defer tx.Close()
	given := []value.Value{value.Int(1)}
	ok[PropertyEntry](t)(tx.SetVertexProperty(a, "single", "list", value.List(given), value.Null, nil))
	if err := tx.SetEdgeProperty(e, "list", value.List(given)); err != nil {
		t.Fatal(err)
	}
	given[0] = value.Int(2)
	list, _ := tx.Symbol("list")
	x, _, _ := tx.EdgeValue(e, list)
	if got := tx.value(a, "list") + x.JavaString(); got != "[1][1]" {
		t.Errorf("the properties are %s", got)
	}
}
