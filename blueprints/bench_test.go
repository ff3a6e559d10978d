package blueprints_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// benchGraph makes n vertices with two properties, each with degree edges to others.
func benchGraph(b *testing.B, n, degree int, cacheBytes int64) (*blueprints.Graph, []blueprints.VertexID) {
	b.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		b.Fatal(err)
	}
	db, err := blueprints.Open(s, blueprints.DatabaseOptions{CacheBytes: cacheBytes})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	g, err := db.CreateGraph("g", blueprints.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var vs []blueprints.VertexID
	update(b, g, func(tx *blueprints.Tx) error {
		vs = vs[:0]
		for i := range n {
			vs = append(vs, addVertex(b, tx, "v", "name", i, "age", i%100))
		}
		return nil
	})
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < n; i += 1000 {
		update(b, g, func(tx *blueprints.Tx) error {
			for _, v := range vs[i:min(i+1000, n)] {
				for range degree {
					if _, err := tx.AddEdge("e", v, vs[r.IntN(n)], value.Null); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return g, vs
}

func readTx(b *testing.B, g *blueprints.Graph) *blueprints.Tx {
	tx, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { tx.Close() })
	return tx
}

// edgeCounter counts the edges that it takes.
type edgeCounter int

func (n *edgeCounter) Take(_ int, e blueprints.Expanded) error {
	*n += edgeCounter(len(e.Edges))
	return nil
}

const benchVertices, benchDegree = 10_000, 14

func BenchmarkHop_Cached(b *testing.B) {
	g, vs := benchGraph(b, benchVertices, benchDegree, 0)
	tx := readTx(b, g)
	n := edgeCounter(0)
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(vs), func(i, j int) { vs[i], vs[j] = vs[j], vs[i] })
	hop := func(i int) {
		at := i % len(vs)
		if err := tx.Expand(vs[at:at+1], blueprints.Expansion{Dir: blueprints.Out}, &n); err != nil {
			b.Fatal(err)
		}
	}
	for i := range vs {
		hop(i)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		hop(i)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchDegree, "ns/edge")
}

func BenchmarkHop_CachedMany(b *testing.B) {
	g, vs := benchGraph(b, benchVertices, benchDegree, 0)
	tx := readTx(b, g)
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(vs), func(i, j int) { vs[i], vs[j] = vs[j], vs[i] })
	n := edgeCounter(0)
	if err := tx.Expand(vs, blueprints.Expansion{Dir: blueprints.Out}, &n); err != nil {
		b.Fatal(err)
	}
	n = 0
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		at := i * 256 % (len(vs) - 256)
		if err := tx.Expand(vs[at:at+256], blueprints.Expansion{Dir: blueprints.Out}, &n); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/edge")
}

func BenchmarkDegree_Cached(b *testing.B) {
	g, vs := benchGraph(b, benchVertices, benchDegree, 0)
	tx := readTx(b, g)
	n, x := edgeCounter(0), blueprints.Expansion{Dir: blueprints.Out, Want: blueprints.WantCount}
	if err := tx.Expand(vs, x, &n); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		at := i % len(vs)
		if err := tx.Expand(vs[at:at+1], x, &n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValue_Cached(b *testing.B) {
	g, vs := benchGraph(b, benchVertices, 1, 0)
	tx := readTx(b, g)
	age, _ := tx.Symbol("age")
	for _, v := range vs {
		tx.VertexValue(v, age)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if _, _, err := tx.VertexValue(vs[i%len(vs)], age); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHop_Cold(b *testing.B) {
	g, vs := benchGraph(b, benchVertices, benchDegree, -1)
	tx := readTx(b, g)
	n := edgeCounter(0)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		at := i * 7 % len(vs)
		if err := tx.Expand(vs[at:at+1], blueprints.Expansion{Dir: blueprints.Out}, &n); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchDegree, "ns/edge")
}

func BenchmarkFindVertex(b *testing.B) {
	g, vs := benchGraph(b, benchVertices, 1, 0)
	tx := readTx(b, g)
	ids := make([]value.Value, len(vs))
	for i, v := range vs {
		ids[i] = must[value.Value](b)(tx.VertexUserID(v))
		tx.FindVertex(ids[i])
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if _, ok, err := tx.FindVertex(ids[i%len(ids)]); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkIndex_Equal(b *testing.B) {
	g, vs := benchGraph(b, benchVertices, 1, 0)
	createKeyIndex(b, g, blueprints.VertexClass, "name")
	tx := readTx(b, g)
	var buf [4]blueprints.VertexID
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		it := tx.LookupVertices("name", eq(i%len(vs)))
		if n := it.Next(buf[:]); n != 1 {
			b.Fatal(n, it.Err())
		}
		it.Close()
	}
}

func BenchmarkIndex_Range(b *testing.B) {
	g, _ := benchGraph(b, benchVertices, 1, 0)
	createKeyIndex(b, g, blueprints.VertexClass, "age")
	tx := readTx(b, g)
	buf := make([]blueprints.VertexID, 256)
	n := 0
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		it := tx.LookupVertices("age", blueprints.ValueRange{Min: value.Int(10), HasMin: true, Max: value.Int(20), HasMax: true, MaxOpen: true})
		for k := it.Next(buf); k > 0; k = it.Next(buf) {
			n += k
		}
		it.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/entry")
}

func BenchmarkIndex_Build(b *testing.B) {
	g, vs := benchGraph(b, benchVertices, 1, 0)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		createKeyIndex(b, g, blueprints.VertexClass, "name")
		b.StopTimer()
		if err := g.DropKeyIndex(ctx, blueprints.VertexClass, "name"); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(vs)), "ns/vertex")
}

func BenchmarkScan_Vertices(b *testing.B) {
	g, _ := benchGraph(b, benchVertices, 1, 0)
	tx := readTx(b, g)
	buf := make([]blueprints.VertexID, 256)
	n := 0
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		it := tx.Vertices()
		for k := it.Next(buf); k > 0; k = it.Next(buf) {
			n += k
		}
		it.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/vertex")
}

// BenchmarkAdd is a transaction of 100 vertices with two properties and an edge each.
func BenchmarkAdd(b *testing.B) {
	g, vs := benchGraph(b, 1000, 1, 0)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		update(b, g, func(tx *blueprints.Tx) error {
			for i := range 100 {
				v := addVertex(b, tx, "v", "name", i, "age", i)
				if _, err := tx.AddEdge("e", vs[i], v, value.Null); err != nil {
					return err
				}
			}
			return nil
		})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/element")
}

// BenchmarkAdd_Schema is a transaction of 100 vertices with five properties, whose keys have
// types, bounds and are required, and of an edge to each; free is the same without rules.
func BenchmarkAdd_Schema(b *testing.B) {
	keys := map[string]any{
		"name": map[string]any{"type": "String", "required": true, "maxLength": 50}, "age": map[string]any{"type": "Integer", "min": 0},
		"mail": map[string]any{"type": "String", "required": true}, "born": "Integer", "score": map[string]any{"type": "Integer", "max": 1000},
	}
	for _, free := range []bool{true, false} {
		b.Run(map[bool]string{true: "free", false: "ruled"}[free], func(b *testing.B) {
			g, vs := benchGraph(b, 1000, 1, 0)
			if !free {
				for _, r := range []map[string]any{
					{"vertex": "person", "id": "Long", "open": false, "keys": keys}, {"edge": "likes", "to": "person", "multiplicity": "MULTI"},
				} {
					if _, err := g.ChangeSchema(ctx, rule(r)); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				update(b, g, func(tx *blueprints.Tx) error {
					for i := range 100 {
						v := addVertex(b, tx, "person", "name", "a name", "age", i, "mail", "a@example", "born", 1990, "score", i)
						if _, err := tx.AddEdge("likes", vs[i], v, value.Null); err != nil {
							return err
						}
					}
					return nil
				})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/element")
		})
	}
}
