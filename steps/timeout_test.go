package steps_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// TestTimeout runs what never ends, or not soon: a context that ends stops it.
func TestTimeout(t *testing.T) {
	graphs := queryhost.New(t)
	g, err := graphs.Get(t.Context(), "grateful")
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		`g.V().repeat(both())`,
		`g.inject(1).repeat(map(constant(1)))`,
		`g.V().repeat(both().both().dedup()).emit().count()`,
		`g.V().until(has("no")).repeat(both()).count()`,
		`g.V().match(__.as("a").both().as("b"),__.as("b").both().as("c"),__.as("c").both().as("d"),__.as("d").both().as("a")).count()`,
		`g.V().both().both().both().both().simplePath().count()`,
		`g.V().where(repeat(both()).until(has("no"))).count()`,
		`g.V().local(repeat(both()).until(has("no"))).count()`,
		`g.V().group().by("name").by(repeat(both()).until(has("no")).count())`,
		`g.V().union(repeat(both()).until(has("no")),identity()).count()`,
		`g.V().as("a").both().both().both().as("b").select("a","b").by(both().both().count()).order().by(select("a"))`,
	} {
		q, err := lang.Parse(query, lang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := steps.Prepare(q.Last().Bytecode, nil)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := stopped(t, g, plan); !errors.Is(err, traversal.ErrTimeout) {
			t.Errorf("%s: got %v, want a timeout", query, err)
		}
		if d := time.Since(began); d > 20*time.Second {
			t.Errorf("%s: stopped only after %v", query, d)
		}
	}
}

// stopped runs a plan for a short while.
func stopped(t *testing.T, g *blueprints.Graph, plan *traversal.Plan) error {
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Millisecond)
	defer cancel()
	tx, err := begin(t.Context(), g, false)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	run, err := traversal.Open(plan, traversal.Env{Ctx: ctx, Registry: steps.Registry(), View: tx})
	if err != nil {
		t.Fatal(err)
	}
	var b traversal.Batch
	for {
		b.Clear()
		if err := run.Next(&b, 64); err != nil || b.Len() == 0 {
			return err
		}
	}
}
