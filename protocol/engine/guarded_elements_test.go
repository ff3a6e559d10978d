package engine

import (
	"testing"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/value"
)

// TestElementsFromOutside_Hidden: an element that a strategy hides shows nothing when a
// client names it.
func TestElementsFromOutside_Hidden(t *testing.T) {
	e := open(t)
	bindings := value.NewMap()
	for k, v := range elements(value.Long) {
		bindings.Put(value.String(k), v)
	}
	const people = "g.withStrategies(new SubgraphStrategy(vertices: hasLabel('person')))."
	for script, want := range map[string]string{
		"inject(w).values('name')":             "",
		"inject(w).valueMap()":                 "{}",
		"inject(w).in().count()":               "0",
		"inject(v).values('name')":             "vadas",
		"V(1).map(constant(w)).values('name')": "",
		"V(1).map(constant(w)).in().count()":   "0",
		"V(1).out().is(v).values('name')":      "vadas",
		"V(1).out().is(w).count()":             "0",
		"V(w).count()":                         "0",
	} {
		if got := auto(t, e, &contract.Query{Script: people + script, Language: languageGroovy, Bindings: bindings}); got != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}
