package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

// described is a service as call('--list') has it.
type described struct {
	Name   string
	Kinds  map[string]any `json:"type:[requirements]:"`
	Params map[string]string
	order  []string // of Params
}

// example is one of testdata/services: "NAME: what the shell says", then the call, and behind
// "// error: ", or "// shell error: " for the shell alone, a part of what the server says of it
// that has nothing it could be about.
type example struct{ service, shell, call, refused, refusedShell string }

// TestServicesPage keeps docs/services.md equal to what the server lists, and to examples, of
// which each service of gremlind's own has one, as a driver has it and from the shell. -rewrite
// writes the page.
func TestServicesPage(t *testing.T) {
	list := listed(t, serve(t))
	all := examplesOf(t)
	for _, s := range list {
		calls := ""
		for _, e := range all {
			if e.service == s.Name {
				calls += e.call + "\n"
			}
		}
		if calls == "" {
			t.Errorf("%s has no example in testdata/services", s.Name)
		}
		for name := range s.Params {
			if everyParam.MatchString(s.Name) && !strings.Contains(calls, name+": ") && !strings.Contains(calls, ".with('"+name+"'") {
				t.Errorf("%s has no example with %s in testdata/services", s.Name, name)
			}
		}
	}
	for _, name := range []string{"index", "schema", "graph feature"} {
		cmd, _, err := newRoot().Find(strings.Fields(name))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cmd.Commands() {
			if !slices.ContainsFunc(all, func(e example) bool { return strings.HasPrefix(e.shell+" ", name+" "+c.Name()+" ") }) {
				t.Errorf("gremlind %s %s is no example in testdata/services", name, c.Name())
			}
		}
	}
	golden.Check(t, "../../docs/services.md", servicesText(t, list, all))
}

// everyParam are the services of indexes, schema and counters: each of their parameters is in an example.
var everyParam = regexp.MustCompile(`^gremlind\.(index\.|schema|increment|counter|text|near|within|feature)`)

// TestServicesPage_Runs runs the examples, one behind the other: as text, as bytecode of Go's
// driver, and from the shell, as they stand.
func TestServicesPage_Runs(t *testing.T) {
	dir, all := t.TempDir(), examplesOf(t)
	for form, do := range map[string]func(p *process, e example) error{
		"text": func(p *process, e example) error {
			code, text := p.post(t, e.call)
			if code != 200 {
				return errors.New(text)
			}
			return nil
		},
		"bytecode": func(p *process, e example) error {
			conn, g := p.connect("g")
			defer conn.Close()
			q, err := lang.Parse(e.call, lang.Options{})
			if err != nil {
				return err
			}
			_, err = sent(t, g, q.Last().Bytecode).ToList()
			return err
		},
		"shell": func(_ *process, e example) error {
			words := shellWord.FindAllString(e.shell, -1)
			for i, w := range words {
				words[i] = strings.Trim(w, `"`)
			}
			out, errs, code := run(t, words...)
			if code != exitDone {
				return errors.New(out + errs)
			}
			return nil
		},
	} {
		t.Run(form, func(t *testing.T) {
			data := filepath.Join(dir, form)
			p := serve(t, "--data-dir", data, "--sample", "modern")
			// What commands find their server by.
			_, port, _ := net.SplitHostPort(p.addr)
			t.Setenv("GREMLIND_PORT", port)
			t.Setenv("GREMLIND_DATADIR", data)
			t.Chdir(t.TempDir())
			if err := os.WriteFile("schema.yaml", []byte("vertex: person\nkeys: {age: {type: Integer, min: 0}}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, e := range all {
				want := e.refused
				if form == "shell" {
					want = e.refusedShell
				}
				if err := do(p, e); (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
					t.Errorf("%s\n%s: %v, want %s", e.call, e.shell, err, want)
				}
			}
		})
	}
}

var shellWord = regexp.MustCompile(`"[^"]*"|\S+`)

// listed asks for gremlind's own services.
func listed(t *testing.T, p *process) (list []described) {
	t.Helper()
	_, text := p.post(t, "g.call('--list', [verbose: true, all: true])")
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		line = strings.TrimPrefix(line, "==>")
		var s described
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if !strings.HasPrefix(s.Name, "gremlind.") {
			continue
		}
		for name := range s.Params {
			s.order = append(s.order, name)
		}
		at := func(name string) int { return strings.Index(line, `"`+name+`":"`+firstWord(s.Params[name])) }
		slices.SortFunc(s.order, func(a, b string) int { return at(a) - at(b) })
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b described) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func firstWord(s string) string { return strings.Fields(s + " ")[0] }

func examplesOf(t *testing.T) (all []example) {
	t.Helper()
	text, err := os.ReadFile("testdata/services")
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(l string) bool { return l == "" || l[0] == '#' })
	for i := 0; i+1 < len(lines); i += 2 {
		name, shell, _ := strings.Cut(lines[i], ": ")
		call, refused, _ := strings.Cut(lines[i+1], " // error: ")
		call, refusedShell, only := strings.Cut(call, " // shell error: ")
		if !only {
			refusedShell = refused
		}
		all = append(all, example{name, shell, call, refused, refusedShell})
	}
	return all
}

func servicesText(t *testing.T, list []described, all []example) string {
	var b strings.Builder
	b.WriteString(`# Services

What ` + "`call()`" + ` reaches of gremlind's own, with its parameters, as ` + "`g.call('--list', [verbose: true, all: true])`" + ` tells them, and an example of
each: by a driver, here Python's (in Go it is ` + "`g.Call(\"gremlind.index.list\")`" + ` with a ` + "`map[interface{}]interface{}`" + `), and by the shell. What they
are for: [indexes](indexes.md), [texts and places](text.md), [schema](schema.md), [counters](counters.md), [time](time.md), [graphs](graphs.md). Parameters may
be given by ` + "`with()`" + `, too. Generated from the registry.
`)
	for _, s := range list {
		fmt.Fprintf(&b, "\n## %s\n", s.Name)
		if _, start := s.Kinds["Start"]; !start {
			b.WriteString("\nStands behind a vertex or an edge.\n")
		}
		if len(s.order) > 0 {
			b.WriteString("\n| parameter | type | |\n|---|---|---|\n")
		}
		for _, name := range s.order {
			typ, doc, typed := strings.Cut(s.Params[name], ": ")
			if !typed {
				t.Errorf("%s: the parameter %s has no type", s.Name, name)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, typ, doc)
		}
		for _, e := range all {
			if e.service == s.Name {
				fmt.Fprintf(&b, "\n```python\n%s\n```\n```sh\ngremlind %s\n```\n", python(t, e.call), e.shell)
			}
		}
	}
	return b.String()
}

// python writes a traversal as the driver of Python has it.
func python(t *testing.T, text string) string {
	q, err := lang.Parse(text, lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := "g"
	for _, s := range q.Last().Bytecode.Steps {
		var args []string
		for _, a := range s.Args {
			args = append(args, pythonValue(t, a))
		}
		name := s.Name
		if name == "with" { // a word of Python's
			name = "with_"
		}
		out += "." + name + "(" + strings.Join(args, ", ") + ")"
	}
	return out
}

func pythonValue(t *testing.T, v value.Value) string {
	var parts []string
	switch v.Kind() {
	case value.KindString:
		return "'" + v.Str() + "'"
	case value.KindBool:
		return map[bool]string{true: "True", false: "False"}[v.Bool()]
	case value.KindInt, value.KindLong, value.KindDouble:
		return v.JavaString()
	case value.KindList:
		for _, x := range v.Elems() {
			parts = append(parts, pythonValue(t, x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case value.KindMap:
		for i := range v.Map().Len() {
			k, x := v.Map().Entry(i)
			parts = append(parts, pythonValue(t, k)+": "+pythonValue(t, x))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	t.Fatalf("%s cannot be written for Python yet", v.Brief())
	return ""
}
