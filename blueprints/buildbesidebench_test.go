package blueprints_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage/value"
)

// builtKinds are indexes of every kind, over all of the elements of loadBuilt.
var builtKinds = []blueprints.IndexSpec{
	{Name: "composite", Class: blueprints.VertexClass, Keys: []string{"city", "age"}},
	{Name: "unique", Class: blueprints.VertexClass, Keys: []string{"name"}, Unique: true},
	{Name: "edge-centric", Class: blueprints.EdgeClass, Label: "rated", Keys: []string{"stars"}, Direction: "OUT"},
	{Name: "trigrams", Class: blueprints.VertexClass, Keys: []string{"name"}, Analyzer: "trigram"},
	{Name: "words", Class: blueprints.VertexClass, Keys: []string{"name"}, Analyzer: "words"},
	{Name: "points", Class: blueprints.VertexClass, Keys: []string{"where"}, Analyzer: "geo"},
}

// BenchmarkBuildBeside says how many elements a second builders of indexes go through beside 16
// writers who do half of what they could, and how much longer these take at their 99th percentile
// than beside the index when that is there. The bars: 50,000, and 2 times. The disk is a model.
func BenchmarkBuildBeside(b *testing.B) {
	const n = 200_000
	build := func(name string, create, drop func(g *blueprints.Graph) error) {
		b.Run(name, func(b *testing.B) {
			g := modelledGraph(b)
			loadBuilt(b, g, n)
			b.N = builtParts * n
			if err := create(g); err != nil {
				b.Fatal(err)
			}
			built, took := 0.0, time.Duration(0)
			beside(b, adding(b, g), 4*time.Second, builtParts, func(int) error {
				err := drop(g)
				<-time.After(3 * time.Second) // its entries go meanwhile
				view(b, g, func(tx *blueprints.Tx) {
					built += float64(must[int64](b)(tx.VertexCount())) // as many as edges
				})
				return err
			}, func(int) error {
				begun := time.Now()
				err := create(g)
				took += time.Since(begun)
				return err
			})
			b.ReportMetric(built/took.Seconds(), "elements/s")
		})
	}
	build("key", func(g *blueprints.Graph) error { return g.CreateKeyIndex(ctx, blueprints.VertexClass, "name") },
		func(g *blueprints.Graph) error { return g.DropKeyIndex(ctx, blueprints.VertexClass, "name") })
	for _, s := range builtKinds {
		build(s.Name, func(g *blueprints.Graph) error {
			_, err := g.DeclareIndex(ctx, ctx, s)
			return err
		}, func(g *blueprints.Graph) error { return g.DropIndex(ctx, s.Name) })
	}
}

const builtParts = 2

// loadBuilt loads n vertices with an edge each.
func loadBuilt(b *testing.B, g *blueprints.Graph, n int) {
	_, err := load.Graph(ctx, g, load.Options{}, func(sink blueprints.RecordSink) error {
		for i := range n {
			point := value.List([]value.Value{value.Double(45 + float64(i*7919%n)/float64(n)*9), value.Double(13 * float64(i*31%n) / float64(n))})
			v := blueprints.VertexRecord{ID: value.Long(int64(i)), Label: "person", Properties: []blueprints.PropertyRecord{
				{Key: "name", Value: value.String(fmt.Sprintf("somebody %s %d", []string{"from Rome", "who reads", "at sea"}[i%3], i))},
				{Key: "city", Value: value.String(fmt.Sprintf("city %d", i%1000))}, {Key: "age", Value: value.Int(int32(i % 90))}, {Key: "where", Value: point},
			}}
			if err := sink.Vertex(&v); err != nil {
				return err
			}
		}
		e := blueprints.EdgeRecord{Label: "rated", Properties: []blueprints.PropertyRecord{{Key: "stars"}}}
		for i := range n {
			e.Out, e.In, e.Properties[0].Value = value.Long(int64(i)), value.Long(int64((i*7919+1)%n)), value.Int(int32(i%5))
			if err := sink.Edge(&e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// adding is a write of a vertex and an edge, which every one of the indexes is about.
func adding(b *testing.B, g *blueprints.Graph) func(n int64) error {
	var first blueprints.VertexID
	view(b, g, func(tx *blueprints.Tx) {
		var ok bool
		var err error
		if first, ok, err = tx.FindVertex(value.Long(0)); !ok || err != nil {
			b.Fatal(ok, err)
		}
	})
	return func(n int64) error {
		return g.Update(ctx, func(tx *blueprints.Tx) error {
			v, err := tx.AddVertex("person", value.Null)
			for _, p := range []value.Property{{Key: "name", Value: value.String(fmt.Sprintf("rover %d", n))}, {Key: "city", Value: value.String("city of Rome")}, {Key: "age", Value: value.Int(30)}} {
				if err == nil {
					_, err = tx.SetVertexProperty(v, "single", p.Key, p.Value, value.Null, nil)
				}
			}
			if err != nil {
				return err
			}
			e, err := tx.AddEdge("rated", v, first, value.Null)
			if err == nil {
				err = tx.SetEdgeProperty(e, "stars", value.Int(4))
			}
			return err
		})
	}
}
