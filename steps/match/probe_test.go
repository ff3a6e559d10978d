package match_test

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal/lang"
)

// What is looked up in place of being run is every pattern of a single hop from label to label,
// also within and() and or(), and nothing else.
func TestMatch_Probes(t *testing.T) {
	for patterns, want := range map[string]string{
		`__.as("a").out().as("b")`:                                                     "a->b",
		`__.as("a").out().as("b"), __.as("b").in("x").as("a")`:                         "a->b, b->a",
		`__.as("a").both().as("b"), __.as("b").out().out().as("c")`:                    "a->b",
		`__.as("a").outE().as("b"), __.as("b").inV().as("c")`:                          "",
		`__.as("a").out("x")`:                                                          "",
		`__.as("a").has("age")`:                                                        "",
		`__.as("a").out().as("b"), or(__.as("b").in().as("a"), __.as("a").has("age"))`: "a->b, b->a",
		`or(__.as("a").in().as("b"), __.as("a").out().as("b")), __.as("a").has("age")`: "a->b, a->b",
	} {
		q, err := lang.Parse(`g.V().match(`+patterns+`)`, lang.Options{})
		if err != nil {
			t.Fatal(patterns, err)
		}
		p, err := steps.Prepare(q.Last().Bytecode, nil)
		if err != nil {
			t.Fatal(patterns, err)
		}
		got := ""
		if i := strings.LastIndex(p.String(), "probe=["); i >= 0 { // an and() or or() within says it before
			got, _, _ = strings.Cut(p.String()[i+len("probe=["):], "]")
		}
		if got != want {
			t.Errorf("%s: %q are probed, want %q: %s", patterns, got, want, p)
		}
	}
}
