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

// intersected has 9000 vertices of keys whose values are many vertices', or few.
func intersected(t *testing.T) *blueprints.Graph {
	g, err := queryhost.New(t).Get(t.Context(), "empty")
	for _, key := range []string{"a", "b", "c"} {
		if err == nil {
			err = g.CreateKeyIndex(t.Context(), blueprints.VertexClass, key)
		}
	}
	for _, s := range []blueprints.IndexSpec{
		{Name: "d", Class: blueprints.VertexClass, Keys: []string{"d", "e"}},
		{Name: "t", Class: blueprints.VertexClass, Keys: []string{"t"}, Analyzer: "trigram"},
		{Name: "w", Class: blueprints.EdgeClass, Keys: []string{"w"}}, {Name: "x", Class: blueprints.EdgeClass, Keys: []string{"x"}},
	} {
		if err == nil {
			_, err = g.DeclareIndex(t.Context(), t.Context(), s)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	err = g.Update(t.Context(), func(tx *blueprints.Tx) error {
		for i := range 9000 {
			v, err := tx.AddVertex([]string{"p", "q"}[i%7%2], value.Null)
			set := func(key string, val value.Value) {
				if err == nil {
					_, err = tx.SetVertexProperty(v, "list", key, val, value.Null, nil)
				}
			}
			for key, n := range map[string]int{"a": i % 2, "b": i / 2 % 3, "c": i % 2000, "d": i % 4, "e": i % 5} {
				set(key, value.Int(int32(n)))
			}
			set("a", value.Int(int32(i%3)))
			if set("t", value.String(fmt.Sprint("text ", i%2, "00 and ", i))); err != nil {
				return err
			}
			e, err := tx.AddEdge("e", v, v, value.Null)
			if err == nil {
				err = tx.SetEdgeProperty(e, "w", value.Int(int32(i%2)))
			}
			if err == nil {
				err = tx.SetEdgeProperty(e, "x", value.Int(int32(i%3)))
			}
			if err != nil {
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

// TestIntersect_SameAnswers: what two indexes find together is what a walk finds, whichever of
// them is the longer, and whatever the traversal does with what it finds.
func TestIntersect_SameAnswers(t *testing.T) {
	g := intersected(t)
	for _, text := range []string{
		`V().has("a",0).has("b",1)`, `V().has("b",1).has("a",1).has("e",2)`, `V().has("a",0).has("c",44)`, `V().has("a",0).has("c",P.lt(300))`,
		`V().has("c",P.lt(9)).has("a",0)`, `V().has("a",0).has("d",0).has("e",P.lt(3))`, `V().has("a",0).has("t",TextP.containing("100"))`,
		`V().has("a",P.within(0,2)).has("b",P.within(0,1,1))`, `V().has("a",P.gt(0).and(P.lt(9))).has("b",0)`, `E().has("w",1).has("x",2)`,
		`V().has("a",0).has("b",9)`, `V().has("a",9).has("b",1)`, `V().has("p","a",0).has("b",1)`, `V().limit(3).V().has("a",0).has("b",1)`,
		`V().has("a",0).has("b",1).limit(1).count()`,
	} {
		var found [2][]string
		for i, source := range []string{"g.", "g.withoutStrategies(TinkerGraphStepStrategy)."} {
			runQuery(t, g, source+text, 0, func(run *traversal.Run) error {
				if plan := run.Plan.String(); i == 0 && !strings.Contains(plan, "] and ") && !strings.Contains(plan, ") and ") {
					t.Errorf("%s: one index: %s", text, plan)
				}
				return eachObject(run, func(v value.Value) { found[i] = append(found[i], v.JavaString()) })
			})
			slices.Sort(found[i])
		}
		if !slices.Equal(found[0], found[1]) {
			t.Errorf("%s: %d, walking %d", text, len(found[0]), len(found[1]))
		}
	}
	// what the traversal itself changes is no longer found
	if err := writeQuery(t, g, `g.V().has("a",0).has("b",1).sideEffect(V().has("a",0).has("b",1).property(single,"b",5)).count().is(neq(1)).fail("found again")`); err != nil {
		t.Error(err)
	}
}
