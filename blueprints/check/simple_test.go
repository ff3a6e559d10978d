package check_test

import (
	"slices"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// TestRun_Simple: where one edge of a label may lead from a vertex to another, edges to several are
// sound, and a second one to the same is found.
func TestRun_Simple(t *testing.T) {
	x := newSample(t)
	var second blueprints.EdgeID
	if err := x.g.Update(ctx, func(tx *blueprints.Tx) (err error) {
		second, err = tx.AddEdge("owns", x.a, x.a, value.Null)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	_, err := x.g.ChangeSchema(ctx, func(old *schema.Schema) (*schema.Schema, error) {
		return old.With(value.Of(map[string]any{"edge": "owns", "multiplicity": "SIMPLE"}))
	})
	if err != nil {
		t.Fatal(err)
	}
	crowded := func() bool {
		return slices.ContainsFunc(run(t, x.g).Problems, func(p check.Problem) bool { return p.Invariant == "I15" })
	}
	if crowded() {
		t.Error("edges to several vertices are too many")
	}
	x.damage(t, func(tx storage.Tx) error {
		const owns = 5
		return tx.Set(table.AppendAdjacency(nil, table.Adjacency{
			Graph: x.g.Number(), Vertex: uint64(x.a), Direction: table.OutEdge, Label: owns, Edge: uint64(second), Other: uint64(x.b),
		}), []byte{1})
	})
	if !crowded() {
		t.Error("a second edge to the same vertex is not found")
	}
}
