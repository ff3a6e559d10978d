package steps_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Bulks wrap as Java's long does, but a vertex where 2^64 walkers stand is there.
func TestBulkOverflow(t *testing.T) {
	g := parallelEdges(t)
	hops := func(n int) string { return strings.Repeat(`.out("e")`, n) }
	for _, c := range []struct{ query, want string }{
		{`g.V()` + hops(65) + `.dedup().count()`, "[2]"},
		{`g.V()` + hops(65) + `.count()`, "[0]"},
		{`g.V()` + hops(62) + `.count()`, "[-9223372036854775808]"},
		{`g.V()` + hops(66) + `.dedup().values("n")`, "[1 2]"},
		{`g.V().repeat(__.out("e")).times(64).dedup().count()`, "[2]"},
		{`g.V().repeat(__.out("e")).times(64).dedup().values("n")`, "[1 2]"},
		{`g.V().repeat(__.out("e").barrier()).times(70).dedup().values("n")`, "[1 2]"},
	} {
		for _, batch := range []int{1, 1024} {
			var got []string
			runQuery(t, g, c.query, batch, func(r *traversal.Run) error {
				var b traversal.Batch
				for {
					b.Clear()
					err := r.Next(&b, 64)
					for _, v := range b.Objects {
						got = append(got, v.JavaString())
					}
					if err != nil || b.Len() == 0 {
						return err
					}
				}
			})
			slices.Sort(got)
			if fmt.Sprint(got) != c.want {
				t.Errorf("%.40s..., %d at a time: %v, want %s", c.query, batch, got, c.want)
			}
		}
	}
}

// parallelEdges is two vertices with two edges to each other in each direction.
func parallelEdges(t *testing.T) *blueprints.Graph {
	g, err := queryhost.New(t).Get(t.Context(), "empty")
	if err != nil {
		t.Fatal(err)
	}
	err = g.Update(t.Context(), func(tx *blueprints.Tx) error {
		var vs [2]blueprints.VertexID
		for i := range vs {
			if vs[i], err = tx.AddVertex("x", value.Null); err != nil {
				return err
			}
			if _, err = tx.SetVertexProperty(vs[i], "single", "n", value.Int(int32(i+1)), value.Null, nil); err != nil {
				return err
			}
		}
		for i := range 4 {
			if _, err := tx.AddEdge("e", vs[i%2], vs[1-i%2], value.Null); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
