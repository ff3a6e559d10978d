package blueprints

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/value"
)

// tb is what a test and a property have both.
type tb interface {
	rapid.TB
	Cleanup(fn func())
}

// Reading many vertices at once gives what reading one after the other gives: for rows
// that are cached, that are not, and that the transaction has written itself.
func TestMany_GivesWhatOneByOneGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, g := openCached(t, 1<<20)
		var vs []VertexID
		change := func(tx *Tx) error {
			for range rapid.IntRange(1, 100).Draw(t, "vertices") {
				v := ok[VertexID](t)(tx.AddVertex(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "label"), value.Null))
				vs = append(vs, v)
			}
			for range rapid.IntRange(0, 50).Draw(t, "properties") {
				v := rapid.SampledFrom(vs).Draw(t, "owner")
				n := value.Int(rapid.Int32Range(0, 3).Draw(t, "value"))
				ok[PropertyEntry](t)(tx.SetVertexProperty(v, "list", "k", n, value.Null, nil))
			}
			for range rapid.IntRange(0, 50).Draw(t, "edges") {
				from, to := rapid.SampledFrom(vs).Draw(t, "from"), rapid.SampledFrom(vs).Draw(t, "to")
				ok[EdgeID](t)(tx.AddEdge(rapid.SampledFrom([]string{"x", "y"}).Draw(t, "edge label"), from, to, value.Null))
			}
			return nil
		}
		commit(t, g, change)
		for range 2 { // cold, then warm
			compareMany(t, reader(t, g), vs)
		}
		tx := ok[*Tx](t)(g.Begin(t.Context(), TxOptions{}))
		defer tx.Close()
		if err := change(tx); err != nil {
			t.Fatal(err)
		}
		compareMany(t, tx, vs)
	})
}

func compareMany(t *rapid.T, tx *Tx, vs []VertexID) {
	key, _ := tx.Symbol("k")
	vals, ends, err := tx.VertexValues(nil, nil, vs, key)
	labels, lerr := tx.VertexLabels(nil, vs)
	if err != nil || lerr != nil || len(ends) != len(vs) || len(labels) != len(vs) {
		t.Fatal(err, lerr, len(ends), len(labels))
	}
	from := 0
	for i, v := range vs {
		entries, err := tx.VertexProperties(nil, v, []Symbol{key})
		if err != nil || len(entries) != ends[i]-from {
			t.Fatalf("vertex %d: %v, %d values, want %d", v, err, ends[i]-from, len(entries))
		}
		for k := range entries {
			if entries[k].Value != vals[from+k] {
				t.Fatalf("vertex %d: %v, want %v", v, vals[from+k], entries[k].Value)
			}
		}
		if l, err := tx.VertexLabel(v); err != nil || l != labels[i] {
			t.Fatalf("vertex %d: label %d, want %d (%v)", v, labels[i], l, err)
		}
		from = ends[i]
	}
	label, _ := tx.Symbol("x")
	other, _ := tx.Symbol("y")
	for _, dir := range []Direction{Out, In, Both} {
		for _, syms := range [][]Symbol{nil, {label}, {other, label}} {
			compareEnds(t, tx, vs, dir, syms)
		}
	}
}

func compareEnds(t *rapid.T, tx *Tx, vs []VertexID, dir Direction, labels []Symbol) {
	got := make([][]VertexID, len(vs))
	degrees, lists := make([]int64, len(vs)), make([][]Adjacent, len(vs))
	sink := SinkFunc(func(i int, e Expanded) error {
		for k := 1; k < len(e.Pairs); k += 2 {
			got[i] = append(got[i], VertexID(e.Pairs[k]))
		}
		for _, a := range e.Edges {
			got[i] = append(got[i], a.Other)
		}
		degrees[i] += e.Count
		return nil
	})
	err := tx.Expand(vs, Expansion{Dir: dir, Labels: labels, Want: WantEnds}, sink)
	derr := tx.Expand(vs, Expansion{Dir: dir, Labels: labels, Want: WantCount}, sink)
	lerr := tx.Expand(vs, Expansion{Dir: dir, Labels: labels}, SinkFunc(func(i int, e Expanded) error {
		lists[i] = slices.Clone(e.Edges)
		return nil
	}))
	if err != nil || derr != nil || lerr != nil {
		t.Fatal(err, derr, lerr)
	}
	for i, v := range vs {
		edges, err := edgesOf(tx, v, Expansion{Dir: dir, Labels: labels})
		if err != nil {
			t.Fatal(err)
		}
		if pages := pagesOf(t, tx, v, Expansion{Dir: dir, Labels: labels, Max: 1 + i%5}); !slices.Equal(edges, pages) {
			t.Fatalf("vertex %d: pages of %v, want %v", v, pages, edges)
		}
		if !slices.Equal(edges, lists[i]) {
			t.Fatalf("vertex %d: %v, alone %v", v, lists[i], edges)
		}
		var want []VertexID
		for _, a := range edges {
			want = append(want, a.Other)
		}
		slices.Sort(want)
		slices.Sort(got[i])
		if !slices.Equal(got[i], want) || degrees[i] != int64(len(want)) {
			t.Fatalf("vertex %d: %v, degree %d, want %v", v, got[i], degrees[i], want)
		}
	}
}

// pagesOf reads the edges of a vertex page by page.
func pagesOf(t *rapid.T, tx *Tx, v VertexID, x Expansion) (all []Adjacent) {
	for {
		page, err := edgesOf(tx, v, x)
		if err != nil || len(page) > x.Max {
			t.Fatalf("%d edges, at most %d wanted: %v", len(page), x.Max, err)
		}
		if all = append(all, page...); len(page) < x.Max {
			return all
		}
		x.After = page[len(page)-1]
	}
}

// A sink may come back for the edges of others, under other labels, and may write: what
// was lent to it stays, and what comes behind is as it is by then.
func TestExpand_SinksMayComeBack(t *testing.T) {
	_, g := openCached(t, 1<<20)
	vs := make([]VertexID, 100)
	commit(t, g, func(tx *Tx) error {
		for i := range vs {
			vs[i] = ok[VertexID](t)(tx.AddVertex("v", value.Null))
		}
		for i := range vs {
			for _, l := range []string{"c", "a", "b"} {
				ok[EdgeID](t)(tx.AddEdge(l, vs[i], vs[(i+1)%len(vs)], value.Null))
			}
		}
		return nil
	})
	for range 2 { // cold, then warm
		tx := ok[*Tx](t)(g.Begin(t.Context(), TxOptions{}))
		defer tx.Close()
		var ab, bc []Symbol
		for i, l := range []string{"a", "b", "c"} {
			s, _ := tx.Symbol(l)
			if i < 2 {
				ab = append(ab, s)
			}
			if i > 0 {
				bc = append(bc, s)
			}
		}
		slices.Reverse(ab)
		err := tx.Expand(vs, Expansion{Dir: Out, Labels: ab}, SinkFunc(func(i int, e Expanded) error {
			lent := slices.Clone(e.Edges)
			next := vs[(i+1)%len(vs)]
			inner := ok[[]Adjacent](t)(edgesOf(tx, next, Expansion{Dir: Out, Labels: bc}))
			want := 2
			if i > 0 && i%2 == 0 {
				want = 3 // the edge that was added meanwhile
			}
			if len(lent) != want || len(inner) != 2 {
				t.Errorf("vertex %d: %v, want %d, and %v", i, lent, want, inner)
			}
			if !slices.Equal(lent, e.Edges) {
				t.Errorf("vertex %d: what was lent has changed to %v", i, e.Edges)
			}
			if i%2 == 1 && i+1 < len(vs) {
				ok[EdgeID](t)(tx.AddEdge("a", next, next, value.Null))
			}
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
	}
}
