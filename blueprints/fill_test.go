package blueprints

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage/value"
)

// TestFill_RacesWithCommits has commits land while many rows are read at once, with a
// cache that has room for them and one that has none: each reader sees its own snapshot,
// and whoever comes behind sees the commits.
func TestFill_RacesWithCommits(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, bytes := range []int64{1, 16 << 10, 8 << 20} {
		r := rand.New(rand.NewPCG(seed, uint64(bytes)))
		_, g := openCached(t, bytes)
		var vs []VertexID
		commit(t, g, func(tx *Tx) error {
			for range 60 {
				vs = append(vs, ok[VertexID](t)(tx.AddVertex("v", value.Null)))
			}
			return nil
		})
		landed := 0
		for range raced.Times(raced.Part(25, 3), 5) {
			g.cache.reset(g.store.Seq())
			tx := reader(t, g)
			g.onFill = func(fillPoint) {
				if r.IntN(10) > 0 {
					return
				}
				hook := g.onFill
				g.onFill = nil
				commit(t, g, func(tx *Tx) error { return change(t, tx, r, vs) })
				g.onFill = hook
				landed++
			}
			if r.IntN(2) == 0 { // rows that it keeps must not hide what it reads later
				some := vs[r.IntN(len(vs)):]
				_, _, err := tx.VertexValues(nil, nil, some, ok[Symbol](t)(symbolNamed(tx, "k")))
				if err != nil {
					t.Fatal(err)
				}
			}
			into := SinkFunc(func(int, Expanded) error { return nil })
			if err := tx.Expand(vs, Expansion{Dir: Direction(1 + r.IntN(3)), Want: []Want{WantEdges, WantCount}[r.IntN(2)]}, into); err != nil {
				t.Fatal(err)
			}
			g.onFill = nil
			compare(t, tx, vs)
			compare(t, reader(t, g), vs)
		}
		if landed == 0 {
			t.Error("no commit landed while rows were read")
		}
	}
}

func symbolNamed(tx *Tx, name string) (Symbol, error) {
	s, _ := tx.Symbol(name)
	return s, nil
}

// change changes something near a vertex.
func change(t *testing.T, tx *Tx, r *rand.Rand, vs []VertexID) error {
	v, w := vs[r.IntN(len(vs))], vs[r.IntN(len(vs))]
	switch r.IntN(4) {
	case 0:
		_, err := tx.SetVertexProperty(v, "single", "k", value.Int(r.Int32()), value.Null, nil)
		return err
	case 1:
		for _, e := range drain(tx.Edges()) {
			return tx.RemoveEdge(e)
		}
		return nil
	}
	for range 1 + r.IntN(3) {
		e := ok[EdgeID](t)(tx.AddEdge(fmt.Sprint("e", r.IntN(3)), v, w, value.Null))
		if err := tx.SetEdgeProperty(e, "w", value.Int(r.Int32())); err != nil {
			return err
		}
	}
	return nil
}
