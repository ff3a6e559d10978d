package graphio_test

import (
	"context"
	"io"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// TestWrite_StarsFarApart writes vertices with many edges, which lie far from each other and
// from the vertices that they lead to: what is read of them at once is still in memory when it
// is their turn.
func TestWrite_StarsFarApart(t *testing.T) {
	const vertices, edges, hubs = 40_000, 50_000, 256
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	store := &storagetest.Counting{Store: s}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	g, err := db.CreateGraph("g", blueprints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = load.Graph(context.Background(), g, load.Options{}, func(sink blueprints.RecordSink) error {
		for i := range vertices {
			if err := sink.Vertex(&blueprints.VertexRecord{ID: value.Long(int64(i)), Label: "v"}); err != nil {
				return err
			}
		}
		for i := range edges {
			e := blueprints.EdgeRecord{Label: "e", Out: value.Long(int64(i % hubs)), In: value.Long(int64(i * 7919 % vertices))}
			if err := sink.Edge(&e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	store.Reset()
	err = g.View(context.Background(), func(tx *blueprints.Tx) error {
		return graphio.Write(context.Background(), graphio.GraphSON, io.Discard, graphio.ViewSource(tx))
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := store.Reads(); r.Trips-r.Pages > 1000 {
		t.Errorf("%d keys are read in %d trips, %d of them further pages", r.Keys, r.Trips, r.Pages)
	}
}
