package steps_test

import (
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

// declaredIndexes are of every kind, on keys that have values of several types, several
// values on one vertex, and none.
var declaredIndexes = []blueprints.IndexSpec{
	{Name: "ab", Class: blueprints.VertexClass, Label: "p", Keys: []string{"a", "b"}},
	{Name: "ba", Class: blueprints.VertexClass, Keys: []string{"b", "a", "c"}},
	{Name: "u", Class: blueprints.VertexClass, Label: "q", Keys: []string{"n"}, Unique: true},
	{Name: "cm", Class: blueprints.VertexClass, Keys: []string{"c", "m"}, Unique: true},
	{Name: "s", Class: blueprints.EdgeClass, Label: "f", Keys: []string{"x", "w"}, Direction: "BOTH"},
	{Name: "o", Class: blueprints.EdgeClass, Label: "e", Keys: []string{"w"}, Direction: "OUT"},
	{Name: "ew", Class: blueprints.EdgeClass, Label: "e", Keys: []string{"w", "x"}},
}

func randomValue(r *rand.Rand) string {
	return []string{"1", "2L", "2.0d", "2.5d", "'x'", "'y'", "'xy'", "true", "'" + strings.Repeat("z", 300) + fmt.Sprint(r.IntN(2)) + "'", "3", "-1"}[r.IntN(11)]
}

func randomPredicate(r *rand.Rand) string {
	v, w := randomValue(r), randomValue(r)
	return []string{
		v, v, v, "gt(" + v + ")", "lte(" + v + ")", "within(" + v + ", " + w + ")", "between(" + v + ", " + w + ")", "inside(0, 3)",
		"gt(0).and(lt(3))", "startingWith('x')", "neq(" + v + ")", "within([])", "startingWith('" + strings.Repeat("z", 300) + "')",
	}[r.IntN(13)]
}

func randomFilters(r *rand.Rand, labels, keys []string) string {
	var text strings.Builder
	if r.IntN(3) > 0 {
		fmt.Fprintf(&text, ".hasLabel('%s')", labels[r.IntN(len(labels))])
	}
	for range 1 + r.IntN(3) {
		fmt.Fprintf(&text, ".has('%s', %s)", keys[r.IntN(len(keys))], randomPredicate(r))
	}
	return text.String()
}

// randomEdges asks for edges of vertices, some of them the first in an order.
func randomEdges(r *rand.Rand) string {
	text := fmt.Sprintf(".V().has('id', lt(%d)).%s('%s')", 1+r.IntN(60), []string{"outE", "inE", "bothE"}[r.IntN(3)], []string{"e", "f"}[r.IntN(2)])
	for range r.IntN(3) {
		text += fmt.Sprintf(".has('%s', %s)", []string{"w", "x"}[r.IntN(2)], randomPredicate(r))
	}
	if r.IntN(2) == 0 {
		// Which of those that tie come first is only told where the index delivers the order.
		key := []string{"w", "x"}[r.IntN(2)]
		text += fmt.Sprintf(".order().by('%s', %s).limit(%d).values('%s')", key, []string{"asc", "desc"}[r.IntN(2)], 1+r.IntN(6), key)
	}
	return text
}

// TestDeclared_SameAnswers: what is looked up in declared indexes is what a walk of all
// elements finds, while elements change.
func TestDeclared_SameAnswers(t *testing.T) {
	g, err := queryhost.New(t).Get(t.Context(), "empty")
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	for _, s := range declaredIndexes[:2] { // the others are built
		if _, err := g.DeclareIndex(t.Context(), t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	write := func(text string) {
		if err := writeQuery(t, g, text); err != nil && !strings.Contains(err.Error(), "Index u: another vertex") {
			t.Fatal(text, err)
		}
	}
	for i := range 60 {
		text := fmt.Sprintf("g.addV('%s').property('id', %d).property('n', %d)", []string{"p", "q"}[i%2], i, i)
		for range r.IntN(4) {
			text += fmt.Sprintf(".property(list, '%s', %s)", []string{"a", "b", "c"}[r.IntN(3)], randomValue(r))
		}
		if i%3 > 0 {
			text += fmt.Sprintf(".property('m', %d)", i) // the others are not in the index cm
		}
		write(text)
		write(fmt.Sprintf("g.V().has('id', %d).addE('%s').to(V().has('id', %d)).property('w', %s).property('x', %s)",
			i, []string{"e", "f"}[r.IntN(2)], r.IntN(i+1), randomValue(r), randomValue(r)))
	}
	for _, s := range declaredIndexes[2:] {
		if _, err := g.DeclareIndex(t.Context(), t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	looked := 0
	for i := range 300 {
		switch i % 6 {
		case 0:
			write(fmt.Sprintf("g.V().has('id', %d).property(single, '%s', %s)", r.IntN(60), []string{"a", "b", "n"}[r.IntN(3)], randomValue(r)))
		case 1:
			write(fmt.Sprintf("g.E().has('w', %s).limit(2).property('x', %s)", randomValue(r), randomValue(r)))
		case 2:
			if i%12 == 2 {
				write(fmt.Sprintf("g.V().has('id', %d).drop()", r.IntN(60)))
			}
		}
		query := ".V()" + randomFilters(r, []string{"p", "q"}, []string{"a", "b", "c", "n"})
		if i%3 == 0 {
			query = ".E()" + randomFilters(r, []string{"e", "f"}, []string{"w", "x"})
		}
		if i%3 == 1 {
			query = randomEdges(r)
		}
		var found [2][]string
		for n, source := range []string{"g", "g.withoutStrategies(TinkerGraphStepStrategy, EdgeIndexStrategy)"} {
			runQuery(t, g, source+query, 0, func(run *traversal.Run) error {
				if plan := run.Plan.String(); n == 0 && (strings.Contains(plan, " by composite") || strings.Contains(plan, " by unique") || strings.Contains(plan, "EdgesByStep")) {
					looked++
				}
				return eachObject(run, func(v value.Value) { found[n] = append(found[n], plainText(v)) })
			})
			if !strings.Contains(query, "order()") {
				slices.Sort(found[n])
			}
		}
		if !slices.Equal(found[0], found[1]) {
			t.Errorf("%s: %v, walking %v", query, found[0], found[1])
		}
	}
	if looked < 50 {
		t.Errorf("%d queries were looked up", looked)
	}
	for _, s := range declaredIndexes {
		if rep, err := g.VerifyIndex(t.Context(), s.Name); err != nil || rep.Missing+rep.Stale != 0 || rep.Entries == 0 {
			t.Errorf("%s: %+v, %v", s.Name, rep, err)
		}
	}
}

// plainText tells values that tie, 2 and 2.0, not apart.
func plainText(v value.Value) string { return strings.TrimSuffix(v.JavaString(), ".0") }

// eachObject gives the results of a query one by one.
func eachObject(run *traversal.Run, fn func(value.Value)) error {
	for {
		var b traversal.Batch
		err := run.Next(&b, 5)
		for i, v := range b.Objects {
			for range b.Bulk(i) {
				fn(v)
			}
		}
		if err != nil || b.Len() == 0 {
			return err
		}
	}
}

// writeQuery runs a query that changes the graph, in a transaction of its own.
func writeQuery(t *testing.T, g *blueprints.Graph, text string) error {
	q, err := lang.Parse(text, lang.Options{})
	if err != nil {
		t.Fatal(text, err)
	}
	return g.Update(t.Context(), func(tx *blueprints.Tx) error {
		plan, err := steps.Prepare(q.Last().Bytecode, tx)
		if err != nil {
			return err
		}
		run, err := traversal.Open(plan, traversal.Env{Ctx: t.Context(), Registry: steps.Registry(), View: tx, Mutator: tx})
		if err != nil {
			return err
		}
		return eachObject(run, func(value.Value) {})
	})
}
