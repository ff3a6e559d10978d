package graphio_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

const benchVertices, benchEdges = 20_000, 100_000

// emptyGraph is a graph in memory.
func emptyGraph(b *testing.B) *blueprints.Graph {
	b.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		b.Fatal(err)
	}
	db, err := blueprints.Open(s, blueprints.DatabaseOptions{CacheBytes: 32 << 20})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	g, err := db.CreateGraph("g", blueprints.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// benchGraph is a graph of which nothing is in the cache.
func benchGraph(b *testing.B) *blueprints.Graph {
	b.Helper()
	g := emptyGraph(b)
	_, err := load.Graph(context.Background(), g, load.Options{}, func(sink blueprints.RecordSink) error {
		v := blueprints.VertexRecord{Label: "person", Properties: make([]blueprints.PropertyRecord, 2)}
		for i := range benchVertices {
			v.ID = value.Long(int64(i))
			v.Properties[0] = blueprints.PropertyRecord{Key: "name", Value: value.String("name of a vertex")}
			v.Properties[1] = blueprints.PropertyRecord{Key: "age", Value: value.Int(int32(i % 100))}
			if err := sink.Vertex(&v); err != nil {
				return err
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		e := blueprints.EdgeRecord{Label: "knows", Properties: make([]blueprints.PropertyRecord, 1)}
		for i := range benchEdges {
			e.ID, e.Out, e.In = value.Long(int64(i)), value.Long(int64(r.IntN(benchVertices))), value.Long(int64(r.IntN(benchVertices)))
			e.Properties[0] = blueprints.PropertyRecord{Key: "weight", Value: value.Double(float64(i%1000) / 1000)}
			if err := sink.Edge(&e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// write writes the graph as the commands do; CSV has the vertices first.
func write(b *testing.B, g *blueprints.Graph, f graphio.Format, w, edges io.Writer) {
	b.Helper()
	ctx := context.Background()
	err := g.View(ctx, func(tx *blueprints.Tx) error {
		source := graphio.ViewSource(tx)
		if f != graphio.CSV {
			return graphio.Write(ctx, f, w, source)
		}
		if err := graphio.WriteVertexCSV(ctx, w, source); err != nil {
			return err
		}
		return graphio.WriteEdgeCSV(ctx, edges, source)
	})
	if err != nil {
		b.Fatal(err)
	}
}

var formats = []graphio.Format{graphio.CSV, graphio.GraphML, graphio.GraphSON, graphio.Gryo}

func BenchmarkWrite(b *testing.B) {
	g := benchGraph(b)
	for _, f := range formats {
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				write(b, g, f, io.Discard, io.Discard)
			}
			perSecond(b)
		})
	}
}

// none takes records and does nothing.
type none struct{}

func (none) Vertex(*blueprints.VertexRecord) error { return nil }
func (none) Edge(*blueprints.EdgeRecord) error     { return nil }

func BenchmarkRead(b *testing.B) {
	g := benchGraph(b)
	for _, f := range formats {
		var file, edges bytes.Buffer
		write(b, g, f, &file, &edges)
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(file.Len() + edges.Len()))
			for range b.N {
				if err := read(f, none{}, &file, &edges); err != nil {
					b.Fatal(err)
				}
			}
			perSecond(b)
		})
	}
}

// read reads files, of which some may be empty.
func read(f graphio.Format, sink blueprints.RecordSink, files ...*bytes.Buffer) error {
	for _, file := range files {
		if file.Len() == 0 {
			continue
		}
		if err := graphio.ReadRecords(context.Background(), f, bytes.NewReader(file.Bytes()), sink, graphio.Handler{}); err != nil {
			return err
		}
	}
	return nil
}

func perSecond(b *testing.B) {
	b.ReportMetric(float64(b.N)*(benchVertices+benchEdges)/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkLoad is an import into an empty graph: reading, sorting, writing tables. The bar of GraphML
// and GraphSON is half of what CSV does.
func BenchmarkLoad(b *testing.B) {
	g := benchGraph(b)
	for _, f := range formats {
		var file, edges bytes.Buffer
		write(b, g, f, &file, &edges)
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				loadFiles(b, f, &file, &edges)
			}
			perSecond(b)
		})
	}
}

func loadFiles(b *testing.B, f graphio.Format, files ...*bytes.Buffer) {
	b.Helper()
	b.StopTimer()
	g := emptyGraph(b)
	b.StartTimer()
	_, err := load.Graph(context.Background(), g, load.Options{}, func(sink blueprints.RecordSink) error { return read(f, sink, files...) })
	if err != nil {
		b.Fatal(err)
	}
}
