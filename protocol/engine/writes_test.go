package engine

import (
	"testing"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/traversal"
)

// TestWrites: the answer to what may have written waits for its commit; what only reads is
// answered at once.
func TestWrites(t *testing.T) {
	e := open(t)
	for text, want := range map[string]bool{
		"g.V().out().count()":                          false,
		"g.V(1).next()":                                false,
		"g.V().group().by(label).next()":               false,
		"g.V().aggregate('x').cap('x')":                false,
		"g.call('tinker.search',[search:'x'])":         false,
		"g.call('gremlind.index.keys')":                false,
		"g.addV('a')":                                  true,
		"g.addV('a').next()":                           true,
		"g.addV('a').iterate()":                        true,
		"g.V(1).property('x',1).toList()":              true,
		"g.V(1).where(__.addV('a'))":                   true,
		"g.V().hasLabel('none').drop()":                true,
		"g.call('gremlind.graph.create',[name:'new'])": true,
	} {
		for _, language := range []string{languageLang, languageGroovy} {
			if got := writes(t, e, query(language, text)); got != want {
				t.Errorf("%s, %s: writes %t", language, text, got)
			}
		}
		code := coded(t, text)
		code.Source = "g"
		if got := writes(t, e, code); got != want {
			t.Errorf("bytecode of %s: writes %t", text, got)
		}
	}
	if !writes(t, e, query(languageGroovy, "1 + 1")) {
		t.Error("nobody knows of a script that it did not write")
	}
}

// writes says what is said of a query, which is not committed.
func writes(t *testing.T, e *Engine, q *contract.Query) bool {
	t.Helper()
	w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
	defer w.Close()
	r, err := w.Run(t.Context(), q)
	if err != nil {
		t.Fatalf("%s: %v", q.Script, err)
	}
	defer r.Close()
	return r.Writes()
}
