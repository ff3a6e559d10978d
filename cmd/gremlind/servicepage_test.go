package main

import (
	"encoding/json"
	"fmt"
	"os"
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
// "// error: " a part of what the server says of it that has nothing it could be about.
type example struct{ service, shell, call, refused string }

// TestServicesPage keeps docs/services.md equal to what the server lists, and to examples, of
// which each service of gremlind's own has one, as a driver has it and from the shell. They
// run, one behind the other. -rewrite writes the page.
func TestServicesPage(t *testing.T) {
	p := serve(t, "--sample", "modern")
	list := listed(t, p)
	all := examplesOf(t)
	for _, e := range all {
		if code, text := p.post(t, e.call); (code != 200) != (e.refused != "") || !strings.Contains(text, e.refused) {
			t.Errorf("%s: %s", e.call, text)
		}
		words := regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(e.shell, -1)
		if cmd, _, err := newRoot().Find(words); err != nil || cmd.HasSubCommands() {
			t.Errorf("gremlind %s: %v", e.shell, err)
		}
	}
	for _, s := range list {
		if !slices.ContainsFunc(all, func(e example) bool { return e.service == s.Name }) {
			t.Errorf("%s has no example in testdata/services", s.Name)
		}
	}
	golden.Check(t, "../../docs/services.md", servicesText(t, list, all))
}

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
		all = append(all, example{name, shell, call, refused})
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
		out += "." + s.Name + "(" + strings.Join(args, ", ") + ")"
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
