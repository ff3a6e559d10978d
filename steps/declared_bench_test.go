package steps_test

import (
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/storage/value"
)

// declaredBench loads a graph of people, a hub and its edges with declared indexes.
func declaredBench(b *testing.B, people, degree int, specs ...blueprints.IndexSpec) *blueprints.Graph {
	o := queryhost.Options
	o.VertexIDs, o.EdgeIDs = ids.Long, ids.Long
	db := openBench(b)
	b.Cleanup(func() { db.Close() })
	g, err := db.CreateGraph("declared", o)
	if err != nil {
		b.Fatal(err)
	}
	for _, key := range []string{"city", "age"} {
		if err := g.CreateKeyIndex(b.Context(), blueprints.VertexClass, key); err != nil {
			b.Fatal(err)
		}
	}
	for _, s := range specs {
		if _, err := g.DeclareIndex(b.Context(), b.Context(), s); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := load.Graph(b.Context(), g, load.Options{}, func(to blueprints.RecordSink) error { return pushDeclared(to, people, degree) }); err != nil {
		b.Fatal(err)
	}
	return g
}

// pushDeclared makes people of whom a tenth live in Rome, a tenth is 30 years old and ten are
// both, and edges of vertex 0 of five values.
func pushDeclared(to blueprints.RecordSink, people, degree int) error {
	for i := range people {
		city, age := fmt.Sprint("city ", i%10), 40+i%9
		switch {
		case i%10 == 0:
			city = "Rome"
		case i%10 == 1:
			age = 30
		}
		if i%(people/10) == 0 {
			age = 30
		}
		v := blueprints.VertexRecord{ID: value.Long(int64(i)), Label: "person", Properties: []blueprints.PropertyRecord{
			{Key: "city", Value: value.String(city)}, {Key: "age", Value: value.Int(int32(age))},
		}}
		if err := to.Vertex(&v); err != nil {
			return err
		}
	}
	for i := range degree {
		e := blueprints.EdgeRecord{
			Label: "rated", Out: value.Long(0), In: value.Long(int64(i % people)),
			Properties: []blueprints.PropertyRecord{{Key: "stars", Value: value.Int(int32(i % 5))}, {Key: "rank", Value: value.Int(int32((i * 7919) % degree))}},
		}
		if err := to.Edge(&e); err != nil {
			return err
		}
	}
	return nil
}

var benchStars = []blueprints.IndexSpec{
	{Name: "stars", Class: blueprints.EdgeClass, Label: "rated", Keys: []string{"stars"}, Direction: "OUT"},
	{Name: "rank", Class: blueprints.EdgeClass, Label: "rated", Keys: []string{"rank"}, Direction: "OUT"},
}

// BenchmarkEdgesBy measures ten of the edges of a vertex, whatever its degree. Bar: 50 µs.
func BenchmarkEdgesBy(b *testing.B) {
	for _, degree := range []int{1_000, 1_000_000} {
		g := declaredBench(b, 1000, degree, benchStars...)
		for _, q := range []struct{ name, text string }{
			{"ties-desc", `g.V(0L).outE("rated").order().by("stars",desc).limit(10).inV()`},
			{"ties-asc", `g.V(0L).outE("rated").order().by("stars").limit(10).inV()`},
			{"rank-desc", `g.V(0L).outE("rated").order().by("rank",desc).limit(10).inV()`},
			{"range", `g.V(0L).outE("rated").has("stars",gte(4)).limit(10)`},
			{"few", `g.V(0L).outE("rated").has("rank",lt(10)).count()`},
			{"count", `g.V(0L).outE("rated").has("stars",4).count()`},
		} {
			b.Run(fmt.Sprintf("%s-of-%d", q.name, degree), func(b *testing.B) { benchQuery(b, g, q.text) })
		}
	}
}

// BenchmarkComposite measures ten people of 10^5 in a city and 10^5 of an age, with an index
// of one of the keys, of each, and one of both, and the first by age in a city. Bar: with one
// key index it takes 100 times as long as with that of both, and 3 times as long as with two.
func BenchmarkComposite(b *testing.B) {
	const people = 1_000_000
	text := `g.V().has("person","city","Rome").has("age",30).count()`
	keys := declaredBench(b, people, 0)
	b.Run("two", func(b *testing.B) { benchQuery(b, keys, text) })
	if err := keys.DropKeyIndex(b.Context(), blueprints.VertexClass, "age"); err != nil {
		b.Fatal(err)
	}
	b.Run("one", func(b *testing.B) { benchQuery(b, keys, text) })
	g := declaredBench(b, people, 0, blueprints.IndexSpec{Name: "city_age", Class: blueprints.VertexClass, Label: "person", Keys: []string{"city", "age"}})
	b.Run("both", func(b *testing.B) { benchQuery(b, g, text) })
	b.Run("ordered", func(b *testing.B) {
		benchQuery(b, g, `g.V().has("person","city","Rome").order().by("age",desc).limit(10)`)
	})
}

// BenchmarkEdgeWrites adds an edge with a property that an edge-centric index has, and
// without an index. Bar: 0.85.
func BenchmarkEdgeWrites(b *testing.B) {
	for name, specs := range map[string][]blueprints.IndexSpec{"bare": nil, "indexed": benchStars[:1]} {
		g := declaredBench(b, 1000, 1, specs...)
		b.Run(name, func(b *testing.B) {
			benchWrite(b, g, `g.V(0L).addE("rated").to(__.V(500L)).property("stars",4).count()`)
		})
	}
}
