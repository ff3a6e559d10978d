package engine

import (
	"context"
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
	)
}
