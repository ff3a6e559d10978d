package blueprints

import (
	"errors"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// A commit puts rows in the place of those that it writes to: what follows is answered
// without the store, and as the store would.
func TestCache_CommitReplacesRows(t *testing.T) {
	for _, isolation := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		db, _ := openCached(t, 1<<20)
		g := ok[*Graph](t)(db.CreateGraph("isolated", Options{Isolation: isolation}))
		a, b, e := pair(t, g)
		compare(t, reader(t, g), []VertexID{a, b}) // fills the cache
		k, _ := reader(t, g).Symbol("k")
		set := func(card, key string, val value.Value) func(*Tx) error {
			return func(tx *Tx) error {
				_, err := tx.SetVertexProperty(a, card, key, val, value.Null, []value.Property{{Key: "meta", Value: val}})
				return err
			}
		}
		writes := []func(*Tx) error{
			set("single", "k", value.Int(7)),
			set("list", "l", value.String("one")),
			set("list", "l", value.String("two")),
			set("single", "k", value.String("seven")),
			func(tx *Tx) error { return tx.SetEdgeProperty(e, "weight", value.Int(1)) },
			func(tx *Tx) error { return tx.SetEdgeProperty(e, "k", value.Int(2)) },
			func(tx *Tx) error { return tx.RemoveEdgeProperty(e, "weight") },
			func(tx *Tx) error {
				props, err := tx.VertexProperties(nil, a, []Symbol{k})
				return errors.Join(err, tx.RemoveVertexProperty(a, props[0]))
			},
			func(tx *Tx) error { _, err := tx.AddEdge("e", b, a, value.Null); return err },
		}
		for i, write := range writes {
			commit(t, g, write)
			now := reader(t, g)
			if now.cache.vertices.Get(uint64(a), now.seq) == nil || now.cache.edges.Get(uint64(e), now.seq) == nil {
				t.Fatalf("write %d: the cache has no row", i)
			}
			compare(t, now, []VertexID{a, b})
		}
		commit(t, g, func(tx *Tx) error { return tx.RemoveVertex(a) })
		compare(t, reader(t, g), []VertexID{a, b})
	}
}

// Rows that grow beyond what is kept leave the cache, and the budget holds though
// nobody reads.
func TestCache_CommitsKeepWithinLimits(t *testing.T) {
	if raced.Detector() { // everything happens one behind the other
		return
	}
	const budget = 256 << 10
	db, g := openCached(t, budget)
	var vs []VertexID
	commit(t, g, func(tx *Tx) error {
		vs = vs[:0]
		for range 30 {
			vs = append(vs, ok[VertexID](t)(tx.AddVertex("v", value.Null)))
		}
		return nil
	})
	compare(t, reader(t, g), vs)
	for i := range 2*cachedPropertiesMax + 10 {
		commit(t, g, func(tx *Tx) error {
			for _, v := range vs {
				if _, err := tx.SetVertexProperty(v, "list", "k", value.Int(int32(i)), value.Null, nil); err != nil {
					return err
				}
			}
			return nil
		})
		if bytes := db.CacheStats().Bytes; bytes > budget+budget/4 {
			t.Fatalf("after %d commits the cache holds %d bytes", i, bytes)
		}
	}
	compare(t, reader(t, g), vs)
}
