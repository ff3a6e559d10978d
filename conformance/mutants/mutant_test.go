package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// changesOf are the changes of a function body.
func changesOf(t *testing.T, signature, body string) []string {
	t.Helper()
	text := "package p\n\nfunc " + signature + " {\n" + body + "\n}\n"
	ms, err := mutantsOf("p/p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range ms {
		m.source = []byte(text)
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", m.text(), 0); err != nil {
			t.Errorf("%s: %v\n%s", m, err, m.text())
		}
		if string(m.text()) == text {
			t.Errorf("%s changes nothing", m)
		}
		all = append(all, m.what)
	}
	slices.Sort(all)
	return all
}

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		signature, body string
		want            []string
	}{
		{"f(a, b int) bool", "return a < b", []string{"a < b => a <= b", "a < b => a >= b"}},
		{"f(a, b int) bool", "return a == b", []string{"a == b => a != b"}},
		{"f(a, b bool) bool", "return a && b", []string{"a && b => !(a && b)", "a && b => a || b"}},
		{"f(a bool) bool", "return !a", []string{"!a => a"}},
		{"f(a bool) bool", "return true", []string{"true => false"}},
		{"f(a bool) int", "if a { return 2 }\nreturn 0", []string{"0 => 1", "2 => 1", "2 => 3", "a => !(a)", "without the check a"}},
		{"f() (int, error)", "n, err := g()\nreturn n, err", []string{"err => nil", "n => 0"}},
		{"f() error", "if err := g(); err != nil { return err }\nreturn nil",
			[]string{"err != nil => err == nil", "err => nil", "without the check err != nil"}},
		{"f(x *T)", "x.n = x.m\nx.n += x.m", []string{"return at once", "without x.n += x.m", "without x.n = x.m", "x.n += x.m => x.n -= x.m"}},
		{"f() int", "for i := 1; i < n; i++ { g(i) }\nreturn n",
			[]string{"1 => 0", "1 => 2", "i < n => i <= n", "i < n => i >= n", "n => 0", "without g(i)"}},
		{"f() []T", "return g(a, x.b, 'c')", []string{"g(a, x.b) => (x.b, a)", "g(a, x.b, 'c') => nil"}},
		{"f() T", "return max(a+1, b...)", []string{"1 => 0", "1 => 2", "a+1 => a-1", "max => min"}},
		{"f()", "", nil},
		{"f()", "defer g()", []string{"return at once", "without defer g()"}},
		{"f()", "x := func(a int) { g() }", []string{"return at once", "return at once from func(a int)", "without g()"}},
		{"f() T", "return T{1: true, n: 1}", []string{"1 => 0", "1 => 2", "true => false"}},
		// What nobody sees: the room that is made, what is logged, texts.
		{"f() T", `return make([]int, 2, 9)`, []string{"2 => 1", "2 => 3"}},
		{"f() T", `return make(map[int]int, len(x)+9)`, nil},
		{"f() T", `return make([]int, 0, len(x)*2)`, []string{"0 => 1"}},
		{"f() T", `b.Grow(len(x)+1); return b.make()`, nil},
		{"f() T", `return slices.Grow(x, 9)`, nil},
		{"f() T", "logger.Warn(\"x\", 1)\nw.log.Info(\"x\", 1)\nreturn x", nil},
		{"f() string", `return "a"`, nil},
		// Results beside an error, by Go's convention.
		{"f() (int, error)", "if err != nil { return 2, err }\nreturn 1, err", []string{"1 => 0", "1 => 2", "err != nil => err == nil", "err => nil", "err => nil", "without the check err != nil"}},
		{"f() (int, error)", `return 2, fmt.Errorf("x %d", 7)`, []string{"7 => 6", "7 => 8", `fmt.Errorf("x %d", 7) => nil`}},
		// Arguments that may stand in any order.
		{"f() bool", "return bytes.Equal(a, b)", []string{"bytes.Equal(a, b) => !(bytes.Equal(a, b))"}},
		// The second of two that read alike.
		{"f() T", `return g(1) - g(1)`, []string{"1 => 0", "1 => 0 (2)", "1 => 2", "1 => 2 (2)", "g(1) - g(1) => g(1) + g(1)"}},
	} {
		if got := changesOf(t, c.signature, c.body); !slices.Equal(got, c.want) {
			t.Errorf("%s { %s }\n got %q\nwant %q", c.signature, c.body, got, c.want)
		}
	}
}

func TestChange_NamesItsPlace(t *testing.T) {
	text := "package p\n\nconst n = 7\n\nfunc (x *T[K]) f() {\n\tx.g()\n}\n"
	for _, moved := range []string{"", "// more\n\n"} {
		ms, err := mutantsOf("p/p.go", []byte(moved+text))
		if err != nil {
			t.Fatal(err)
		}
		var keys []key
		for _, m := range ms {
			keys = append(keys, m.key())
		}
		want := []key{
			{"p/p.go", "", "const n = 7", "7 => 8"}, {"p/p.go", "", "const n = 7", "7 => 6"},
			{"p/p.go", "T.f", "func (x *T[K]) f() {", "return at once"}, {"p/p.go", "T.f", "x.g()", "without x.g()"},
		}
		if !slices.Equal(keys, want) {
			t.Errorf("got %q", keys)
		}
	}
}

func TestShuffle_DependsOnTheSeedAlone(t *testing.T) {
	order := func(seed uint64) string {
		var all []*mutant
		for i := range 20 {
			all = append(all, &mutant{change: change{what: fmt.Sprint(i)}})
		}
		all = shuffled(all, seed)
		var b strings.Builder
		for _, m := range all {
			b.WriteString(m.what + " ")
		}
		return b.String()
	}
	if order(1) != order(1) || order(1) == order(2) {
		t.Error(order(1), order(1), order(2))
	}
}

func TestEquivalents(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) (*equivalents, error) {
		if err := os.WriteFile(filepath.Join(dir, "list"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return readEquivalents(dir, "list")
	}
	e, err := write("# a comment\n\na.go\tf\tx++\twithout x++\tnobody reads x\na.go\tf\tgone\twithout gone\tx\nb.go\t\t1\t1 => 2\tx\n")
	if err != nil {
		t.Fatal(err)
	}
	listed := &mutant{change: change{file: "a.go", function: "f", line: "x++", what: "without x++"}}
	other := &mutant{change: change{file: "a.go", function: "f", line: "x++", what: "x++ => x--"}}
	if rest := e.without([]*mutant{listed, other}); !slices.Equal(rest, []*mutant{other}) {
		t.Error("left:", rest)
	}
	if gone := e.unmatched(map[string]bool{"a.go": true}); !slices.Equal(gone, []key{{"a.go", "f", "gone", "without gone"}}) {
		t.Error("gone:", gone)
	}
	for _, bad := range []string{"a.go\tf\tx\twithout x", "a.go\tf\tx\twithout x\t ", "a\tb\tc\td\te\na\tb\tc\td\tf"} {
		if _, err := write(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
	if _, err := readEquivalents(dir, "none"); err != nil {
		t.Error(err)
	}
}

// The committed list has its form.
func TestEquivalents_OfTheProject(t *testing.T) {
	e, err := readEquivalents(".", "equivalents.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if len(e.reasons) == 0 {
		t.Error("the list is empty")
	}
}
