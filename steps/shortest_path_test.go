package steps_test

import (
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/storage/value"
)

// A long path takes memory as it is long, also while it is looked for.
func TestShortestPath_OfAChain(t *testing.T) {
	const vertices, most = 1500, 10 << 20 // copied at each vertex it takes three times as much
	g, err := queryhost.New(t).Get(t.Context(), "empty")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Update(t.Context(), func(tx *blueprints.Tx) error {
		last, err := tx.AddVertex("v", value.Null)
		for i := 1; i < vertices && err == nil; i++ {
			label := "v"
			if i == vertices-1 {
				label = "end"
			}
			var next blueprints.VertexID
			if next, err = tx.AddVertex(label, value.Null); err == nil {
				_, err = tx.AddEdge("e", last, next, value.Null)
			}
			last = next
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	before := allocated()
	const query = `g.withStrategies(VertexProgramStrategy).V().limit(1).shortestPath().with(ShortestPath.target, __.hasLabel("end")).count(local)`
	if n := longOf(t, g, query); n != vertices {
		t.Errorf("the path has %d vertices, want %d", n, vertices)
	}
	if took := allocated() - before; took > most {
		t.Errorf("a path of %d vertices took %d bytes, want at most %d", vertices, took, most)
	} else {
		t.Log(took)
	}
}
