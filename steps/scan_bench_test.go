package steps_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Of BenchmarkScan's graph, which is an R-MAT graph as benchGraph's.
const (
	scanScale = 18
	scanEdges = 5 << scanScale
)

// BenchmarkScan measures what goes through all vertices of a graph on disk of which the row
// cache holds nothing, or little and is full. Bar of group: 1.5 million vertices a second.
func BenchmarkScan(b *testing.B) {
	for _, cache := range []struct {
		name  string
		bytes int64
	}{{"none", -1}, {"full", 4 << 20}} {
		g := scanGraph(b, cache.bytes)
		for _, q := range []struct{ name, text string }{
			{"group", `g.V().groupCount().by("age")`},
			{"label", `g.V().groupCount().by(label)`},
			{"values", `g.V().values("age").sum()`},
			{"has", `g.V().has("age",gt(60)).count()`},
			{"edge-values", `g.E().values("w").sum()`},
			{"edge-group", `g.E().groupCount().by("w")`},
			{"edge-has", `g.E().has("w",gt(60)).count()`},
			{"edge-label", `g.E().groupCount().by(label)`},
			{"two", `g.V().has("age",gt(60)).values("name").count()`},
		} {
			b.Run(cache.name+"/"+q.name, func(b *testing.B) {
				benchQuery(b, g, q.text)
				b.ReportMetric(float64(b.N)*float64(int(1)<<scanScale)/b.Elapsed().Seconds(), "vertices/s")
			})
		}
	}
}

// scanGraph loads the graph into a store on disk.
func scanGraph(b *testing.B, cacheBytes int64) *blueprints.Graph {
	store, err := pebble.Open(b.TempDir(), pebble.Options{Layout: table.Layout})
	if err != nil {
		b.Fatal(err)
	}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{CacheBytes: cacheBytes})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	o := queryhost.Options
	o.VertexIDs, o.EdgeIDs = ids.Long, ids.Long
	g, err := db.CreateGraph("scan", o)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := load.Graph(b.Context(), g, load.Options{}, pushScan); err != nil {
		b.Fatal(err)
	}
	return g
}

func pushScan(sink blueprints.RecordSink) error {
	rng := rand.New(rand.NewPCG(42, 42))
	v := blueprints.VertexRecord{Label: "person", Properties: []blueprints.PropertyRecord{{Key: "name"}, {Key: "age"}}}
	for i := range 1 << scanScale {
		v.ID = value.Long(int64(i))
		v.Properties[0].Value = value.String(fmt.Sprintf("p%d", i))
		v.Properties[1].Value = value.Int(18 + rng.Int32N(63))
		if err := sink.Vertex(&v); err != nil {
			return err
		}
	}
	e := blueprints.EdgeRecord{Label: "knows", Properties: []blueprints.PropertyRecord{{Key: "w"}}}
	for range scanEdges {
		from, to := rmatEdge(rng, scanScale)
		e.Out, e.In = value.Long(int64(from)), value.Long(int64(to))
		e.Properties[0].Value = value.Int(int32(from % 100))
		if err := sink.Edge(&e); err != nil {
			return err
		}
	}
	return nil
}
