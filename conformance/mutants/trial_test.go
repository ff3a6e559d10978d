package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFirst(t *testing.T) {
	for _, c := range []struct {
		name    string
		seconds []float64
		want    int
	}{
		{"all are cheap", []float64{0.1, 0.2, 0.7}, 3},
		{"one is dear", []float64{0.1, 0.2, 5}, 2},
		{"a tenth is more than a second", []float64{1, 2, 3, 94}, 3},
		{"none is cheap", []float64{5, 5}, 1},
		{"one", []float64{5}, 1},
		{"none", nil, 0},
	} {
		var all []test
		for _, s := range c.seconds {
			all = append(all, test{took: time.Duration(s * float64(time.Second))})
		}
		if got := first(all); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// The innermost block counts: a closure that nobody calls, in a function that runs.
func TestRuns(t *testing.T) {
	all, err := blocks([]byte("mode: set\nm/p/a.go:1.10,5.2 3 1\nm/p/a.go:2.10,4.3 1 0\nm/p/b.go:1.1,2.2 1 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := test{reached: all}
	for _, c := range []struct {
		file         string
		line, column int
		want         bool
	}{
		{"a.go", 1, 9, true}, {"a.go", 1, 10, true}, {"a.go", 2, 10, false}, {"a.go", 3, 1, false}, {"a.go", 4, 3, true},
		{"a.go", 9, 1, true}, {"b.go", 1, 5, false}, {"b.go", 2, 2, true}, {"c.go", 1, 1, true},
	} {
		m := &mutant{path: "/m/p/" + c.file}
		m.at.Line, m.at.Column = c.line, c.column
		if got := b.runs(m); got != c.want {
			t.Errorf("%s:%d:%d: %v", c.file, c.line, c.column, got)
		}
	}
	if b.reached = nil; !b.runs(&mutant{}) {
		t.Error("where nothing is known all may run")
	}
	if _, err := blocks([]byte("mode: set\nnonsense:1\n")); err == nil {
		t.Error("nonsense was read")
	}
}

// A module with a function for each outcome is left as it was, and each change ends as it
// must.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.26\n",
		"p/p.go": `package p

func seen(a bool) bool { return !a }

func unseen(a bool) bool { return !a }

func never(a bool) bool { return !a }

const limit = 3

var table = func(_ int, more ...int) bool { return len(more) < limit }

func named[T any](_ T, s []T, keep ...T) (n int, err error) {
	defer func() { n++ }()
	s, err = append(s, keep...), nil
outer:
	for range s {
		for {
			continue outer
		}
	}
	return len(s) + 1, err
}

func rescued() (ok bool) {
	defer rescue(&ok)
	panic(1)
}

func rescue(ok *bool) { *ok = recover() != nil }

func hangs(n *bool) {
	for *n {
		*n = false
	}
}
`,
		"p/p_test.go": `package p

import (
	"os"
	"testing"
)

func TestAll(t *testing.T) {
	if seen(true) {
		t.Error()
	}
	unseen(true)
	if !table(1, 2, 3) || table(1, 2, 3, 4) || !rescued() {
		t.Error()
	}
	if n, err := named(1, []int{1}, 2, 3); n != 5 || err != nil {
		t.Error(n, err)
	}
	n := true
	hangs(&n)
	if err := os.WriteFile(os.TempDir()+"/left", nil, 0o600); err != nil {
		t.Error(err)
	}
}
`,
		"bare/bare.go": "package bare\n\nfunc bare(a bool) bool { return !a }\n",
		"list.tsv":     "p/p.go\thangs\t*n = false\tfalse => true\tfor the test\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	o := options{root: dir, packages: []string{"./..."}, seed: 1, seeds: 1, n: 100, parallel: 1, timeout: 2 * time.Second,
		memory: 16 << 30, least: 80, listed: "list.tsv", out: &out}
	enough, err := run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(` \([0-9.]+m?s.*\)`).ReplaceAllString(out.String(), "")
	for _, want := range []string{
		"killed    p/p.go:3 seen: !a => a",
		"survived  p/p.go:5 unseen: !a => a",
		"unreached p/p.go:7 never: !a => a",
		"unreached bare/bare.go:3 bare: !a => a",
		"killed    p/p.go:9 3 => 4",
		"killed    p/p.go:11 len(more) < limit => len(more) <= limit",
		"killed    p/p.go:22 named: 1 => 2",
		"killed    p/p.go:14 named: return at once from func()",
		"killed    p/p.go:26 rescued: without defer rescue(&ok)",
		"killed    p/p.go:30 rescue: recover() != nil => recover() == nil",
		"timeout   p/p.go:34 hangs: without *n = false",
		"survived  p/p.go:32 hangs: return at once",
	} {
		if !slices.Contains(strings.Split(lines, "\n"), want) {
			t.Errorf("missing: %s", want)
		}
	}
	if strings.Contains(lines, "false => true") {
		t.Error("a change that is listed as equivalent was tried")
	}
	if enough || t.Failed() {
		t.Errorf("enough %v\n%s", enough, out.String())
	}
}
