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
	for _, dir := range []Direction{Out, In, Both} {
		for _, syms := range [][]Symbol{nil, {label}} {
			compareEnds(t, tx, vs, dir, syms)
		}
	}
}

func compareEnds(t *rapid.T, tx *Tx, vs []VertexID, dir Direction, labels []Symbol) {
	got := make([][]VertexID, len(vs))
	err := tx.Ends(vs, dir, labels, func(i int, e Ends) error {
		for k := 1; k < len(e.Pairs); k += 2 {
			got[i] = append(got[i], VertexID(e.Pairs[k]))
		}
		for _, a := range e.Rest {
			got[i] = append(got[i], a.Other)
		}
		return nil
	})
	degrees, derr := tx.Degrees(nil, vs, dir, labels)
	if err != nil || derr != nil {
		t.Fatal(err, derr)
	}
	for i, v := range vs {
		edges, err := tx.Adjacent(nil, v, dir, labels, 0, nil)
		if err != nil {
			t.Fatal(err)
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
