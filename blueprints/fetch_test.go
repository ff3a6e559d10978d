package blueprints

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage/value"
)

// TestFetch_ChangesNoAnswer reads random elements after some of them were fetched: with
// holes where others were removed, of vertices with more edges or properties than a row
// keeps, and beneath writes of the transaction.
func TestFetch_ChangesNoAnswer(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	_, g := openCached(t, 8<<20)
	var vs []VertexID
	var es []EdgeID
	commit(t, g, func(tx *Tx) error {
		for i := range 400 {
			v := ok[VertexID](t)(tx.AddVertex("v", value.Long(int64(i))))
			for k := range 2 + i%200/199*400 {
				ok[PropertyEntry](t)(tx.SetVertexProperty(v, "single", fmt.Sprint("k", k), value.Int(int32(i)), value.Null, nil))
			}
			vs = append(vs, v)
		}
		for i := range 5600 {
			from := vs[r.IntN(len(vs))]
			if i%4 != 0 {
				from = vs[50] // which has as many as a walk passes, and as many as a row keeps
			}
			e := ok[EdgeID](t)(tx.AddEdge([]string{"a", "b"}[i%2], from, vs[r.IntN(len(vs))], value.Null))
			if err := tx.SetEdgeProperty(e, "w", value.Int(int32(i))); err != nil {
				return err
			}
			es = append(es, e)
		}
		return nil
	})
	commit(t, g, func(tx *Tx) error {
		for i := 0; i < len(vs); i += 7 {
			if err := tx.RemoveVertex(vs[i]); err != nil {
				return err
			}
		}
		return nil
	})
	for range raced.Times(raced.Part(4, 4), 4) {
		tx := reader(t, g)
		from := r.IntN(len(vs))
		some := slices.Clone(vs[from:min(len(vs), from+1+r.IntN(80))])
		some = slices.DeleteFunc(some, func(VertexID) bool { return r.IntN(3) == 0 })
		if err := tx.FetchVertices(some, r.IntN(2) == 0); err != nil {
			t.Fatal(err)
		}
		at := r.IntN(len(es))
		edges := slices.Clone(es[at:min(len(es), at+1+r.IntN(200))])
		edges = slices.DeleteFunc(edges, func(EdgeID) bool { return r.IntN(4) == 0 })
		if err := tx.FetchEdges(edges); err != nil {
			t.Fatal(err)
		}
		compare(t, tx, vs)
		bare := tx.storeOnly()
		for _, e := range edges {
			want := ok[[]PropertyEntry](t)(bare.EdgeProperties(nil, e, nil))
			got := ok[[]PropertyEntry](t)(tx.EdgeProperties(nil, e, nil))
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("edge %d: %v, want %v", e, got, want)
			}
		}
		g.cache.reset(g.store.Seq())
	}
	commit(t, g, func(tx *Tx) error {
		if err := tx.RemoveVertex(vs[101]); err != nil {
			return err
		}
		ok[EdgeID](t)(tx.AddEdge("a", vs[102], vs[103], value.Null))
		if err := tx.FetchVertices(vs[90:120], true); err != nil {
			return err
		}
		compare(t, tx, vs)
		return nil
	})
}

// TestFetch_ReadsWithOneWalk reads elements that lie side by side without a look-up each.
func TestFetch_ReadsWithOneWalk(t *testing.T) {
	_, g := openCached(t, 8<<20)
	var vs []VertexID
	commit(t, g, func(tx *Tx) error {
		for range 200 {
			vs = append(vs, ok[VertexID](t)(tx.AddVertex("v", value.Null)))
		}
		return nil
	})
	g.cache.reset(g.store.Seq())
	tx := reader(t, g)
	if err := tx.FetchVertices(vs, true); err != nil {
		t.Fatal(err)
	}
	for _, v := range vs {
		if tx.cache.vertices.Get(uint64(v), tx.seq) == nil || tx.cache.out.Get(uint64(v), tx.seq) == nil || tx.cache.in.Get(uint64(v), tx.seq) == nil {
			t.Fatalf("vertex %d is not in memory", v)
		}
	}
}
