package engine

import (
	"testing"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/traversal"
)

// TestElementsKnowTheirGraph: edges(), vertices() and graph() of an element are those of
// its own graph, whatever the script asked last and whatever g means. The answers are
// those of the reference.
func TestElementsKnowTheirGraph(t *testing.T) {
	e := open(t)
	for _, c := range [][2]string{
		// in closures of a traversal that the server runs
		{"gcrew.V(1).map{it.get().edges(OUT).size()}", "4"},
		{"gcrew.V(1).flatMap{it.get().vertices(OUT, 'develops')}.values('name')", "gremlin tinkergraph"},
		{"gcrew.V(1).filter{it.get().edges(IN).hasNext()}.count()", "0"},
		{"gcrew.V(1, 10).order().by{it.edges(OUT).size()}.values('name')", "gremlin marko"},
		{"gcrew.V(1).map{it.get().property('name').element().edges(OUT).size()}", "4"},
		{"gcrew.V(1).map{it.get().graph().traversal().V().hasLabel('person').count().next()}", "4"},
		{"gcrew.V(1).map{it.get().edges(OUT).size()}.next()", "4"},
		// behind and between traversals over another graph
		{"x = g.V(1).next(); y = gcrew.V(1).next(); [x.edges(OUT).size(), y.edges(OUT).size(), x.edges(OUT).size()]", "3 4 3"},
		{"y = gcrew.V(1).next(); x = g.V(1).next(); [x.edges(OUT).size(), y.edges(OUT).size(), y.graph().toString()]", "3 4 tinkergraph[vertices:6 edges:14]"},
		{"y = gcrew.V(1).next(); g.V(1).map{[it.get().edges(OUT).size(), y.edges(OUT).size()]}", "[3, 4]"},
		{"gcrew.V(1).map{g.V(1).next(); it.get().edges(OUT).size()}", "4"},
		// without any source
		{"x = crew.vertices(1).next(); [x.edges(OUT).size(), x.graph().toString()]", "4 tinkergraph[vertices:6 edges:14]"},
		{"x = modern.vertices(1).next(); y = crew.vertices(1).next(); [x.edges(OUT).size(), y.edges(OUT).size()]", "3 4"},
		// through a filter
		{"s = SubgraphStrategy.build().vertices(hasLabel('person')).create(); gcrew.withStrategies(s).V(1).map{it.get().edges(OUT).size()}", "4"},
		{"s = SubgraphStrategy.build().vertices(hasLabel('person')).create(); x = g.V(1).next(); y = gcrew.withStrategies(s).V(1).next(); [x.edges(OUT).size(), y.edges(OUT).size()]", "3 4"},
	} {
		w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
		got, err := results(w, query(languageGroovy, c[0]))
		w.Close()
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c[1] {
			t.Errorf("%s: %q, want %q", c[0], got, c[1])
		}
	}
}
