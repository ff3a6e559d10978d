package blueprints_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// TestGraph_IndexEntries: the entries of a small index are counted, those of a large one
// estimated.
func TestGraph_IndexEntries(t *testing.T) {
	for _, n := range []int{0, 500, 60_000} {
		db := openOn(t, vfs.NewMem(), func(s storage.Store) storage.Store { return s })
		defer db.Close()
		g, err := db.CreateGraph("g", blueprints.Options{})
		if err != nil {
			t.Fatal(err)
		}
		declareIndex(t, g, blueprints.IndexSpec{Name: "x", Class: blueprints.VertexClass, Keys: []string{"k"}, Unique: n == 500})
		_, err = load.Graph(ctx, g, load.Options{}, func(to blueprints.RecordSink) error {
			for i := range n {
				v := blueprints.VertexRecord{ID: value.Long(int64(i)), Label: "p", Properties: []blueprints.PropertyRecord{{Key: "k", Value: value.Int(int32(i))}}}
				if err := to.Vertex(&v); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		got, exact, err := g.IndexEntries(ctx, "x")
		if err != nil || exact != (n <= 20_000) || exact && got != int64(n) || !exact && (got < 20_000 || got > 2*int64(n)) {
			t.Errorf("of %d: %d, %v, %v", n, got, exact, err)
		}
	}
	_, _, err := newGraph(t, blueprints.Options{}).IndexEntries(ctx, "none")
	if err == nil {
		t.Error("there is no such index")
	}
}
