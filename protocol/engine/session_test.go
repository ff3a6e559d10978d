package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/traversal"
)

// asked is a request of a session.
type asked struct {
	language, alias, script, want string
}

func inSession(t *testing.T, e *Engine, requests ...asked) {
	t.Helper()
	w := e.Open(contract.WorkOptions{Session: true, Identity: traversal.Anyone})
	defer w.Close()
	for _, r := range requests {
		q := query(r.language, r.script)
		if r.alias != "" {
			q.Aliases = map[string]string{"g": r.alias}
		}
		got, err := results(w, q)
		if err == nil {
			err = w.Commit(context.Background(), false)
		}
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != r.want {
			t.Errorf("%s: %q, want %q", r.script, got, r.want)
		}
	}
}

// TestSession_ReturnedTraversal: what the server took of a traversal is gone for whoever
// has it in a variable.
func TestSession_ReturnedTraversal(t *testing.T) {
	inSession(t, open(t),
		asked{languageGroovy, "", "t = g.addV('dup').label()", "dup"},
		asked{languageGroovy, "", "t.hasNext()", "false"},
		asked{languageGroovy, "", "t.iterate()", ""},
		asked{languageGroovy, "", "t", ""},
		asked{languageGroovy, "", "g.V().hasLabel('dup').count()", "1"},
		asked{languageGroovy, "", "u = g.addV('dup'); u.iterate(); u.iterate()", ""},
		asked{languageGroovy, "", "g.V().hasLabel('dup').count()", "2"},
	)
}

// TestSession_Aliases: what a request calls g, and what a script makes of it, holds for
// the requests behind it, in both languages.
func TestSession_Aliases(t *testing.T) {
	noSource := "error: No such property: nothing for class: Script1"
	inSession(t, open(t),
		asked{languageLang, "", "g.V().count()", "6"},
		asked{languageLang, "gtx", "g.V().count()", "0"},
		asked{languageLang, "", "g.V().count()", "0"},
		asked{languageGroovy, "", "x = 1; g.V().count().next() + x", "1"},
		asked{languageGroovy, "", "g = gcrew; g.V().hasLabel('person').count()", "4"},
		asked{languageGroovy, "", "g.V().hasLabel('person').count()", "4"},
		asked{languageLang, "", "g.V().hasLabel('person').count()", "4"},
		asked{languageGroovy, "", "g = gcrew.with('x'); []", ""},
		asked{languageGroovy, "", "g.V().hasLabel('person').count()", "4"},
		asked{languageGroovy, "g", "g.V().count()", "6"},
		asked{languageGroovy, "gtx", "g.V().hasLabel('person').count()", "0"},
		asked{languageGroovy, "", "gtx = g; g = modern.traversal(); []", ""},
		asked{languageGroovy, "", "g.V().count()", "6"},
		asked{languageGroovy, "", "g = 5", "5"},
		asked{languageGroovy, "", "g + 1", "6"},
		asked{languageGroovy, "", "nothing", noSource},
		asked{languageGroovy, "", "noLabels = EdgeLabelVerificationStrategy.build().throwException().create()", "EdgeLabelVerificationStrategy"},
		asked{languageGroovy, "", "edgeLabelStrategy = noLabels; null", "null"},
		asked{languageGroovy, "", "gcrew.withStrategies(edgeLabelStrategy).V().hasLabel('person').count()", "4"},
	)
}

// TestTexts: what a console is sent of what only has a text.
func TestTexts(t *testing.T) {
	const source = "graphtraversalsource[tinkergraph[vertices:6 edges:6], standard]"
	e := open(t)
	for script, want := range map[string]string{
		"g":                       source,
		"gmodern = g; gmodern":    source,
		"[1: g]":                  "1=" + source,
		"g.getGraph()":            "tinkergraph[vertices:6 edges:6]",
		"x = 1; modern":           "tinkergraph[vertices:6 edges:6]",
		"x = g.withComputer(); x": "graphtraversalsource[tinkergraph[vertices:6 edges:6], graphcomputer]",
		"x = Optional.of(1)":      "Optional[1]",
		"g.V().explain().toString().length() > 9":                    "true",
		"g.V().explain().prettyPrint().split('\\n')[0]":              "Traversal Explanation",
		"g.V().profile().next().toString().split('\\n')[0]":          "Traversal Metrics",
		"g.V().explain().prettyPrint(9)":                             "error: The maximum line length is too small to present the TraversalExplanation: 9",
		"g.inject(1).tryNext()":                                      "Optional[1]",
		"g.V(99).tryNext()":                                          "Optional.empty",
		"x = 1; g.inject(1).tryNext()":                               "Optional[1]",
		"x = { it }":                                                 "Script1$_run_closure1@b64d1cb7",
		"g.V().toString()":                                           "[GraphStep(vertex,[])]",
		"g.V().has('age').iterate().toString()":                      "[GraphStep(vertex,[]), TraversalFilterStep([PropertiesStep([age],value)]), DiscardStep]",
		"t = g.V(); t.iterate(); t.toString()":                       "[GraphStep(vertex,[]), DiscardStep]",
		"t = g.V(1).out(); t.next(); t.toString()":                   "[GraphStep(vertex,[1]), VertexStep(OUT,vertex)]",
		"g.V().explain().toString().startsWith('Traversal Explana')": "true",
	} {
		if got := auto(t, e, query(languageGroovy, script)); got != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
	if got := auto(t, e, query(languageLang, "g.V().explain().toString()")); !strings.HasPrefix(got, "Traversal Explanation\n") {
		t.Errorf("explain().toString(): %q", got)
	}
	if got := auto(t, e, query(languageLang, "g.V().profile()")); !strings.HasPrefix(got, "Traversal Metrics\n") {
		t.Errorf("profile(): %q", got)
	}
}
