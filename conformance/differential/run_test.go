package differential_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/conformance/differential"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/plancache"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// way is one way to run a traversal.
type way struct {
	name  string
	batch int
	plan  func(b *traversal.Bytecode, tx *blueprints.Tx) (*traversal.Plan, error)
}

// ways returns all ways but the usual one.
func ways() []way {
	list := []way{
		{name: "one at a time", batch: 1, plan: usual},
		{name: "three at a time", batch: 3, plan: usual},
		{name: "without optimizations", plan: without(strategy.Invisible()...)},
		{name: "without optimizations, one at a time", batch: 1, plan: without(strategy.Invisible()...)},
		{name: "with a plan made for other constants", plan: cached},
	}
	for _, name := range strategy.Invisible() {
		list = append(list, way{name: "without " + name, plan: without(name)})
	}
	return list
}

func usual(b *traversal.Bytecode, tx *blueprints.Tx) (*traversal.Plan, error) {
	return without()(b, tx)
}

func without(names ...string) func(*traversal.Bytecode, *blueprints.Tx) (*traversal.Plan, error) {
	return func(b *traversal.Bytecode, tx *blueprints.Tx) (*traversal.Plan, error) {
		p, err := traversal.Compile(nil, steps.Registry(), b)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			p.Options.Without[name] = true
		}
		return strategy.Apply(nil, steps.Registry(), p, tx)
	}
}

// cached takes the plan that a cache makes of stand-ins when a shape comes again.
func cached(b *traversal.Bytecode, tx *blueprints.Tx) (p *traversal.Plan, err error) {
	cache := plancache.New(steps.Registry())
	for range 3 {
		q, err := cache.Open(b)
		if err != nil {
			return nil, err
		}
		if p, err = q.Plan(tx); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// outcome is what a traversal gave: how often each result, and what it left of the graph;
// or its error.
type outcome struct {
	results map[string]int64
	failure string
}

func (o outcome) String() string {
	if o.failure != "" {
		return "error: " + o.failure
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(o.results)) {
		parts = append(parts, fmt.Sprintf("%d %s", o.results[k], k))
	}
	return strings.Join(parts, "; ")
}

// traversalMax is how long one traversal may take; those that take longer are left out.
const traversalMax = 2 * time.Second

// run runs a traversal in a transaction that is thrown away.
func run(ctx context.Context, g *blueprints.Graph, b *traversal.Bytecode, w way) (outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, traversalMax)
	defer cancel()
	tx, err := g.Begin(ctx, blueprints.TxOptions{})
	if err != nil {
		return outcome{}, err
	}
	defer tx.Close()
	results, err := evaluate(ctx, tx, b, w)
	if errors.Is(err, traversal.ErrTimeout) {
		return outcome{}, err
	}
	if err != nil {
		return outcome{failure: class(err)}, nil
	}
	return outcome{results: results}, nil
}

func class(err error) string {
	var j interface{ JavaClass() string }
	if errors.As(err, &j) {
		return j.JavaClass()
	}
	return "an error"
}

const resultsMax = 20_000

func evaluate(ctx context.Context, tx *blueprints.Tx, b *traversal.Bytecode, w way) (map[string]int64, error) {
	p, err := w.plan(b, tx)
	if err != nil {
		return nil, err
	}
	r, err := traversal.Open(p, traversal.Env{Ctx: ctx, Registry: steps.Registry(), View: tx, Mutator: tx, BatchMax: w.batch})
	if err != nil {
		return nil, err
	}
	results := map[string]int64{}
	var batch traversal.Batch
	for n := 0; ; n += batch.Len() {
		batch.Clear()
		if err := r.Next(&batch, 64); err != nil {
			return nil, err
		}
		if batch.Len() == 0 {
			return results, leave(r.View, results)
		}
		if n > resultsMax {
			return nil, traversal.ErrTimeout
		}
		for i := range batch.T {
			t := &batch.T[i]
			results[t.Kind().String()+" "+text(t.Value, r.Resolver())] += t.Bulk
		}
	}
}

// text is the text of a result. New elements have ids of their own in each run.
func text(v value.Value, res value.Resolver) string {
	if v.Kind() == value.KindMap || v.Kind() == value.KindList || v.Kind() == value.KindTree || v.Kind() == value.KindBulkSet {
		// Whose order is not defined compares by its parts.
		letters := []byte(idText.ReplaceAllString(v.JavaStringWith(res), "$1"))
		slices.Sort(letters)
		return string(letters)
	}
	return idText.ReplaceAllString(v.JavaStringWith(res), "$1")
}

// idText is how ids of two digits and more, as new elements have them, show in texts.
var idText = regexp.MustCompile(`([ve]\[|id=)\d{2,}`)

// newIDs reports whether a traversal may give the ids of new elements as numbers.
func newIDs(query string) bool {
	return (strings.Contains(query, "add") || strings.Contains(query, "merge")) &&
		(strings.Contains(query, ".id(") || strings.Contains(query, "_.id("))
}

// leave adds what the traversal sees of the graph to the results.
func leave(tx blueprints.View, results map[string]int64) error {
	vs, err := tx.VertexCount()
	if err != nil {
		return err
	}
	es, err := tx.EdgeCount()
	results[fmt.Sprintf("left %d vertices, %d edges", vs, es)]++
	return err
}

func open(t *testing.T) *blueprints.Database {
	store, err := pebble.Open("", pebble.Options{InMemory: true, CacheBytes: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func seed() uint64 {
	n, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	if err != nil {
		return 1
	}
	return n
}

// load makes a graph of a sample, with an index.
func load(t *testing.T, db *blueprints.Database, name, from string) *blueprints.Graph {
	g, err := db.CreateGraph(name, blueprints.Options{VertexIDs: blueprints.IntegerIDs, EdgeIDs: blueprints.IntegerIDs, VertexPropertyIDs: blueprints.LongIDs})
	if err == nil {
		_, err = sample.Load(t.Context(), g, from)
	}
	if err == nil {
		err = g.CreateKeyIndex(t.Context(), blueprints.VertexClass, "name")
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestDifferential runs random traversals in all ways. SEED chooses others.
func TestDifferential(t *testing.T) {
	const traversals = 2000
	db := open(t)
	var graphs []*blueprints.Graph
	for _, name := range []string{"modern", "crew", "sink"} {
		graphs = append(graphs, load(t, db, name, name))
	}
	gen := differential.NewGenerator(seed())
	others := ways()
	compared, unread := 0, 0
	for i := range traversals {
		query := gen.Traversal()
		q, err := lang.Parse(query, lang.Options{})
		if err != nil {
			if unread++; unread < 6 {
				t.Errorf("%s: %v", query, err)
			}
			continue
		}
		g := graphs[i%len(graphs)]
		if g.Name() == "sink" && (strings.Contains(query, "add") || strings.Contains(query, "merge")) {
			g = graphs[0] // where new ids have two digits
		}
		want, err := run(t.Context(), g, q.Last().Bytecode, way{plan: usual})
		if err != nil {
			continue // too large
		}
		if newIDs(query) || strings.Contains(query, "profile(") {
			continue
		}
		compared++
		for _, w := range others {
			got, err := run(t.Context(), g, q.Last().Bytecode, w)
			if err != nil {
				continue
			}
			if got.String() != want.String() {
				t.Errorf("%s: %s\n%s: %.300s\nusually: %.300s", g.Name(), query, w.name, got, want)
				break
			}
		}
	}
	t.Logf("compared %d of %d", compared, traversals)
	if compared < traversals/4 {
		t.Errorf("only %d of %d traversals could be compared", compared, traversals)
	}
}

// exceptions are the steps that no traversal of the generator has, and why.
var exceptions = map[string]string{
	"io": "reaches files, which a test of package steps compares",
}

// TestGeneratorKnowsAllSteps fails when a step was registered that is never generated.
func TestGeneratorKnowsAllSteps(t *testing.T) {
	gen := differential.NewGenerator(1)
	var all strings.Builder
	for range 20_000 {
		all.WriteString(gen.Traversal())
	}
	made := all.String()
	for _, name := range steps.Registry().Names() {
		if _, ok := exceptions[name]; !ok && !strings.Contains(made, "."+name+"(") {
			t.Errorf("the generator makes no %s(): give it a rule in grammar.go", name)
		}
	}
}
