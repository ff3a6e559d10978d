package steps_test

import (
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/traversal"
)

// Matches that are only counted are not made: there are as many as when they are made.
func TestMatchCount_CountsWhatMatchGives(t *testing.T) {
	graphs := queryhost.New(t)
	g, err := graphs.Get(t.Context(), "modern")
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range []string{
		`g.V().match(__.as("a").out().as("b"))`,
		`g.V().match(__.as("a").both().as("b"),__.as("b").both().as("c"))`,
		`g.V().match(__.as("a").out().as("b"),__.as("a").out().as("c"),__.as("b").out("created").as("d"))`,
		`g.V().match(__.as("a").out("knows").as("b"),__.as("b").out("created").as("c"),__.as("a").out("created").as("c"))`,
		`g.V().match(__.as("a").both().as("b"),__.as("b").both().as("c"),__.as("c").both().as("a"),__.as("a").both().as("c"))`,
		`g.V().match(__.as("a").both().as("b"),__.as("b").both().as("a"))`,
		`g.V().match(__.as("a").out().as("b"),__.as("b").in("created","knows").as("c"),__.as("c").out("none").as("d"))`,
		`g.V().match(__.as("a").both().as("b"),__.as("b").both().as("c"),__.as("c").both().as("d"),__.as("d").both().as("b"),__.as("d").both().as("a"))`,
		`g.V().union(identity(),identity()).match(__.as("a").out().as("b"),__.as("b").in().as("c"))`,
		`g.V().as("a").in().match(__.as("a").out().as("b"),__.as("b").in().as("c"))`,
		`g.V().match(__.as("a").out().as("b"),__.as("b").has("name","lop"))`,
	} {
		counted := longOf(t, g, match+`.count()`)
		if made := longOf(t, g, match+`.fold().count(local)`); counted != made {
			t.Errorf("%s: counted %d, made %d", match, counted, made)
		}
	}
}

// longOf runs a query that gives one number.
func longOf(t *testing.T, g *blueprints.Graph, text string) (n int64) {
	runQuery(t, g, text, 0, func(run *traversal.Run) error {
		var b traversal.Batch
		if err := run.Next(&b, 1); err != nil {
			return err
		}
		if b.Len() != 1 {
			t.Fatalf("%s: %d results, want one", text, b.Len())
		}
		n = b.Objects[0].Int64()
		return nil
	})
	return n
}
