package load_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// asked is the context of who is to hear of a fault.
var asked = storagetest.Asking(ctx)

// faultyGraph is an empty graph with indexes, whose store can be made to fail.
func faultyGraph(t *testing.T, o blueprints.Options) (*storagetest.Faulty, *blueprints.Graph) {
	t.Helper()
	s := give[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))
	f := &storagetest.Faulty{Store: s}
	db := give[*blueprints.Database](t)(blueprints.Open(f, blueprints.DatabaseOptions{CacheBytes: -1}))
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	g := give[*blueprints.Graph](t)(db.CreateGraph("g", o))
	for _, c := range []blueprints.ElementClass{table.VertexClass, table.EdgeClass} {
		indexKey(t, g, c, "name")
	}
	for _, s := range []blueprints.IndexSpec{
		{Name: "u", Class: blueprints.VertexClass, Label: "person", Keys: []string{"name"}, Unique: true},
		{Name: "w", Class: blueprints.VertexClass, Keys: []string{"text"}, Analyzer: "words"},
		{Name: "t", Class: blueprints.VertexClass, Keys: []string{"text"}, Analyzer: "trigram"},
		{Name: "e", Class: blueprints.EdgeClass, Label: "knows", Keys: []string{"name"}, Direction: "BOTH"},
	} {
		declare(t, g, s)
	}
	return f, g
}

func fill(sink blueprints.RecordSink) error {
	for i := range int32(3) {
		v := &blueprints.VertexRecord{ID: value.Int(i), Label: "person", Properties: []blueprints.PropertyRecord{
			{Key: "name", Value: value.Int(i)}, {Key: "text", Value: value.String(fmt.Sprint("word ", i))},
		}}
		if err := sink.Vertex(v); err != nil {
			return err
		}
	}
	e := &blueprints.EdgeRecord{Label: "knows", Out: value.Int(0), In: value.Int(1), Properties: []blueprints.PropertyRecord{{Key: "name", Value: value.Int(7)}}}
	return sink.Edge(e)
}

// TestGraph_Faults has each call of the store fail once in a load. It is then as though
// nobody had begun it, and the next one succeeds.
func TestGraph_Faults(t *testing.T) {
	for _, o := range []blueprints.Options{
		{VertexIDs: ids.Any, EdgeIDs: ids.Any, VertexPropertyIDs: ids.Any},
		{VertexIDs: ids.Any, EdgeIDs: ids.Long, VertexPropertyIDs: ids.Long, IDsByValue: true},
	} {
		for call := int64(0); failingLoad(t, o, call); call++ {
		}
	}
}

// failingLoad loads with one call failing, and reports whether there was one.
func failingLoad(t *testing.T, o blueprints.Options, call int64) bool {
	t.Helper()
	f, g := faultyGraph(t, o)
	fault := f.At(call, func() error {
		_, err := load.Graph(asked, g, load.Options{}, fill)
		return err
	})
	if fault.Open != 0 || fault.Happened != errors.Is(fault.Err, storagetest.ErrDisk) || !fault.Happened && fault.Err != nil {
		t.Errorf("call %d fails (%t): %v, and %d iterators stay open", call, fault.Happened, fault.Err, fault.Open)
	}
	if fault.Happened {
		view(t, g, func(tx *blueprints.Tx) {
			vs, err := tx.VertexCount()
			if es, err2 := tx.EdgeCount(); vs != 0 || es != 0 || err != nil || err2 != nil {
				t.Errorf("%d vertices and %d edges of a load that failed at call %d: %v, %v", vs, es, call, err, err2)
			}
		})
		if _, err := load.Graph(asked, g, load.Options{}, fill); err != nil {
			t.Errorf("a load after one that failed at call %d: %v", call, err)
		}
	}
	view(t, g, func(tx *blueprints.Tx) {
		vs, err := tx.VertexCount()
		es, err2 := tx.EdgeCount()
		if _, ok, err3 := tx.FindVertex(value.Int(1)); vs != 3 || es != 1 || !ok || errors.Join(err, err2, err3) != nil {
			t.Errorf("%d vertices and %d edges after a load that failed at call %d: %v, %v, %v", vs, es, call, err, err2, err3)
		}
	})
	wantSound(t, g)
	return fault.Happened
}
