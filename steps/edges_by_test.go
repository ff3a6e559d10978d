package steps_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// ranks are values that tie, that no index tells the place of, and that equal nothing.
var ranks = []string{"1", "1L", "1.0d", "2", "2.5d", "3", "NaN", "'a'", "'b'", "true", "datetime('2020-01-01T00:00:00Z')", "datetime('2020-01-01T01:00:00+01:00')",
	"datetime('2021-01-01T00:00:00Z')", "'" + strings.Repeat("z", 300) + "1'", "'" + strings.Repeat("z", 300) + "2'"}

// crowd makes vertices 0 to 2 with edges to each other, most of them of few values: more tie
// than a walk backwards turns round.
func crowd(t *testing.T, r *rand.Rand) *blueprints.Graph {
	g, err := queryhost.New(t).Get(t.Context(), "empty")
	if err != nil {
		t.Fatal(err)
	}
	known := ranks[:1+r.IntN(len(ranks))]
	if err := writeQuery(t, g, "g.addV().property('n', 0).addV().property('n', 1).addV().property('n', 2)"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		text := fmt.Sprintf("g.V().has('n', %d).as('a')", r.IntN(3))
		for range 20 + r.IntN(60) {
			text += fmt.Sprintf(".V().has('n', %d).as('b').addE('rated').from('a').to('b')", r.IntN(3))
			if r.IntN(10) > 0 {
				text += fmt.Sprintf(".property('stars', %s)", known[min(r.IntN(len(known)), r.IntN(len(known)))])
			}
			text += fmt.Sprintf(".property('kind', %d)", r.IntN(3))
		}
		if err := writeQuery(t, g, text); err != nil {
			t.Fatal(text, err)
		}
	}
	for _, s := range []blueprints.IndexSpec{
		{Name: "stars", Class: blueprints.EdgeClass, Label: "rated", Keys: []string{"stars"}, Direction: "BOTH"},
		{Name: "kinds", Class: blueprints.EdgeClass, Label: "rated", Keys: []string{"kind", "stars"}, Direction: "OUT"},
	} {
		if _, err := g.DeclareIndex(t.Context(), t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// TestEdgesBy_TiesAndOrders: what comes first in the order of an edge-centric index, and in
// which order, is what order() makes of all edges, whatever ties and whatever the transaction
// has changed.
func TestEdgesBy_TiesAndOrders(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	looked := 0
	for range 8 {
		g := crowd(t, r)
		for range 40 {
			query := fmt.Sprintf(".V().has('n', %d).%s('rated')", r.IntN(3), []string{"outE", "outE", "inE"}[r.IntN(3)])
			if r.IntN(2) == 0 {
				query += fmt.Sprintf(".has('kind', %d)", r.IntN(3))
			}
			if r.IntN(3) == 0 {
				query += fmt.Sprintf(".has('stars', %s(%s))", []string{"gte", "lt"}[r.IntN(2)], ranks[r.IntN(len(ranks))])
			}
			query += fmt.Sprintf(".order().by('stars', %s).limit(%d).id()", []string{"asc", "desc"}[r.IntN(2)], 1+r.IntN(50))
			change := ""
			if r.IntN(2) == 0 {
				change = fmt.Sprintf("g.V().has('n', %d).outE().limit(%d).property('stars', %s)", r.IntN(3), r.IntN(40), ranks[r.IntN(len(ranks))])
				if r.IntN(2) == 0 {
					change = fmt.Sprintf("g.V().has('n', %d).outE().has('kind', %d).limit(%d).drop()", r.IntN(3), r.IntN(3), r.IntN(9))
				}
			}
			source := "g"
			if r.IntN(4) == 0 {
				source = "g.withStrategies(new SubgraphStrategy(edges: __.has('kind', neq(1))))"
			}
			var plan string
			indexed := within(t, g, change, source+query, &plan)
			if strings.Contains(plan, "in order of") {
				looked++
			}
			if walked := within(t, g, change, source+".withoutStrategies(EdgeIndexStrategy)"+query, &plan); !slices.Equal(indexed, walked) {
				t.Errorf("after %q: %s%s: %v, walking %v", change, source, query, indexed, walked)
			}
		}
	}
	if looked < 100 {
		t.Errorf("%d queries were looked up", looked)
	}
}

// within runs two queries in one transaction, which is given up, and returns what the second
// answers, and its plan; nothing when it is by a key of which an element has several values.
func within(t *testing.T, g *blueprints.Graph, change, query string, shown *string) (texts []string) {
	t.Helper()
	undo := errors.New("undo")
	err := g.Update(t.Context(), func(tx *blueprints.Tx) error {
		for _, text := range []string{change, query} {
			if text == "" {
				continue
			}
			q, err := lang.Parse(text, lang.Options{})
			if err != nil {
				return err
			}
			plan, err := steps.Prepare(q.Last().Bytecode, tx)
			if err != nil {
				return err
			}
			run, err := traversal.Open(plan, traversal.Env{Ctx: t.Context(), Registry: steps.Registry(), View: tx, Mutator: tx})
			if err != nil {
				return err
			}
			*shown, texts = plan.String(), nil
			if err := eachObject(run, func(v value.Value) { texts = append(texts, v.JavaString()) }); err != nil && strings.Contains(err.Error(), "Multiple properties") {
				texts = nil
			} else if err != nil {
				return err
			}
		}
		return undo
	})
	if !errors.Is(err, undo) {
		t.Fatal(change, query, err)
	}
	return texts
}

// TestEdgesBy_WritesOnTheWay: a traversal that changes edges which it has not come to yet sees
// them as they are when it comes to them.
func TestEdgesBy_WritesOnTheWay(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	g := crowd(t, rand.New(rand.NewPCG(seed, 2)))
	for _, behind := range []string{
		"property('stars', 9).id()", "property('kind', 1).order().by(id).id()", "has('kind', 1).limit(3).property('stars', 0).outV().outE('rated').has('stars', 0).id()",
		"sideEffect(outV().outE('rated').property('stars', 0)).id()", "sideEffect(outV().outE('rated').has('kind', 1).drop()).id()",
		"where(outV().bothE('rated').has('stars', 1)).property('stars', 7).id()", "order().by('stars', desc).limit(4).property('stars', 0).id()",
		"inV().outE('rated').has('stars', 1).property('stars', 2).id()", "inV().addE('rated').to(V().has('n', 0)).property('stars', 1).count()",
	} {
		for _, find := range []string{"outE('rated').has('stars', 1)", "bothE('rated').has('stars', gt(0))", "outE('rated').has('kind', within(0, 1))"} {
			query := ".V().has('n', lt(2))." + find + "." + behind
			var plan string
			indexed := within(t, g, "", "g"+query, &plan)
			walked := within(t, g, "", "g.withoutStrategies(EdgeIndexStrategy)"+query, &plan)
			if !strings.Contains(query, "order()") {
				slices.Sort(indexed)
				slices.Sort(walked)
			}
			if len(indexed) != len(walked) || !strings.Contains(query, "limit") && !slices.Equal(indexed, walked) {
				t.Errorf("g%s: %v, walking %v", query, indexed, walked)
			}
		}
	}
}
