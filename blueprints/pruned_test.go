package blueprints

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage/value"
)

// deniedEdges are restrictions of edges alone.
var deniedEdges = func() (all []*Restriction) {
	for _, labels := range [][]string{{"x"}, {"y"}, {"x", "y"}, {"e"}, {"x", "e"}, {"y", "e"}} {
		all = append(all, &Restriction{Denied: Denied{EdgeLabels: labels}})
	}
	return all
}()

// expanded prints what Expand finds of each vertex, in whatever way it gives it.
func expanded(t testing.TB, in View, vs []VertexID, dir Direction, want Want) string {
	t.Helper()
	found, counts := make([][]string, len(vs)), make([]int64, len(vs))
	err := in.Expand(vs, Expansion{Dir: dir, Want: want}, SinkFunc(func(i int, e Expanded) error {
		for _, a := range e.Edges {
			found[i] = append(found[i], fmt.Sprint(a.Edge, " ", a.Other))
		}
		for k := 0; k < len(e.Pairs); k += 2 {
			found[i] = append(found[i], fmt.Sprint(e.Pairs[k], " ", e.Pairs[k+1]))
		}
		counts[i] += e.Count
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		slices.Sort(f)
	}
	return fmt.Sprint(found, counts)
}

// comparePruned checks what those see to whom edges are denied against the store at the same
// snapshot, one vertex after the other and all at once.
func comparePruned(t testing.TB, tx *Tx, vs []VertexID) {
	t.Helper()
	bare := tx.storeOnly()
	for _, by := range deniedEdges {
		from, want := bare.Restrict(by), tx.Restrict(by)
		for _, dir := range []Direction{Out, In, Both} {
			for _, wanted := range []Want{WantEdges, WantEnds, WantCount} {
				for i := range len(vs) + 1 {
					some := vs
					if i < len(vs) {
						some = vs[i : i+1]
					}
					got, want := expanded(t, want, some, dir, wanted), expanded(t, from, some, dir, wanted)
					if got != want {
						t.Fatalf("seq %d without %v, vertices %v, dir %d, want %d: cache %s, store %s", tx.seq, by.Denied.EdgeLabels, some, dir, wanted, got, want)
					}
				}
			}
		}
	}
}

// TestPruned_MadeBehindACommit: rows without a label that are made of a row as it was before a
// commit are not taken for what is behind it, though nobody told them of the commit.
func TestPruned_MadeBehindACommit(t *testing.T) {
	_, g := openCached(t, 1<<20)
	a, b, _ := pair(t, g)
	commit(t, g, func(tx *Tx) error { _, err := tx.AddEdge("x", a, b, value.Null); return err })
	old := reader(t, g)
	for _, v := range []VertexID{a, b} { // which fills the rows
		ok[int64](t)(degreeOf(old, v, Both))
		if g.cache.out.Get(uint64(v), old.seq) == nil {
			t.Fatal("the row is not in memory")
		}
	}
	commit(t, g, func(tx *Tx) error { _, err := tx.AddEdge("e", a, b, value.Null); return err })
	for range 3 {
		comparePruned(t, old, []VertexID{a, b})
	}
	now := reader(t, g)
	for range 3 {
		comparePruned(t, now, []VertexID{a, b})
	}
	if n := len(g.cache.pruned.all()); n != 3 {
		t.Errorf("%d sets of labels have rows", n)
	}
	row := g.cache.pruned.all()[0].out.Get(uint64(a), now.seq)
	if row == nil || row.Len() != 2 {
		t.Errorf("the row without a label: %v", row)
	}
}

// TestPruned_Sets: of more sets than have room those that are asked for stay, and others get
// their room when nobody asks for one any more.
func TestPruned_Sets(t *testing.T) {
	_, g := openCached(t, 1<<20)
	a, b, _ := pair(t, g)
	ask := func(by *Restriction) string {
		tx, err := g.Begin(t.Context(), TxOptions{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Close()
		return expanded(t, tx.Restrict(by), []VertexID{a, b}, Out, WantCount)
	}
	commit(t, g, func(tx *Tx) error {
		for _, l := range []string{"x", "y", "y", "e", "e", "e"} {
			if _, err := tx.AddEdge(l, a, b, value.Null); err != nil {
				return err
			}
		}
		return nil
	})
	left := map[string]int{"x": 1, "y": 2, "e": 4}
	for range 2 * prunedIdle {
		for _, by := range deniedEdges[:prunedMax+2] {
			n := 7
			for _, l := range by.Denied.EdgeLabels {
				n -= left[l]
			}
			if got, want := ask(by), fmt.Sprintf("[[] []] [%d 0]", n); got != want && got != fmt.Sprintf("[[] []][%d 0]", n) {
				t.Fatalf("without %v: %s, want %s", by.Denied.EdgeLabels, got, want)
			}
		}
	}
	first := slices.Clone(g.cache.pruned.all())
	if len(first) != prunedMax {
		t.Fatalf("%d sets of labels have rows", len(first))
	}
	last := deniedEdges[prunedMax+1]
	for range 2 * prunedIdle {
		ask(last)
	}
	if now := g.cache.pruned.all(); len(now) != prunedMax || slices.Equal(now, first) {
		t.Error("the set that is asked for alone got no room")
	}
}

// TestPruned_Follows: rows without a label follow each commit, for readers of any age.
func TestPruned_Follows(t *testing.T) {
	_, g := openCached(t, 1<<20)
	var vs []VertexID
	commit(t, g, func(tx *Tx) error {
		vs = vs[:0]
		for range 12 {
			vs = append(vs, ok[VertexID](t)(tx.AddVertex("v", value.Null)))
		}
		return nil
	})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var held []*Tx
	for i := range raced.Times(raced.Part(60, 2), 2) {
		commit(t, g, func(tx *Tx) error {
			if i%20 == 19 {
				v := r.IntN(len(vs))
				if err := tx.RemoveVertex(vs[v]); err != nil {
					return err
				}
				vs = slices.Delete(vs, v, v+1)
			}
			return randomWrites(tx, r, vs)
		})
		if i%25 == 24 {
			g.cache.reset(g.store.Seq())
		}
		held = append(held, reader(t, g))
		if len(held) > 3 {
			held = slices.Delete(held, 0, 1)
		}
		for range 3 { // the first ones make the rows
			for _, tx := range held {
				comparePruned(t, tx, vs)
			}
		}
	}
	if len(g.cache.pruned.all()) == 0 || g.cache.pruned.all()[0].out.Get(uint64(vs[0]), held[0].seq) == nil {
		t.Error("no row was made")
	}
}

// TestPruned_OneDirection: who asks for edges in one direction has rows without labels made of those alone.
func TestPruned_OneDirection(t *testing.T) {
	_, g := openCached(t, 1<<20)
	a, b, _ := pair(t, g)
	commit(t, g, func(tx *Tx) error { _, err := tx.AddEdge("x", a, b, value.Null); return err })
	ask := func(in func(tx *Tx) View, dir Direction) (seq uint64) {
		tx := reader(t, g)
		defer tx.Close()
		expanded(t, in(tx), []VertexID{a}, dir, WantCount)
		return tx.seq
	}
	var seq uint64
	for range 4 {
		ask(func(tx *Tx) View { return tx }, Both)
		seq = ask(func(tx *Tx) View { return tx.Restrict(deniedEdges[0]) }, Out)
	}
	all := g.cache.pruned.all()
	if len(all) != 1 {
		t.Fatalf("%d sets of labels have rows", len(all))
	}
	if out, in := all[0].adjacency(Out).Get(uint64(a), seq), all[0].adjacency(In).Get(uint64(a), seq); out == nil || in != nil {
		t.Errorf("out %v, in %v", out, in)
	}
}
