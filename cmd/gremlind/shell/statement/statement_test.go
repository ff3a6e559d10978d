package statement

import (
	"reflect"
	"testing"
)

func TestComplete(t *testing.T) {
	for text, want := range map[string]bool{
		"":                         true,
		"g.V()":                    true,
		"g.V(":                     false,
		"g.V().has('name', ":       false,
		"g.V().":                   false,
		"g.V().has('a(b', 'c')":    true,
		`g.V().has("a\"(")`:        true,
		"g.V() // (":               true,
		"g.V() /* (":               false,
		"g.V() /* ( */":            true,
		"'''a":                     false,
		"'''a'b''' + 1":            true,
		"g.V('a":                   false,
		"'a":                       true,
		"def f(x) {\n":             false,
		"def f(x) {\n x + 1\n}":    true,
		"g.V())":                   true,
		"g.inject('日本(')":          true,
		"[a: 1,":                   false,
		"g.V().\n// a remark\n":    false,
		"g.V(1, 2).both().\\":      false,
		"g.V().filter{ it.get() ":  false,
		"g.V().filter{ it.get() }": true,
	} {
		if got := Complete(text); got != want {
			t.Errorf("Complete(%q) = %v", text, got)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Statement
	}{
		{"", nil},
		{" \n ;; \n", nil},
		{"// nothing\n/* at all */", nil},
		{"g.V()", []Statement{{"g.V()", 1}}},
		{"g.V(); g.E()", []Statement{{"g.V()", 1}, {"g.E()", 1}}},
		{"g.V()\n\n  g.E()\n", []Statement{{"g.V()", 1}, {"g.E()", 3}}},
		{"g.V().\n out()\n.in()\n\n // on\n  .both()\ng.E()", []Statement{{"g.V().\n out()\n.in()\n\n // on\n  .both()", 1}, {"g.E()", 7}}},
		{"g.V(\n 1,\n 2)\n", []Statement{{"g.V(\n 1,\n 2)", 1}}},
		{"g.inject(';\n', \"a;b\") // ;\ng.E()", []Statement{{"g.inject(';\n', \"a;b\")", 1}, {"g.E()", 3}}},
		{"if (a) {\n 1\n}\nelse { 2 }\nelsewhere = 3", []Statement{{"if (a) {\n 1\n}\nelse { 2 }", 1}, {"elsewhere = 3", 5}}},
		{"x = '''a\n;b'''\nx", []Statement{{"x = '''a\n;b'''", 1}, {"x", 3}}},
		{"/* ; */ g.V() /* a */ ; g.E()", []Statement{{"g.V()", 1}, {"g.E()", 1}}},
	} {
		if got := Split(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Split(%q)\n got %+v\nwant %+v", c.text, got, c.want)
		}
	}
}

// FuzzSplit asks that no character outside of blanks and comments gets lost, and that
// what is split once stays whole.
func FuzzSplit(f *testing.F) {
	for _, text := range []string{"g.V();g.E()", "a\n.b\nc", "'", "/*", "'''\\'''", "{(['\"", "\\\n;"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		Complete(text)
		for _, s := range Split(text) {
			if s.Text == "" || s.Line < 1 {
				t.Fatalf("an empty statement of %q", text)
			}
		}
	})
}
