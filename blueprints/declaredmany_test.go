package blueprints_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// loadIndexed loads n vertices with an edge each, for indexes that are made of them: some have
// a key several times, or not, and texts of long letters, if any.
func loadIndexed(t testing.TB, g *blueprints.Graph, n, long int) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	_, err := load.Graph(ctx, g, load.Options{}, func(sink blueprints.RecordSink) error {
		for i := range n {
			v := blueprints.VertexRecord{ID: value.Long(int64(i)), Label: []string{"a", "b"}[i/1000%2]}
			v.Properties = append(v.Properties, blueprints.PropertyRecord{Key: "name", Value: value.String(fmt.Sprintf("p%d", i*7919%n))})
			if i%7 > 0 {
				v.Properties = append(v.Properties, blueprints.PropertyRecord{Key: "age", Value: value.Int(r.Int32N(90))})
			}
			if i%11 == 0 {
				v.Properties = append(v.Properties, blueprints.PropertyRecord{Key: "age", Value: value.String("many")})
			}
			if long > 0 {
				text := strings.Repeat("x", r.IntN(long))
				v.Properties = append(v.Properties, blueprints.PropertyRecord{Key: "text", Value: value.String(text)})
			}
			if err := sink.Vertex(&v); err != nil {
				return err
			}
		}
		e := blueprints.EdgeRecord{Label: "e", Properties: []blueprints.PropertyRecord{{Key: "w"}}}
		for i := range n {
			e.Out, e.In = value.Long(int64(i)), value.Long(int64(i*31%n))
			e.Properties[0].Value = value.Int(r.Int32N(1000))
			if err := sink.Edge(&e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDeclareIndex_OfMany makes indexes of elements that are there, also of more than is read
// at once, and compares them with what the elements have.
func TestDeclareIndex_OfMany(t *testing.T) {
	const n = 3000
	g := newGraph(t, blueprints.Options{DefaultCardinality: "list"})
	loadIndexed(t, g, n, 20_000)
	for _, c := range []struct {
		spec blueprints.IndexSpec
		want int64 // entries
	}{
		{blueprints.IndexSpec{Name: "unique", Class: blueprints.VertexClass, Keys: []string{"name"}, Unique: true}, n},
		{blueprints.IndexSpec{Name: "two", Class: blueprints.VertexClass, Keys: []string{"age", "name"}}, 2844},
		{blueprints.IndexSpec{Name: "long", Class: blueprints.VertexClass, Label: "b", Keys: []string{"text", "name"}}, 1000},
		{blueprints.IndexSpec{Name: "edges", Class: blueprints.EdgeClass, Keys: []string{"w"}}, n},
		{blueprints.IndexSpec{Name: "of vertices", Class: blueprints.EdgeClass, Label: "e", Keys: []string{"w"}, Direction: "BOTH"}, 2 * n},
	} {
		declareIndex(t, g, c.spec)
		if rep := sound(t, g, c.spec.Name); rep.Entries != c.want {
			t.Errorf("%s has %d entries, want %d", c.spec.Name, rep.Entries, c.want)
		}
	}
	if _, err := g.DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "age", Class: blueprints.VertexClass, Keys: []string{"age"}, Unique: true}); err == nil {
		t.Error("an index of many equal ages is unique")
	}
}

// TestDeclareIndex_Trips: who makes an index reads elements many at once.
func TestDeclareIndex_Trips(t *testing.T) {
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	store := &storagetest.Counting{Store: s}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{CacheBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	g := must[*blueprints.Graph](t)(db.CreateGraph("g", blueprints.Options{DefaultCardinality: "list"}))
	loadIndexed(t, g, 5000, 0)
	for _, spec := range []blueprints.IndexSpec{
		{Name: "two", Class: blueprints.VertexClass, Keys: []string{"age", "name"}},
		{Name: "edges", Class: blueprints.EdgeClass, Keys: []string{"w"}},
	} {
		store.Reset()
		declareIndex(t, g, spec)
		if r := store.Reads(); r.Trips-r.Pages > 60 {
			t.Errorf("%s of 5000 elements is made in %d trips, %d of them further pages", spec.Name, r.Trips, r.Pages)
		}
	}
}

// BenchmarkBuild makes indexes of 10^5 elements that are there, on disk. The bar is five times
// the rate of a builder that reads one element after the other.
func BenchmarkBuild(b *testing.B) {
	const n = 100_000
	g := diskGraph(b)
	loadIndexed(b, g, n, 0)
	for _, spec := range []blueprints.IndexSpec{
		{Name: "composite", Class: blueprints.VertexClass, Keys: []string{"age", "name"}},
		{Name: "unique", Class: blueprints.VertexClass, Keys: []string{"name"}, Unique: true},
		{Name: "edges", Class: blueprints.EdgeClass, Keys: []string{"w"}},
	} {
		b.Run(spec.Name, func(b *testing.B) {
			for b.Loop() {
				must[blueprints.IndexInfo](b)(g.DeclareIndex(ctx, ctx, spec))
				b.StopTimer()
				if err := g.DropIndex(ctx, spec.Name); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "elements/s")
		})
	}
	for _, c := range []struct {
		class blueprints.ElementClass
		key   string
	}{{blueprints.VertexClass, "name"}, {blueprints.EdgeClass, "w"}} {
		b.Run("key/"+c.key, func(b *testing.B) {
			for b.Loop() {
				createKeyIndex(b, g, c.class, c.key)
				b.StopTimer()
				if err := g.DropKeyIndex(ctx, c.class, c.key); err != nil {
					b.Fatal(err)
				}
				for len(must[[]blueprints.IndexInfo](b)(g.KeyIndexes(c.class))) > 0 { // who makes one waits for that
					<-time.After(time.Millisecond)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "elements/s")
		})
	}
}

// BenchmarkAdd_UniqueAlone is BenchmarkAdd_Unique with a vertex in each transaction, of many
// at once, in memory.
func BenchmarkAdd_UniqueAlone(b *testing.B) {
	for _, unique := range []bool{false, true} {
		b.Run(map[bool]string{true: "unique", false: "key"}[unique], func(b *testing.B) {
			g := newGraph(b, blueprints.Options{})
			if unique {
				must[blueprints.IndexInfo](b)(g.DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "email", Class: blueprints.VertexClass, Label: "person", Keys: []string{"email"}, Unique: true}))
			} else {
				createKeyIndex(b, g, blueprints.VertexClass, "email")
			}
			b.ReportAllocs()
			b.SetParallelism(8)
			var n atomic.Int64
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					tx := must[*blueprints.Tx](b)(g.Begin(ctx, blueprints.TxOptions{}))
					addVertex(b, tx, "person", "email", fmt.Sprintf("somebody %d@example", n.Add(1)*7919%10_000_019))
					if err := tx.Commit(ctx); err != nil {
						b.Error(err)
						return
					}
					tx.Close()
					tx.Recycle()
				}
			})
		})
	}
}

// BenchmarkAdd_Unique adds a vertex with a value of its own in each transaction, under a unique
// index and under a key index. Bar: 0.9.
func BenchmarkAdd_Unique(b *testing.B) {
	for _, unique := range []bool{false, true} {
		b.Run(map[bool]string{true: "unique", false: "key"}[unique], func(b *testing.B) {
			g := diskGraph(b)
			if unique {
				must[blueprints.IndexInfo](b)(g.DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "email", Class: blueprints.VertexClass, Label: "person", Keys: []string{"email"}, Unique: true}))
			} else {
				createKeyIndex(b, g, blueprints.VertexClass, "email")
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				update(b, g, func(tx *blueprints.Tx) error {
					for k := range 100 {
						addVertex(b, tx, "person", "email", fmt.Sprintf("somebody %d@example", i*100+k))
					}
					return nil
				})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/vertex")
		})
	}
}
