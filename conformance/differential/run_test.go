package differential_test

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/differential"
	"github.com/gremlind/gremlind/steps"
)

// comparison counts what a test compared.
type comparison struct {
	t         *testing.T
	f         *family
	q         query
	compared  int
	different bool // this traversal
	anyError  bool // which of several errors comes first is not defined
}

// is compares what one way or state gives with what another gave.
func (c *comparison) is(want outcome, s state, w way, than string) {
	if c.different || w.uncounted && c.q.ShowsCount() || w.unfolded && c.q.Picks {
		return
	}
	got, err := s.run(c.t.Context(), c.q, w)
	if err != nil {
		return // too large
	}
	if c.anyError && got.failure != "" && want.failure != "" {
		return
	}
	if got.String() != want.String() {
		c.different = true
		c.t.Errorf("%s: %s\n%s %s: %.600s\n%s: %.600s", c.f.sample, c.q.Text, s.name, w.name, got, than, want)
	}
}

// TestDifferential runs random traversals in all ways and states. SEED chooses others.
func TestDifferential(t *testing.T) {
	traversals := raced.Times(raced.Part(2000, 3), 4)
	all := families(t)
	gen := differential.NewGenerator(seed(), differential.Files)
	others := ways()
	unread := 0
	c := comparison{t: t}
	for i := range traversals {
		q, err := parse(gen.Traversal())
		if err != nil {
			if unread++; unread < 6 {
				t.Error(err)
			}
			continue
		}
		if q.ShowsNewIDs() || strings.Contains(q.Text, "profile(") {
			continue
		}
		c.f, c.q, c.different = &all[i%len(all)], q, false
		c.traversal(others, i)
	}
	t.Logf("compared %d of %d", c.compared, traversals)
	if c.compared < traversals/4 {
		t.Errorf("only %d of %d traversals could be compared", c.compared, traversals)
	}
}

// traversal compares all ways and states of one, the i-th.
func (c *comparison) traversal(others []way, i int) {
	want, err := c.f.stored.run(c.t.Context(), c.q, usually)
	if err != nil {
		return // too large
	}
	c.compared++
	for _, w := range others {
		c.is(want, c.f.stored, w, "usually")
	}
	for _, s := range c.f.like {
		c.is(want, s, usually, "usually")
	}
	want, err = c.f.changed.run(c.t.Context(), c.q, usually)
	if err != nil {
		return
	}
	s := c.f.alike[i/len(c.f.alike)%len(c.f.alike)]
	c.is(want, s, usually, "with the changes committed")
	c.is(want, s, others[i%len(others)], "with the changes committed")
}

// TestGeneratorKnowsAllSteps fails when a step was registered that is never generated.
func TestGeneratorKnowsAllSteps(t *testing.T) {
	gen := differential.NewGenerator(1, differential.Files)
	var all strings.Builder
	for range 20_000 {
		all.WriteString(gen.Traversal().Text)
	}
	made := all.String()
	for _, name := range steps.Registry().Names() {
		if !strings.Contains(made, "."+name+"(") {
			t.Errorf("the generator makes no %s(): give it a rule in grammar.go", name)
		}
	}
}
