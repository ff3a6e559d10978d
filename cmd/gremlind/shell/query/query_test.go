package query

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
)

func TestLocated(t *testing.T) {
	for _, c := range []struct{ text, message, want string }{
		{"g.V(", "startup failed:\nScript3.groovy: 1: Unexpected input: '(' @ line 1, column 4.\n   g.V(\n      ^\n\n1 error\n", "Unexpected input: '('\n  g.V(\n     ^"},
		{"a\n日本 b", "no (line 2, column 4)", "no\n  日本 b\n       ^"},
		{"g.V(", "Failed to interpret Gremlin query: 1:5: more is wanted\n  g.V(\n      ^", "more is wanted\n  g.V(\n      ^"},
		{"g.V(1).x", "Query parsing failed at line 1, character position at 7, error message : x", "Query parsing failed at line 1, character position at 7, error message : x\n  g.V(1).x\n         ^"},
		{"g.V(names)\n .has(name)", "No such property: name for class: Script1", "No such property: name for class: Script1\n   .has(name)\n        ^"},
		{"g.V().outt()", "No signature of method: a.b.DefaultGraphTraversal.outt() is applicable", "No signature of method: a.b.DefaultGraphTraversal.outt() is applicable\n  g.V().outt()\n        ^"},
		{"g.V()", "elsewhere (line 9, column 9)", "elsewhere (line 9, column 9)"},
		{"g.V()", "No such property: y for class: Script1", "No such property: y for class: Script1"},
		{"g.V()", "anything", "anything"},
	} {
		if got := Located(c.text, &client.ServerError{Code: 597, Message: c.message}).Error(); got != c.want {
			t.Errorf("%q, %q:\n%s\nwanted\n%s", c.text, c.message, got, c.want)
		}
	}
}

// TestLocated_Within puts the caret under the place in a narrow terminal, too.
func TestLocated_Within(t *testing.T) {
	long := "g.V().has('name', within('marko', 'vadas', 'josh')).valuees('日本語日本語日本語日本語日本語').toList()"
	for _, c := range []struct {
		text        string
		column      int
		width       int
		want, caret string
	}{
		{"g.V().outt()", 7, 40, "g.V().outt()", "outt"},
		{long, 53, 40, "…'vadas', 'josh')).valuees('日本語日…", "valuees"},
		{long, 53, 0, long, "valuees"},
		{long, 1, 20, "g.V().has('name',…", "g.V"},
		{strings.Repeat("語", 40), 20, 20, "…語語語語語語語語…", "語"},
	} {
		e := &LocatedError{Line: 1, Column: c.column, Message: "no", Source: c.text}
		lines := strings.Split(e.Within(c.width), "\n")
		for _, line := range lines {
			if c.width > 0 && render.Width(line) > c.width {
				t.Errorf("%d columns of %d: %s", render.Width(line), c.width, line)
			}
		}
		shown, place := strings.TrimSpace(lines[1]), render.Width(lines[2])-1
		if c.caret != "語" && shown != c.want {
			t.Errorf("%d in %d: %s", c.column, c.width, shown)
		}
		at := 0
		rest := lines[1]
		for at < place && rest != "" {
			_, n := utf8.DecodeRuneInString(rest)
			at += render.Width(rest[:n])
			rest = rest[n:]
		}
		if at != place || !strings.HasPrefix(rest, c.caret) {
			t.Errorf("%d in %d: the caret is at %q\n%s\n%s", c.column, c.width, rest, lines[1], lines[2])
		}
	}
}

func TestBindings(t *testing.T) {
	m, err := Bindings([]string{"a=1", "b=-12345678901", "c=1.5", "d=marko", `e="1"`, "f=true", "g=null", `h={"z":[1],"a":{}}`, "i=123456789012345678901", "j=", "k=a=b"})
	if err != nil {
		t.Fatal(err)
	}
	const want = "{a=1, b=-12345678901, c=1.5, d=marko, e=1, f=true, g=null, h={z=[1], a={}}, i=123456789012345678901, j=, k=a=b}"
	if got := m.Value().JavaString(); got != want {
		t.Errorf("%s", got)
	}
	for _, wrong := range []string{"a", "=1", "a=[1", "a={", `a="`, "a=1 2", "a=1x", `a={"b":` + strings.Repeat("[", 20_000)} {
		if m, err := Bindings([]string{wrong}); err == nil {
			t.Errorf("%.20s: %.100s", wrong, m.Value().JavaString())
		}
	}
}

// TestRun_Nothing: a text without a statement is told of, and no server is asked.
func TestRun_Nothing(t *testing.T) {
	for _, text := range []string{"", " \n", ";;", "// a comment"} {
		if err := Run(t.Context(), nil, text, Options{}, nil); !errors.Is(err, errNothing) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
