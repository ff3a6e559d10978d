package differential_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/differential"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

// filters are sources that show of the filled graph what the plain one holds.
var filters = []string{
	`g.withStrategies(new SubgraphStrategy(vertices: __.not(__.hasLabel("secret")),edges: __.not(__.hasLabel("hidden")),vertexProperties: __.hasNot("secret"))).`,
	`g.withStrategies(new SubgraphStrategy(vertices: __.hasLabel("person","software"),edges: __.not(__.hasLabel("hidden")).outV().bothE(),vertexProperties: __.hasNot("secret"))).`,
}

// shows tells the steps that show how a filter works: out() goes over edges that paths
// show, as in the reference, and traversers that merge there write once.
var shows = regexp.MustCompile(`profile\(|[pP]ath\(|tree\(|add[VE]\(|merge[VE]\(|property\(`)

// What a strategy hides is not there, whatever steps a traversal has: under the filter it
// gives what it gives on a graph without the hidden parts.
func TestHiddenIsNotThere(t *testing.T) {
	const traversals = 1000
	db := open(t)
	plain, filled := load(t, db, "plain", "modern"), load(t, db, "filled", "modern")
	hide(t, filled)
	gen := differential.NewGenerator(seed())
	compared := 0
	for i := range traversals {
		query := gen.Traversal()
		if newIDs(query) || shows.MatchString(query) {
			continue
		}
		filter := filters[i%len(filters)]
		q, err := lang.Parse(query, lang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		hidden, err := lang.Parse(strings.Replace(query, "g.", filter, 1), lang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := run(t.Context(), plain, q.Last().Bytecode, way{plan: without()})
		if err != nil {
			continue // too large
		}
		got, err := run(t.Context(), filled, hidden.Last().Bytecode, way{plan: without()})
		if err != nil {
			continue
		}
		compared++
		if got.String() != want.String() {
			t.Errorf("%s\nunder %s: %.300s\nwithout what it hides: %.300s", query, filter, got, want)
		}
	}
	if compared < traversals/2 {
		t.Errorf("only %d of %d traversals could be compared", compared, traversals)
	}
}

// hide adds vertices, edges and properties that the filters hide.
func hide(t *testing.T, g *blueprints.Graph) {
	err := g.Update(t.Context(), func(tx *blueprints.Tx) error {
		marked := []value.Property{{Key: "secret", Value: value.Int(1)}}
		for i := range 3 {
			seen, _, err := tx.FindVertex(value.Int([]int32{1, 4, 3}[i]))
			if err != nil {
				return err
			}
			v, err := tx.AddVertex("secret", value.Null)
			if err != nil {
				return err
			}
			if _, err := tx.SetVertexProperty(v, "single", "name", value.String("josh"), value.Null, nil); err != nil {
				return err
			}
			for _, key := range []string{"name", "age", "lang"} {
				if _, err := tx.SetVertexProperty(seen, "list", key, value.Int(29), value.Null, marked); err != nil {
					return err
				}
			}
			for _, label := range []string{"knows", "hidden"} {
				if _, err := tx.AddEdge(label, seen, v, value.Null); err != nil {
					return err
				}
				if _, err := tx.AddEdge(label, v, seen, value.Null); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
