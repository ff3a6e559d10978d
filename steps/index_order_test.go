package steps_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
)

// TestIndexOrder_TiesAndOrders: the first elements in the order of a composite index are what
// order() makes of all, in the same order, whatever ties, has several values or none, and
// whatever the transaction has changed.
func TestIndexOrder_TiesAndOrders(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	looked := 0
	for range 6 {
		g, err := queryhost.New(t).Get(t.Context(), "empty")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []blueprints.IndexSpec{
			{Name: "city_age", Class: blueprints.VertexClass, Label: "p", Keys: []string{"city", "age"}},
			{Name: "age", Class: blueprints.VertexClass, Keys: []string{"age"}},
			{Name: "city", Class: blueprints.VertexClass, Keys: []string{"city"}},
			{Name: "kind_age", Class: blueprints.EdgeClass, Label: "e", Keys: []string{"kind", "age"}},
		} {
			if _, err := g.DeclareIndex(t.Context(), t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		known := ranks[:1+r.IntN(len(ranks))]
		for range 4 {
			var text strings.Builder
			text.WriteString("g")
			for range 20 + r.IntN(40) {
				fmt.Fprintf(&text, ".addV('%s').property('city', %d)", []string{"p", "p", "q"}[r.IntN(3)], r.IntN(2))
				many := 1
				if r.IntN(200) == 0 {
					many = 2 // order() takes several values for an error, if it meets them
				}
				for range r.IntN(8) % 6 % 2 * many {
					fmt.Fprintf(&text, ".property(list, 'age', %s)", known[min(r.IntN(len(known)), r.IntN(len(known)))])
				}
				fmt.Fprintf(&text, ".as('v').addE('e').to('v').property('kind', %d).property('age', %s).inV()", r.IntN(2), known[r.IntN(len(known))])
			}
			if err := writeQuery(t, g, text.String()); err != nil {
				t.Fatal(err)
			}
		}
		for range 40 {
			query := []string{".V().has('p', 'city', 0)", ".V().hasLabel('p').has('city', 1)", ".V()", ".V().has('city', 0)", ".E().has('e', 'kind', 1)"}[r.IntN(5)]
			if r.IntN(3) == 0 {
				query += fmt.Sprintf(".has('age', %s(%s))", []string{"gte", "lt", "neq"}[r.IntN(3)], ranks[r.IntN(len(ranks))])
			}
			query += fmt.Sprintf(".order().by('age', %s).limit(%d).id()", []string{"asc", "desc"}[r.IntN(2)], 1+r.IntN(50))
			change := ""
			if r.IntN(2) == 0 {
				change = fmt.Sprintf("g.V().has('city', %d).limit(%d).property(single, 'age', %s)", r.IntN(2), r.IntN(9), ranks[r.IntN(len(ranks))])
			}
			source := "g"
			if r.IntN(4) == 0 {
				source = "g.withStrategies(new SubgraphStrategy(vertices: __.not(__.has('age', 2))))"
			}
			var plan, full string
			indexed := within(t, g, change, source+query, &plan)
			if strings.Contains(plan, "in order of composite") {
				looked++
			}
			if walked := within(t, g, change, source+".withoutStrategies(IndexOrderStrategy, TinkerGraphStepStrategy)"+query, &full); len(walked) > 0 && !slices.Equal(indexed, walked) {
				t.Errorf("after %q: %s%s: %v, walking %v\n%s", change, source, query, indexed, walked, plan)
			}
		}
	}
	if looked < 60 {
		t.Errorf("%d queries were looked up", looked)
	}
}
