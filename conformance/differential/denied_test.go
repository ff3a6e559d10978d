package differential_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/differential"
	"github.com/gremlind/gremlind/storage/value"
)

// denials are what a role may deny of the sample modern, and of random graphs.
var denials = []blueprints.Denied{
	{Keys: []string{"age"}},
	{Keys: []string{"name", "weight", "secret"}},
	{EdgeLabels: []string{"created"}},
	{VertexLabels: []string{"software"}},
	{Keys: []string{"lang", "age"}, EdgeLabels: []string{"knows"}},
	{Keys: []string{"secret"}, EdgeLabels: []string{"hidden", "created"}, VertexLabels: []string{"secret"}},
	{VertexLabels: []string{"person"}},
	{Keys: []string{"nobody has it"}, EdgeLabels: []string{"nor this"}, VertexLabels: []string{"nor that"}},
}

// What a role denies is not there, whatever steps a traversal has, and whatever indexes
// there are: with it a traversal gives what it gives on a graph from which that was removed.
func TestDeniedIsNotThere(t *testing.T) {
	traversals := raced.Times(raced.Part(1600, 3), 4)
	plain := differential.NewGenerator(seed(), differential.Files)
	indexed := differential.NewGenerator(seed(), differential.Indexed, differential.Indexed, differential.Indexed)
	rng := rand.New(rand.NewPCG(seed(), 11))
	compared, refusals := 0, 0
	others := append([]way{usually}, ways()...)
	for n, d := range denials {
		for kind := range 4 {
			cache := []int64{0, -1}[kind%2]
			seedOf := rng.Uint64()
			full, less := deniedPair(t, open(t, cache), seedOf, kind)
			remove(t, less, d)
			full.deny(d)
			gen := plain
			if kind > 1 {
				gen = indexed
			}
			for i := range traversals / len(denials) / 4 {
				q, err := parse(gen.Traversal())
				if err != nil {
					t.Fatal(err)
				}
				if q.ShowsNewIDs() || strings.Contains(q.Text, "profile(") || kind > 1 && (q.Interferes() || q.ShowsFirst() || q.Picks) {
					continue
				}
				want, err := less.run(t.Context(), q, usually)
				if err != nil {
					continue // too large
				}
				w := others[(i+n)%len(others)]
				if w.uncounted && q.ShowsCount() || w.unfolded && q.Picks {
					w = usually
				}
				got, err := full.run(t.Context(), q, w)
				if err != nil {
					continue
				}
				if got.failure == refusal {
					refusals++ // it writes what is denied
					continue
				}
				if kind > 1 && q.Writes() && got.failure == "java.lang.IllegalArgumentException" {
					continue // a unique index tells that a value is taken
				}
				compared++
				if got.String() != want.String() {
					t.Errorf("denied %+v, graph %d, %s: %s\nwith what is denied: %.600s\nwithout: %.600s", d, kind, w.name, q.Text, got, want)
				}
			}
		}
	}
	t.Logf("compared %d, refused %d of %d", compared, refusals, traversals)
	if compared < traversals/2 || refusals == 0 || refusals > traversals/4 {
		t.Errorf("compared %d, refused %d of %d", compared, refusals, traversals)
	}
}

// deniedPair makes two equal graphs: of the sample modern with more beside it, or random;
// with random indexes or with one.
func deniedPair(t *testing.T, db *blueprints.Database, seed uint64, kind int) (full, less state) {
	var both [2]state
	for i := range both {
		rng := rand.New(rand.NewPCG(seed, 1))
		name := fmt.Sprint(kind, "-", i)
		var s state
		if kind < 2 {
			s = plainly(t, db, name)
			hide(t, s.graph, value.Null, true)
		} else {
			g, err := db.CreateGraph(name, blueprints.Options{VertexIDs: ids.Integer, EdgeIDs: ids.Integer, VertexPropertyIDs: ids.Long, Transactional: true})
			if err == nil {
				s = state{graph: g, old: oldIDs{}}
				err = g.Update(t.Context(), func(tx *blueprints.Tx) error { return fillRandom(tx, rng) })
			}
			if err != nil {
				t.Fatal(err)
			}
			index(t, rng, s.graph)
		}
		if err := s.graph.View(t.Context(), s.old.note); err != nil {
			t.Fatal(err)
		}
		both[i] = s
	}
	return both[0], both[1]
}

// remove takes from a graph what is denied.
func remove(t *testing.T, s state, d blueprints.Denied) {
	list := func(names []string) string { return `"` + strings.Join(names, `","`) + `"` }
	var texts []string
	if len(d.Keys) > 0 {
		texts = append(texts, "g.V().properties("+list(d.Keys)+").drop()", "g.E().properties("+list(d.Keys)+").drop()",
			"g.V().properties().properties("+list(d.Keys)+").drop()")
	}
	if len(d.EdgeLabels) > 0 {
		texts = append(texts, "g.E().hasLabel("+list(d.EdgeLabels)+").drop()")
	}
	if len(d.VertexLabels) > 0 {
		texts = append(texts, "g.V().hasLabel("+list(d.VertexLabels)+").drop()")
	}
	for _, text := range texts {
		q, err := parse(differential.Query{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		s.changes = append(s.changes, q)
	}
	if err := s.graph.Update(t.Context(), func(tx *blueprints.Tx) error { return s.change(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
}
