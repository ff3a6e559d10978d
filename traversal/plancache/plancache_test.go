package plancache_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/plancache"
	"github.com/gremlind/gremlind/traversal/strategy"
)

var indexes = strategy.IndexedKeys{Vertex: []string{"name", "age"}}

func parse(t testing.TB, text string) *traversal.Bytecode {
	t.Helper()
	q, err := lang.Parse(text, lang.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return q.Last().Bytecode
}

// fresh is what a plan has to be like.
func fresh(t testing.TB, b *traversal.Bytecode) *traversal.Plan {
	t.Helper()
	p, err := traversal.Compile(nil, steps.Registry(), b)
	if err == nil {
		p, err = strategy.Apply(nil, steps.Registry(), p, indexes)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p.Sealed()
}

func plan(t testing.TB, c *plancache.Cache, b *traversal.Bytecode, x strategy.Indexes) (*traversal.Plan, bool) {
	t.Helper()
	q, err := c.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	p, err := q.Plan(x)
	if err != nil {
		t.Fatal(err)
	}
	return p, q.Hit()
}

// Each line is asked with other constants each time. Those marked + come from the
// cache from the third time on; the others never do.
var shapes = []struct {
	cached bool
	format string
	args   [][]any
}{
	{true, `g.V(%d).values("age")`, [][]any{{1}, {2}, {3}, {-4}}},
	{true, `g.V(%q).out("knows").count()`, [][]any{{"a"}, {"b"}, {""}, {"a"}}},
	{true, `g.V(%d, %d).out()`, [][]any{{1, 2}, {2, 1}, {3, 3}, {5, 4}}},
	{true, `g.V().has("name", %q).values("age")`, [][]any{{"x"}, {"y"}, {""}, {"z"}}},
	{true, `g.V().has("age", P.gt(%d)).has("name", %q)`, [][]any{{1, "x"}, {2, "y"}, {3, "x"}, {4, "z"}}},
	{true, `g.V().has("age", P.gt(%d).and(P.lt(%d))).count()`, [][]any{{1, 5}, {5, 1}, {3, 3}, {2, 9}}},
	{true, `g.V().has("age", P.between(%d, %d))`, [][]any{{1, 5}, {5, 1}, {3, 3}, {2, 9}}},
	{true, `g.V().has("name", within(%q, %q, %q)).values("age")`, [][]any{{"a", "b", "c"}, {"c", "c", "a"}, {"a", "a", "a"}, {"d", "e", "f"}}},
	{true, `g.V(%d).out().has("person", "age", %d).values("name")`, [][]any{{1, 2}, {2, 3}, {3, 4}, {5, 6}}},
	{true, `g.V(%d).repeat(__.out().has("name", %q)).times(2).path()`, [][]any{{1, "a"}, {2, "b"}, {3, "c"}, {4, "d"}}},
	{true, `g.V(%d).where(__.out().has("age", %d)).count()`, [][]any{{1, 2}, {2, 3}, {3, 4}, {5, 6}}},
	{true, `g.V(%d).addE("w").to(__.V(%d)).property("weight", %d)`, [][]any{{1, 2, 3}, {2, 1, 3}, {3, 3, 1}, {4, 4, 4}}},
	{true, `g.addV("person").property("name", %q).property("age", %d)`, [][]any{{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}}},
	{true, `g.V(%d).property("seen", %d).count()`, [][]any{{1, 2}, {2, 3}, {3, 4}, {5, 6}}},
	{true, `g.V(%d).property(single, "seen", %q)`, [][]any{{1, "a"}, {2, "b"}, {3, "c"}, {5, "d"}}},
	{true, `g.V().hasLabel("person").has("age", %d).order().by("name").limit(3)`, [][]any{{1}, {2}, {3}, {4}}},
	{true, `g.V().group().by(__.out().has("age", %d).count())`, [][]any{{1}, {2}, {3}, {4}}},
	{false, `g.V().limit(%d)`, [][]any{{1}, {2}, {3}, {4}}},
	{false, `g.V().out().count().is(P.gt(%d))`, [][]any{{0}, {1}, {2}, {3}}},
	{false, `g.inject([%d])`, [][]any{{1}, {1}, {1}, {1}}},
}

func TestCache_GivesWhatCompilingGives(t *testing.T) {
	for _, s := range shapes {
		c := plancache.New(steps.Registry())
		for i, args := range s.args {
			text := fmt.Sprintf(s.format, args...)
			got, hit := plan(t, c, parse(t, text), indexes)
			if want := fresh(t, parse(t, text)); !plancache.SamePlan(got, want) {
				t.Errorf("%s: %v, want %v", text, got, want)
			}
			if want := s.cached && i >= 2; hit != want {
				t.Errorf("%s: cached %v, want %v", text, hit, want)
			}
		}
	}
}

// A plan that was made for other indexes is not used.
func TestCache_IndexesChange(t *testing.T) {
	c := plancache.New(steps.Registry())
	const text = `g.V().has("name", "x")`
	for range 3 {
		plan(t, c, parse(t, text), strategy.IndexedKeys{})
	}
	for i := range 4 {
		got, _ := plan(t, c, parse(t, text), indexes)
		if want := fresh(t, parse(t, text)); !plancache.SamePlan(got, want) {
			t.Fatalf("time %d: %v, want %v", i, got, want)
		}
	}
}

// A plan is for a graph's indexes of vertices and of edges, by keys and declared: where one of them
// differs it is made again, and where all are the same it is not.
func TestCache_MadeForIndexes(t *testing.T) {
	declared := func(class blueprints.ElementClass) strategy.IndexedKeys {
		d := &blueprints.IndexDefinition{Name: "i", Kind: keyindex.Composite, Class: class, Keys: []string{"name"}}
		return strategy.IndexedKeys{Declared: []*blueprints.IndexDefinition{d}}
	}
	const text = `g.V().has("name", "x")`
	cases := []strategy.IndexedKeys{{}, {Vertex: []string{"name"}}, {Vertex: []string{"age"}}, {Vertex: []string{"name", "age"}},
		{Edge: []string{"name"}}, declared(blueprints.VertexClass), declared(blueprints.EdgeClass)}
	for i, made := range cases {
		for k, asked := range cases {
			c := plancache.New(steps.Registry())
			for range 2 {
				plan(t, c, parse(t, text), made)
			}
			if _, hit := plan(t, c, parse(t, text), asked); hit != (i == k) {
				t.Errorf("the plan for %v is taken for %v: %v", made, asked, hit)
			}
		}
	}
}

// Graphs that have indexes of their own take turns with one shape: each finds its plan, as long
// as they are not many.
func TestCache_GraphsTakeTurns(t *testing.T) {
	c := plancache.New(steps.Registry())
	const text = `g.V().has("person", "name", "x").has("age", 3)`
	var graphs []strategy.IndexedKeys
	for i := range 8 {
		name := fmt.Sprint("i", i)
		graphs = append(graphs, strategy.IndexedKeys{Declared: []*blueprints.IndexDefinition{
			{Name: name, Kind: keyindex.Composite, Class: blueprints.VertexClass, Label: "person", Keys: []string{"name", "age"}},
		}})
	}
	for turn := range 12 {
		for i, g := range graphs {
			got, hit := plan(t, c, parse(t, text), g)
			if want := "by composite i" + fmt.Sprint(i); !strings.Contains(got.String(), want) {
				t.Fatalf("turn %d: %v, want %s", turn, got, want)
			}
			if turn > 2 && !hit {
				t.Errorf("turn %d: the plan for graph %d was made again", turn, i)
			}
		}
	}
	many := append(graphs, indexes)
	for range 3 {
		for _, g := range many { // they drive each other out, and get their own plans
			if got, _ := plan(t, c, parse(t, text), g); len(g.Declared) > 0 && !strings.Contains(got.String(), "by composite "+g.Declared[0].Name) {
				t.Errorf("%v, want %s", got, g.Declared[0].Name)
			}
		}
	}
}

// Constants of another kind are another shape.
func TestCache_KindsDiffer(t *testing.T) {
	c := plancache.New(steps.Registry())
	for _, text := range []string{`g.V().has("age", 1)`, `g.V().has("age", 1L)`, `g.V().has("age", "1")`, `g.V().has("age", 1.5)`, `g.V().has("age", null)`} {
		for range 3 {
			got, _ := plan(t, c, parse(t, text), indexes)
			if want := fresh(t, parse(t, text)); !plancache.SamePlan(got, want) {
				t.Errorf("%s: %v, want %v", text, got, want)
			}
		}
	}
}

func TestCache_ManyShapesAndGoroutines(t *testing.T) {
	c := plancache.New(steps.Registry())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 3000 {
				b := parse(t, fmt.Sprintf(`g.V(%d).has("key%d", %d)`, i, i%1300, i))
				got, _ := plan(t, c, b, indexes)
				if i%50 == 0 && !plancache.SamePlan(got, fresh(t, b)) {
					t.Error(got)
				}
			}
		})
	}
	wg.Wait()
	if n := c.Len(); n > 1024 {
		t.Errorf("%d shapes are kept", n)
	}
}

func BenchmarkPlan(b *testing.B) {
	for _, text := range []string{`g.V(1).values("age")`, `g.V().has("name", "x").values("age")`, `g.V(1).out("knows").out("knows").dedup().count()`} {
		code := parse(b, text)
		b.Run("compiled "+text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				fresh(b, code)
			}
		})
		b.Run("cached "+text, func(b *testing.B) {
			b.ReportAllocs()
			c := plancache.New(steps.Registry())
			for b.Loop() {
				plan(b, c, code, indexes)
			}
		})
	}
}

// Who has a form gets what who has the bytecode gets, also when indexes come.
func TestForm_GivesWhatCompilingGives(t *testing.T) {
	for _, s := range shapes {
		c := plancache.New(steps.Registry())
		form, _ := plancache.NewForm(parse(t, fmt.Sprintf(s.format, s.args[0]...)))
		memory := &plancache.Memory{}
		if form == nil {
			continue
		}
		for i, args := range append(s.args, s.args...) {
			var x strategy.Indexes = indexes
			if i >= len(s.args) {
				x = strategy.IndexedKeys{Vertex: []string{"name"}}
			}
			b := parse(t, fmt.Sprintf(s.format, args...))
			other, constants := plancache.NewForm(b)
			if !plancache.SameForm(form, other) {
				continue
			}
			q := plancache.Query{Memory: memory}
			memory.Release()
			if err := q.OpenForm(c, form, constants); err != nil {
				t.Fatal(err)
			}
			if hit := s.cached && i >= 2; q.Hit() != hit {
				t.Errorf("%s, time %d: cached %v, want %v", s.format, i, q.Hit(), hit)
			}
			got, err := q.Plan(x)
			if err != nil {
				t.Fatal(err)
			}
			want, err := traversal.Compile(nil, steps.Registry(), b)
			if err == nil {
				want, err = strategy.Apply(nil, steps.Registry(), want, x)
			}
			if err != nil || !plancache.SamePlan(got, want.Sealed()) {
				t.Errorf("%s, time %d: %v, want %v, %v", s.format, i, got, want, err)
			}
		}
	}
}

// Plans share a memory until it is released.
func TestMemory(t *testing.T) {
	c, memory := plancache.New(steps.Registry()), &plancache.Memory{}
	for range 3 {
		var texts []string
		var plans []*traversal.Plan
		for i := range 20 {
			text := fmt.Sprintf(`g.V(%d, %d).where(__.out().has("age", P.gt(%d))).has("name", %q)`, i, i+1, -i, "x")
			q := plancache.Query{Memory: memory}
			if err := q.Open(c, parse(t, text)); err != nil {
				t.Fatal(err)
			}
			p, err := q.Plan(indexes)
			if err != nil {
				t.Fatal(err)
			}
			texts, plans = append(texts, text), append(plans, p)
		}
		for i, p := range plans {
			if want := fresh(t, parse(t, texts[i])); !plancache.SamePlan(p, want) {
				t.Errorf("%s: %v, want %v", texts[i], p, want)
			}
		}
		memory.Release()
	}
}

// One memory gives plans of all shapes in any order what compiling gives, once and again.
func TestMemory_Again(t *testing.T) {
	c, memory := plancache.New(steps.Registry()), &plancache.Memory{}
	r := rand.New(rand.NewPCG(5, 6))
	s := shapes[0]
	for i := range 600 {
		if r.IntN(3) == 0 {
			s = shapes[r.IntN(len(shapes))]
		}
		for range 1 + r.IntN(8)/7 {
			text := fmt.Sprintf(s.format, s.args[r.IntN(len(s.args))]...)
			q := plancache.Query{Memory: memory}
			if err := q.Open(c, parse(t, text)); err != nil {
				t.Fatal(err)
			}
			p, err := q.Plan(indexes)
			if err != nil {
				t.Fatal(err)
			}
			if want := fresh(t, parse(t, text)); !plancache.SamePlan(p, want) {
				t.Fatalf("%d: %s: %v, want %v", i, text, p, want)
			}
		}
		memory.Release()
	}
}
