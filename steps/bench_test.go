package steps_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// benchEdges is the size of the benchmark graph; BENCH_EDGES changes it.
const benchEdges = 1_000_000

// benchGraph makes an R-MAT graph (.57/.19/.19/.05) whose vertices have name and age,
// with an index on name, once for all benchmarks.
func benchGraph(b *testing.B) *blueprints.Graph {
	if bench.g != nil {
		return bench.g
	}
	edges := benchEdges
	if s := os.Getenv("BENCH_EDGES"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			b.Fatal(err)
		}
		edges = n
	}
	bench.db = openBench(b)
	o := queryhost.Options
	o.VertexIDs, o.EdgeIDs = ids.Long, ids.Long
	g, err := bench.db.CreateGraph("bench", o)
	if err != nil {
		b.Fatal(err)
	}
	if err := g.CreateKeyIndex(b.Context(), blueprints.VertexClass, "name"); err != nil {
		b.Fatal(err)
	}
	if err := fillBench(b.Context(), g, edges); err != nil {
		b.Fatal(err)
	}
	bench.g = g
	return g
}

var bench struct {
	db *blueprints.Database
	g  *blueprints.Graph
}

const benchBatch = 20_000

func fillBench(ctx context.Context, g *blueprints.Graph, edges int) error {
	scale := 1
	for 1<<scale < edges/8 {
		scale++
	}
	rng := rand.New(rand.NewPCG(42, 42))
	vertices := make([]blueprints.VertexID, 1<<scale)
	err := inBatches(ctx, g, len(vertices), func(tx *blueprints.Tx, i int) error {
		v, err := tx.AddVertex("person", value.Long(int64(i)))
		if err != nil {
			return err
		}
		vertices[i] = v
		if _, err = tx.SetVertexProperty(v, "single", "name", value.String(fmt.Sprintf("p%d", i)), value.Null, nil); err != nil {
			return err
		}
		_, err = tx.SetVertexProperty(v, "single", "age", value.Int(18+rng.Int32N(63)), value.Null, nil)
		return err
	})
	if err != nil {
		return err
	}
	return inBatches(ctx, g, edges, func(tx *blueprints.Tx, _ int) error {
		from, to := rmatEdge(rng, scale)
		_, err := tx.AddEdge("knows", vertices[from], vertices[to], value.Null)
		return err
	})
}

func inBatches(ctx context.Context, g *blueprints.Graph, n int, fn func(tx *blueprints.Tx, i int) error) error {
	for from := 0; from < n; from += benchBatch {
		err := g.Update(ctx, func(tx *blueprints.Tx) error {
			for i := from; i < min(from+benchBatch, n); i++ {
				if err := fn(tx, i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func rmatEdge(rng *rand.Rand, scale int) (from, to int) {
	for range scale {
		from, to = from<<1, to<<1
		switch p := rng.Float64(); {
		case p < .57:
		case p < .76:
			to |= 1
		case p < .95:
			from |= 1
		default:
			from, to = from|1, to|1
		}
	}
	return from, to
}

// BenchmarkQueries measures whole queries in process, from a prepared plan to the last
// result: what the engine costs without wire and parsing. Bars on a quiet machine: path-3
// 28 ms (2.5 measured), 100,000 value maps 50 ms in two allocations each.
func BenchmarkQueries(b *testing.B) {
	for _, q := range []struct{ name, text string }{
		{"id-value", `g.V(77L).values("age")`},
		{"index-value", `g.V().has("name","p77").values("age")`},
		{"index-ten-values", `g.V().has("name",within("p77","p78","p79","p80","p81","p82","p83","p84","p85","p86")).values("age")`},
		{"out-count", `g.V(77L).out().count()`},
		{"out-values", `g.V(77L).out().values("age")`},
		{"2hop-count", `g.V(77L).out().out().count()`},
		{"2hop-dedup-count", `g.V(77L).out().out().dedup().count()`},
		{"3hop-count", `g.V(77L).out().out().out().count()`},
		{"repeat3-count", `g.V(77L).repeat(out()).times(3).count()`},
		{"all-2hop-count", `g.V().out().out().count()`},
		{"all-count", `g.V().count()`},
		{"edges-count", `g.E().count()`},
		{"groupCount-age", `g.V().groupCount().by("age")`},
		{"groupCount-label", `g.V().groupCount().by(label)`},
		{"sum-age", `g.V().hasLabel("person").values("age").sum()`},
		{"order-name-limit", `g.V().order().by("name").limit(10)`},
		{"order-age-limit", `g.V().order().by("age").limit(10)`},
		{"path-within-3", `g.V(77L).repeat(out().simplePath()).until(hasId(5000L).or().loops().is(3)).hasId(5000L).limit(1).path().count(local)`},
		{"has-age", `g.V().has("age",gt(60)).count()`},
		{"path-3", `g.V(77L).repeat(out().simplePath()).until(hasId(5000L)).path().limit(1)`},
		{"value-maps", `g.V().limit(100000).valueMap()`},
		{"match-triangle", `g.V(77L).match(__.as("a").out().as("b"),__.as("b").out().as("c"),__.as("c").out().as("a")).count()`},
		{"limit1", `g.V().out().limit(1)`},
	} {
		b.Run(q.name, func(b *testing.B) { benchQuery(b, benchGraph(b), q.text) })
	}
}

// BenchmarkSamples measures chains of hops, paths and patterns on the sample graphs, for
// which others have published figures.
func BenchmarkSamples(b *testing.B) {
	for _, name := range []string{"grateful", "airroutes"} {
		db := openBench(b)
		g, err := db.CreateGraph(name, queryhost.Options)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := sample.Load(b.Context(), g, name); err != nil {
			b.Fatal(err)
		}
		for _, q := range []struct{ name, text string }{
			{"out-out", `g.V().out().out().count()`},
			{"out-in-out", `g.V().out().in().out().count()`},
			{"both-3", `g.V().both().both().both().count()`},
			{"repeat-4-dedup", `g.V().repeat(__.out()).times(4).dedup().count()`},
			{"labels", `g.V().groupCount().by(label)`},
			{"paths-1000", `g.V().out().out().path().limit(1000)`},
			{"paths-1000-count", `g.V().out().out().path().limit(1000).count()`},
			{"triangles", `g.V().match(__.as("a").out().as("b"), __.as("b").out().as("c"), __.as("c").out().as("a")).count()`},
		} {
			if name != "grateful" && q.name == "triangles" {
				continue
			}
			b.Run(name+"/"+q.name, func(b *testing.B) { benchQuery(b, g, q.text) })
		}
	}
}

// BenchmarkWrites measures whole writing requests in process, from a prepared plan to
// the commit, over a store in memory: what they cost without wire, parsing and disk.
func BenchmarkWrites(b *testing.B) {
	for _, q := range []struct{ name, text string }{
		{"add-vertex", `g.addV("w").property("name","x").property("age",1).count()`},
		{"add-edge", `g.V(77L).addE("w").to(__.V(5000L)).count()`},
		{"set-property", `g.V(77L).property("seen",1).count()`},
		{"set-3-properties", `g.V(77L).property("a",1).property("b",2).property("c",3).count()`},
		{"add-edge-properties", `g.V(77L).addE("w").to(__.V(5000L)).property("since",1).elementMap()`},
		{"merge-edge", `g.V(77L).as("v").V(5000L).coalesce(__.inE("m").where(outV().as("v")),__.addE("m").from("v")).count()`},
		{"100-vertices", `g.inject(1).repeat(__.addV("w")).times(100).count()`},
		{"100-edges", `g.V(77L).repeat(__.addE("w").to(__.V(5000L)).outV()).times(100).count()`},
		{"100-vertices-edges", `g.V(77L).repeat(__.addE("w").to(__.addV("x").property("age",3)).inV()).times(100).count()`},
	} {
		b.Run(q.name, func(b *testing.B) { benchWrite(b, benchGraph(b), q.text) })
	}
}

func benchWrite(b *testing.B, g *blueprints.Graph, text string) {
	query, err := lang.Parse(text, lang.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var plan *traversal.Plan
	write := func() {
		err := g.Update(b.Context(), func(tx *blueprints.Tx) (err error) {
			if plan == nil {
				if plan, err = steps.Prepare(query.Last().Bytecode, tx); err != nil {
					return err
				}
			}
			runOnce(b, plan, tx)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	write() // makes the labels and keys
	b.ReportAllocs()
	runs, cpu := 0, cputime.Own()
	for b.Loop() {
		write()
		runs++
	}
	b.ReportMetric(float64(cputime.Own()-cpu)/float64(runs), "cpu-ns/op")
}

func benchQuery(b *testing.B, g *blueprints.Graph, text string) {
	query, err := lang.Parse(text, lang.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ctx := b.Context()
	tx, err := g.Begin(ctx, blueprints.TxOptions{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer tx.Close()
	plan, err := steps.Prepare(query.Last().Bytecode, tx)
	if err != nil {
		b.Fatal(err)
	}
	results := runOnce(b, plan, tx) // fills the row cache
	b.ReportAllocs()
	runs, cpu := 0, cputime.Own()
	for b.Loop() {
		runOnce(b, plan, tx)
		runs++
	}
	b.ReportMetric(float64(cputime.Own()-cpu)/float64(runs), "cpu-ns/op")
	b.ReportMetric(float64(results), "results")
}

// runOnce runs a plan to its end and returns the number of results.
func runOnce(b *testing.B, plan *traversal.Plan, tx *blueprints.Tx) int {
	run, err := traversal.Open(plan, traversal.Env{Ctx: b.Context(), Registry: steps.Registry(), View: tx, Mutator: tx})
	if err != nil {
		b.Fatal(err)
	}
	var batch traversal.Batch
	results := 0
	for {
		batch.Clear()
		if err := run.Next(&batch, 64); err != nil {
			b.Fatal(err)
		}
		if batch.Len() == 0 {
			return results
		}
		results += batch.Len()
	}
}
