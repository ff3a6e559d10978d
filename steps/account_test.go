package steps_test

import (
	"errors"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// TestAccount runs what keeps more than its account: each step says so instead of
// growing.
func TestAccount(t *testing.T) {
	graphs := queryhost.New(t)
	g, err := graphs.Get(t.Context(), "grateful")
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		`g.V().out().out().barrier().count()`,
		`g.V().order().by("name")`,
		`g.V().as("a").out().as("b").dedup("a","b").count()`,
		`g.V().out().groupCount()`,
		`g.V().group().by("name").by(out().fold())`,
		`g.V().aggregate("x").by("name").cap("x")`,
		`g.V().repeat(both().simplePath()).times(5).count()`,
		`g.V().union(count(), out().out().count())`,
		`g.V().fold()`,
		`g.withStrategies(VertexProgramStrategy).V().pageRank().values("name")`,
		`g.withStrategies(VertexProgramStrategy).V().connectedComponent()`,
		`g.withStrategies(VertexProgramStrategy).V().peerPressure()`,
		`g.withStrategies(VertexProgramStrategy).V().shortestPath()`,
		`g.withStrategies(VertexProgramStrategy).V().shortestPath().with("~tinkerpop.shortestPath.target", __.has("name", "FEVER"))`,
		`g.V().tail(500)`,
		`g.inject(1).repeat(union(identity(), identity())).times(60).fold()`,
		`g.inject(1).repeat(union(identity(), identity())).times(60).fold([], addAll)`,
		`g.inject(1).repeat(project("a","b").by().by()).times(60).count(local)`,
		`g.inject(1).repeat(map(union(identity(), identity()).fold())).times(60).dedup()`,
		`g.inject(1).as("a").repeat(select(Pop.all, "a").as("a")).times(60).asString()`,
		`g.withSack(1).inject(1).repeat(sack(assign).by(project("a","b").by(sack()).by(sack()))).times(60)`,
		`g.V().limit(10).local(aggregate("x")).select("x").fold().map(union(identity(), identity()).fold()).asString()`,
	} {
		q, err := lang.Parse(query, lang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tx, err := begin(t.Context(), g, false)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := steps.Prepare(q.Last().Bytecode, nil)
		if err != nil {
			t.Fatal(err)
		}
		run, err := traversal.Open(plan, traversal.Env{
			Ctx: t.Context(), Registry: steps.Registry(), View: tx, Account: account.New(nil, "queryMemory", 4000),
		})
		for err == nil {
			var b traversal.Batch
			if err = run.Next(&b, 64); b.Len() == 0 {
				break
			}
		}
		if !errors.Is(err, account.ErrLimit) {
			t.Errorf("%s: got %v, want its memory to be exceeded", query, err)
		}
		if err := tx.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Run("EveryCharge", func(t *testing.T) { everyCharge(t, g) })
}

// What takes so much memory that its limit is passed fails, whichever of its charges it is
// that passes the limit: that of the most which was charged at once is never overlooked.
func everyCharge(t *testing.T, g *blueprints.Graph) {
	for _, query := range []string{
		`g.V().order()`,
		`g.V().order().by("name")`,
		`g.V().order().by("name").by(T.id)`,
		`g.V().order().by("name").limit(300)`,
		`g.V().barrier().path()`,
		`g.V().dedup().by("name")`,
		`g.V().group().by("name")`,
		`g.V().groupCount().by("name")`,
		`g.V().fold()`,
		`g.V().tail(300)`,
		`g.V().sample(300)`,
		`g.V().aggregate("x").by("name").cap("x")`,
		`g.V().tree()`,
		`g.V().valueMap().fold()`,
	} {
		most := mostCharged(t, g, query)
		if err := runWithin(t, g, query, account.New(nil, "queryMemory", most-1)); !errors.Is(err, account.ErrLimit) {
			t.Errorf("%s: with less than the %d bytes that it takes at once it gives %v", query, most, err)
		}
	}
}

// mostCharged is the most that a query has charged at once, or a little less: an account
// takes up to an eighth more from the one above it.
func mostCharged(t *testing.T, g *blueprints.Graph, query string) int64 {
	above := account.New(nil, "memory", account.Unlimited)
	held := int64(0)
	above.Watch(1, func() { held = max(held, above.Used()) })
	if err := runWithin(t, g, query, account.New(above, "queryMemory", account.Unlimited)); err != nil {
		t.Fatal(query, err)
	}
	return held * 8 / 9
}

// runWithin runs a query on an account.
func runWithin(t *testing.T, g *blueprints.Graph, query string, a *account.Account) error {
	q, err := lang.Parse(query, lang.Options{})
	if err != nil {
		t.Fatal(query, err)
	}
	return g.View(t.Context(), func(tx *blueprints.Tx) error {
		plan, err := steps.Prepare(q.Last().Bytecode, tx)
		if err != nil {
			return err
		}
		return drain(plan, traversal.Env{Ctx: t.Context(), View: tx, Account: a})
	})
}
