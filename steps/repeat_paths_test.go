package steps_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// A repeat() that walks places gives the paths that one with traversers gives, in their
// order: a label in the body, which nobody asks for, makes it one of those.
func TestPathWalk_GivesWhatTraversersGive(t *testing.T) {
	db := queryhost.New(t).DB
	graphs := 0
	rapid.Check(t, func(t *rapid.T) {
		graphs++
		g, err := db.CreateGraph(fmt.Sprint("walk", graphs), queryhost.Options)
		if err != nil {
			t.Fatal(err)
		}
		scatter(t, g)
		start := rapid.SampledFrom([]string{`V(0)`, `V()`, `V(0,1,0)`, `V().as("s").out()`, `V().repeat(both()).times(2).emit()`}).Draw(t, "start")
		hop := rapid.SampledFrom([]string{`out()`, `in("a")`, `both()`, `both("a","b")`}).Draw(t, "hop")
		test := rapid.SampledFrom([]string{``, `.simplePath()`, `.has("p",1)`, `.simplePath().hasId(lt(5))`, `.where(out()).simplePath()`}).Draw(t, "test")
		mods := rapid.SampledFrom([]string{`.until(loops().is(3))`, `.until(hasId(3).or().loops().is(3))`, `.until(out().count().is(0).or().loops().is(2)).emit()`,
			`.times(2).emit(has("p",1))`, `.until(repeat(out("a")).times(2).emit(has("p",1)).or().loops().is(3))`, `.until(loops().is(gt(2)))`}).Draw(t, "modulators")
		end := rapid.SampledFrom([]string{``, `.limit(1)`, `.hasId(3).limit(2)`, `.dedup()`}).Draw(t, "end")
		query := func(label string) string {
			return `g.` + start + `.repeat(` + hop + label + test + `)` + mods + end + `.path().by(id)`
		}
		got, want := texts(t, g, query(``)), texts(t, g, query(`.as("x")`))
		if !slices.Equal(got, want) {
			t.Fatalf("%s\n got %v\nwant %v", query(``), got, want)
		}
	})
}

// scatter adds a few vertices and edges, among them loops and parallel ones.
func scatter(t *rapid.T, g *blueprints.Graph) {
	n := rapid.IntRange(1, 7).Draw(t, "vertices")
	err := g.Update(t.Context(), func(tx *blueprints.Tx) error {
		vs := make([]blueprints.VertexID, n)
		for i := range vs {
			var err error
			if vs[i], err = tx.AddVertex("v", value.Int(int32(i))); err != nil {
				return err
			}
			if _, err := tx.SetVertexProperty(vs[i], "single", "p", value.Int(int32(i%2)), value.Null, nil); err != nil {
				return err
			}
		}
		for range rapid.IntRange(0, 14).Draw(t, "edges") {
			from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
			if _, err := tx.AddEdge(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "label"), vs[from], vs[to], value.Null); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// texts runs a query and returns its results, with bulk, as text.
func texts(t *rapid.T, g *blueprints.Graph, text string) (out []string) {
	batch := rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "batch")
	runQuery(t, g, text, batch, func(run *traversal.Run) error {
		for {
			var b traversal.Batch
			err := run.Next(&b, 5)
			for i, u := range b.Objects {
				for range b.Bulk(i) {
					out = append(out, u.JavaString())
				}
			}
			if err != nil || b.Len() == 0 {
				return err
			}
		}
	})
	return out
}
