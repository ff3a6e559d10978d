package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/protocol"
	"github.com/gremlind/gremlind/traversal"
)

// request is one of a session.
type request struct {
	language, alias, script, want string
}

func inSession(t *testing.T, e *Engine, requests ...request) {
	t.Helper()
	w := e.Open(protocol.WorkOptions{Session: true, Identity: traversal.Anyone})
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
		request{languageGroovy, "", "t = g.addV('dup').label()", "dup"},
		request{languageGroovy, "", "t.hasNext()", "false"},
		request{languageGroovy, "", "t.iterate()", ""},
		request{languageGroovy, "", "t", ""},
		request{languageGroovy, "", "g.V().hasLabel('dup').count()", "1"},
		request{languageGroovy, "", "u = g.addV('dup'); u.iterate(); u.iterate()", ""},
		request{languageGroovy, "", "g.V().hasLabel('dup').count()", "2"},
	)
}

// TestSession_Aliases: what a request calls g, and what a script makes of it, holds for
// the requests behind it, in both languages.
func TestSession_Aliases(t *testing.T) {
	noSource := "error: No such property: nothing for class: Script1"
	inSession(t, open(t),
		request{languageLang, "", "g.V().count()", "6"},
		request{languageLang, "gtx", "g.V().count()", "0"},
		request{languageLang, "", "g.V().count()", "0"},
		request{languageGroovy, "", "x = 1; g.V().count().next() + x", "1"},
		request{languageGroovy, "", "g = gcrew; g.V().hasLabel('person').count()", "4"},
		request{languageGroovy, "", "g.V().hasLabel('person').count()", "4"},
		request{languageLang, "", "g.V().hasLabel('person').count()", "4"},
		request{languageGroovy, "", "g = gcrew.with('x'); []", ""},
		request{languageGroovy, "", "g.V().hasLabel('person').count()", "4"},
		request{languageGroovy, "g", "g.V().count()", "6"},
		request{languageGroovy, "gtx", "g.V().hasLabel('person').count()", "0"},
		request{languageGroovy, "", "gtx = g; g = modern.traversal(); []", ""},
		request{languageGroovy, "", "g.V().count()", "6"},
		request{languageGroovy, "", "g = 5", "5"},
		request{languageGroovy, "", "g + 1", "6"},
		request{languageGroovy, "", "nothing", noSource},
		request{languageGroovy, "", "noLabels = EdgeLabelVerificationStrategy.build().throwException().create()", "EdgeLabelVerificationStrategy"},
		request{languageGroovy, "", "edgeLabelStrategy = noLabels; null", "null"},
		request{languageGroovy, "", "gcrew.withStrategies(edgeLabelStrategy).V().hasLabel('person').count()", "4"},
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
