package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// TestOptions_OfFeatures: an option that asks for what the graph does not have is an error
// that names the setting, however it is sent, on a source and behind what writes; any
// other is ignored.
func TestOptions_OfFeatures(t *testing.T) {
	e := open(t)
	const history = "error: graph modern keeps no history (setting: history)"
	const ttl = "error: graph modern has nothing that expires (setting: ttl): the option ttl needs it"
	for text, want := range map[string]string{
		"g.with('asOf', '2000-01-01').V().count()":                      history,
		"g.with('asOf', 5).V(1).values('name').explain()":               history,
		"g.with('evaluationTimeout', 9000).with('asOf', 5).V().count()": history,
		"g.with('ttl', 'PT5M').addV('x')":                               ttl,
		"g.addV('x').with('ttl', 'PT5M')":                               ttl,
		"g.V(1).property('a', 1).with('ttl', 'PT5M')":                   ttl,
		"g.V(1).addE('knows').to(__.V(2)).with('ttl', 'PT5M')":          ttl,
		"g.V(1).where(__.property('a', 1).with('ttl', 'PT5M'))":         ttl,
		"g.with('schema', 3).V().count()":                               "error: graph modern has no schema (call('gremlind.schema', [set: ...]) defines one): the option schema needs it",
		"g.with('x', 3).V().count()":                                    "6",
		"g.V(1).property('a', 1).with('x', 3).count()":                  "1",
		"g.V(1).valueMap().with('ttl').count()":                         "1", // of a step that writes nothing
	} {
		for _, language := range []string{languageLang, languageGroovy} {
			for range 3 { // the third has its plan from the cache
				if got := auto(t, e, query(language, text)); got != want {
					t.Errorf("%s, %s: %s, want %s", language, text, got, want)
				}
			}
		}
	}
	for range 4 {
		code := &traversal.Bytecode{Source: []traversal.Instruction{withOption("asOf", value.Long(5))},
			Steps: []traversal.Instruction{{Name: "V"}, {Name: "count"}}}
		_, err := ask(t, e, &contract.Query{Bytecode: code, Source: "g"})
		var x *blueprints.Exception
		if !errors.As(err, &x) || x.Class != "java.lang.IllegalArgumentException" || !strings.Contains(err.Error(), "setting: history") {
			t.Errorf("as bytecode: %v", err)
		}
	}
	if got := auto(t, e, query(languageLang, "g.V().has('a').count()")); got != "1" {
		t.Errorf("what was refused left something behind: %s", got)
	}
}
