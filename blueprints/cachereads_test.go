package blueprints

import (
	"context"
	"errors"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// What is only glanced at through the cache counts as read: that an element exists, its
// label, its id, one value of it.
func TestCache_GlancesCountAsReads(t *testing.T) {
	_, g := openCached(t, 1<<20)
	glances := map[string]func(tx *Tx, v VertexID, e EdgeID) error{
		"vertex exists": func(tx *Tx, v VertexID, _ EdgeID) error { _, err := tx.VertexExists(v); return err },
		"vertex label":  func(tx *Tx, v VertexID, _ EdgeID) error { _, err := tx.VertexLabel(v); return err },
		"vertex labels": func(tx *Tx, v VertexID, _ EdgeID) error { _, err := tx.VertexLabels(nil, []VertexID{v}); return err },
		"edge exists":   func(tx *Tx, _ VertexID, e EdgeID) error { _, err := tx.EdgeExists(e); return err },
		"edge header":   func(tx *Tx, _ VertexID, e EdgeID) error { _, err := tx.Edge(e); return err },
		"edge value": func(tx *Tx, _ VertexID, e EdgeID) error {
			w, _ := tx.Symbol("w")
			_, _, err := tx.EdgeValue(e, w)
			return err
		},
		"vertex id": func(tx *Tx, _ VertexID, _ EdgeID) error {
			_, _, err := tx.FindVertex(value.String("vertex"))
			return err
		},
		"edge id": func(tx *Tx, _ VertexID, _ EdgeID) error {
			_, _, err := tx.FindEdge(value.String("edge"))
			return err
		},
	}
	for name, glance := range glances {
		var v VertexID
		var e EdgeID
		commit(t, g, func(tx *Tx) error {
			v = ok[VertexID](t)(tx.AddVertex("v", value.String("vertex")))
			e = ok[EdgeID](t)(tx.AddEdge("e", v, v, value.String("edge")))
			return tx.SetEdgeProperty(e, "w", value.Int(1))
		})
		if err := glance(reader(t, g), v, e); err != nil { // fills the cache
			t.Fatal(err)
		}
		x := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
		defer x.Close()
		if err := glance(x, v, e); err != nil {
			t.Fatal(err)
		}
		ok[VertexID](t)(x.AddVertex("seen", value.Null))
		commit(t, g, func(tx *Tx) error { return tx.RemoveVertex(v) })
		if err := x.Commit(context.Background()); !errors.Is(err, storage.ErrConflict) {
			t.Errorf("%s: a glance through the cache was not validated: %v", name, err)
		}
	}
}
