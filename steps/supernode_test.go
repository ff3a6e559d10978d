package steps_test

import (
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/storage/value"
)

// supernodeEdges is beyond what a hop keeps of one vertex, so that it has to go on
// where it stopped.
const supernodeEdges = 9000

// TestSupernode walks a vertex with many edges among others with few, in the many
// ways that a hop reads adjacency.
func TestSupernode(t *testing.T) {
	ctx := t.Context()
	gs := queryhost.New(t)
	g, err := gs.Get(ctx, "empty")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Update(ctx, star); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ query, want string }{
		{`g.V().out("e").count()`, "9003"},
		{`g.V().out("e").id().dedup().count()`, "9002"},
		{`g.V().outE("e").inV().fold().count(local)`, "9003"},
		{`g.V().hasLabel("hub", "small").out("e").out("e").limit(4).count()`, "4"},
		{`g.V(1).out("e").limit(3).id()`, "4\n5\n6"},
		{`g.V(1, 2, 1).out("e").skip(9003).limit(1).id()`, "5"},
		{`g.V(1, 2).both("e").tail(1).id()`, "3"},
		{`g.mergeE([(T.label): "e", (OUT): 1, (IN): 9003]).count()`, "1"},
		{`g.E().hasLabel("e").count()`, "9003"},
		{`g.mergeE([(T.label): "e", (OUT): 9003, (IN): 1]).count()`, "1"},
		{`g.E().hasLabel("e").count()`, "9004"},
	} {
		s := queryhost.Script{Graphs: gs, Graph: "empty", Order: "exact"}
		got, err := s.Run(ctx, c.query)
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.query, got, err, c.want)
		}
	}
}

// star makes vertices 1 (hub), 2 and 3 (small), and leaves from 4 on: 1 has an edge
// to each leaf, 2 to the first leaf and to 3, 3 to 1.
func star(tx *blueprints.Tx) error {
	var v [3]blueprints.VertexID
	for i, label := range []string{"hub", "small", "small"} {
		var err error
		if v[i], err = tx.AddVertex(label, value.Int(int32(i+1))); err != nil {
			return err
		}
	}
	link := func(a, b blueprints.VertexID) error {
		_, err := tx.AddEdge("e", a, b, value.Null)
		return err
	}
	for i := range supernodeEdges {
		leaf, err := tx.AddVertex("leaf", value.Int(int32(i+4)))
		if err != nil {
			return err
		}
		if err := link(v[0], leaf); err != nil {
			return err
		}
		if i == 0 {
			if err := link(v[1], leaf); err != nil {
				return err
			}
		}
	}
	if err := link(v[1], v[2]); err != nil {
		return err
	}
	return link(v[2], v[0])
}
