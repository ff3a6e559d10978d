package load_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// weighing tells how much memory is in use when a load hands its keys over: all of it was
// read and sorted then.
type weighing struct {
	storage.Store
	inUse int64
}

func (w *weighing) Ingest(ctx context.Context, from, to []byte, sources ...storage.KeySource) error {
	w.inUse = heap.InUse()
	return w.Store.Ingest(ctx, from, to, sources...)
}

// TestGraph_Memory loads twice as many edges: what more is in use then are a few bytes for
// each of them, whatever their ids, properties and indexes are, for these go to files.
func TestGraph_Memory(t *testing.T) {
	const vertices, edges = 1000, 80_000
	for i, c := range []struct {
		name              string
		most              int64 // bytes for each edge more
		labels            int
		shuffled, indexed bool
	}{
		{name: "ids that ascend", most: 24, labels: 1},
		{name: "indexed, labels", most: 24, labels: 7, indexed: true},
		{name: "more labels than a byte holds", most: 28, labels: 300},
		{name: "ids in any order", most: 40, labels: 1, shuffled: true},
	} {
		if raced.Skips(i, 4) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			load := func(n int) int64 {
				s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
				if err != nil {
					t.Fatal(err)
				}
				w := &weighing{Store: s}
				db, err := blueprints.Open(w, blueprints.DatabaseOptions{CacheBytes: 1 << 20})
				if err != nil {
					t.Fatal(err)
				}
				defer db.Close()
				g, err := db.CreateGraph("g", blueprints.Options{VertexIDs: ids.Long, EdgeIDs: ids.Long})
				if err == nil && c.indexed {
					err = g.CreateKeyIndex(ctx, blueprints.EdgeClass, "weight")
				}
				if err != nil {
					t.Fatal(err)
				}
				_, err = load.Graph(ctx, g, load.Options{Memory: 64 << 10, Dir: t.TempDir()}, func(sink blueprints.RecordSink) error {
					for i := range vertices {
						if err := sink.Vertex(&blueprints.VertexRecord{ID: value.Long(int64(i)), Label: "v"}); err != nil {
							return err
						}
					}
					r := rand.New(rand.NewPCG(1, 2))
					e := blueprints.EdgeRecord{Properties: make([]blueprints.PropertyRecord, 1)}
					for i := range n {
						e.ID, e.Label = value.Long(int64(i)), fmt.Sprint("l", i%c.labels)
						if c.shuffled {
							e.ID = value.Long(int64(n - i))
						}
						e.Out, e.In = value.Long(r.Int64N(vertices)), value.Long(r.Int64N(vertices))
						e.Properties[0] = blueprints.PropertyRecord{Key: "weight", Value: value.Double(r.Float64())}
						if err := sink.Edge(&e); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				return w.inUse
			}
			load(edges) // what the process takes once
			few := load(edges)
			grown := load(2*edges) - few
			t.Logf("%d bytes more for each edge", grown/edges)
			if grown > c.most*edges {
				t.Errorf("%d bytes more are in use for %d edges more: %d for each, want %d at most", grown, edges, grown/edges, c.most)
			}
		})
	}
}
