package steps_test

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/traversal"
)

// Where withBulk(false) ends a traversal, equal traversers merge before the end too, and
// count once: the reference has a step of its own there. Labels keep them apart, for its
// traversers then drop none.
func TestOneBulkAtTheEnd(t *testing.T) {
	g, err := queryhost.New(t).Get(t.Context(), "modern")
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int64{
		"g.E().inV()": 6, "g.withBulk(false).E().inV()": 4, "g.withBulk(false).V().out().in()": 3,
		`g.withBulk(false).V(1,1).local(__.out())`: 6, `g.withBulk(false).V().as("a").out().as("b").select("a")`: 6,
		`g.V().as("a").out().as("b").in().select("b")`: 12, `g.withBulk(false).V().as("a").out().as("b").in().select("b")`: 6,
		`g.V().as("a").both().select("a").both().id()`: 30, `g.withBulk(false).V().as("a").both().select("a").both().id()`: 12,
		`g.withBulk(false).V().as("a").both().where(neq("a")).both()`: 24,
	} {
		n := int64(0)
		runQuery(t, g, query, 0, func(r *traversal.Run) error {
			return walk(r, func(tr *traversal.Traverser) { n += tr.Bulk })
		})
		if n != want {
			t.Errorf("%s gives %d results, want %d", query, n, want)
		}
	}
}

func walk(r *traversal.Run, fn func(*traversal.Traverser)) error {
	for b := (traversal.Batch{}); ; b.Clear() {
		if err := r.Next(&b, 64); err != nil || b.Len() == 0 {
			return err
		}
		for i := range b.Len() {
			tr := b.At(i)
			fn(&tr)
		}
	}
}
