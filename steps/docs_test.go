package steps_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
)

const docsFolder = "../docs/steps"

// TestDocs keeps the reference pages in docs/steps equal to what the registry and the
// scripts say: one page a step, with examples that TestScripts has run. -rewrite
// writes them.
func TestDocs(t *testing.T) {
	examples := scriptExamples(t)
	pages := map[string]string{"README.md": docsIndex()}
	for _, name := range steps.Registry().Names() {
		pages[name+".md"] = docsPage(t, name, examples)
	}
	if rewriting() {
		writePages(t, pages)
	}
	for file, want := range pages {
		got, err := os.ReadFile(filepath.Join(docsFolder, file))
		if err != nil || string(got) != want {
			t.Errorf("docs/steps/%s is not up to date; run go test ./steps -run TestDocs -rewrite", file)
		}
	}
	files, err := filepath.Glob(docsFolder + "/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, ok := pages[filepath.Base(f)]; !ok {
			t.Errorf("%s belongs to no step", f)
		}
	}
}

// rewriting reports whether -rewrite was given; package datadriven owns the flag.
func rewriting() bool {
	f := flag.Lookup("rewrite")
	return f != nil && f.Value.String() == "true"
}

func writePages(t *testing.T, pages map[string]string) {
	if err := os.MkdirAll(docsFolder, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range pages {
		if err := os.WriteFile(filepath.Join(docsFolder, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func docsIndex() string {
	var b strings.Builder
	b.WriteString("# Steps\n\nEvery step, modulator and source of a traversal that gremlind knows. Generated from the registry.\n\n| step | what it does |\n|---|---|\n")
	for _, name := range steps.Registry().Names() {
		s, _ := steps.Registry().Lookup(name)
		fmt.Fprintf(&b, "| [%s](%s.md) | %s |\n", name, name, s.Doc)
	}
	return b.String()
}

var kindNames = map[traversal.StepKind]string{
	traversal.StartStep: "start", traversal.FilterStep: "filter", traversal.MapStep: "map", traversal.FlatMapStep: "flatMap",
	traversal.SideEffectStep: "sideEffect", traversal.BranchStep: "branch", traversal.BarrierStep: "barrier",
	traversal.ReduceStep: "reducing barrier", traversal.ModulatorStep: "modulator", traversal.SourceStep: "source",
}

func docsPage(t *testing.T, name string, examples []example) string {
	s, _ := steps.Registry().Lookup(name)
	if s.Doc == "" {
		t.Errorf("the step %s has no Doc", name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s()\n\n%s\n\n| | |\n|---|---|\n| kind | %s |\n", name, s.Doc, kindNames[s.Kind])
	if s.Start {
		b.WriteString("| may begin a traversal | yes |\n")
	}
	switch {
	case s.MaxBy < 0:
		b.WriteString("| by() | any number |\n")
	case s.MaxBy > 0:
		fmt.Fprintf(&b, "| by() | up to %d |\n", s.MaxBy)
	}
	if len(s.Mods) > 0 {
		fmt.Fprintf(&b, "| other modulators | %s |\n", strings.Join(s.Mods, ", "))
	}
	if s.Effects&traversal.WritesGraph != 0 {
		b.WriteString("| writes to the graph | yes |\n")
	}
	if s.Class != "" {
		fmt.Fprintf(&b, "| in explain() | %s |\n", s.Class)
	}
	writeExamples(&b, name, examples)
	return b.String()
}

const docsExamples = 4 // on one page

func writeExamples(b *strings.Builder, name string, examples []example) {
	calls := regexp.MustCompile(`\b` + name + `\(`)
	predicates := regexp.MustCompile(`P\.\w+`) // P.not() is no not()
	n := 0
	for _, e := range examples {
		if n == docsExamples || !calls.MatchString(predicates.ReplaceAllString(e.query, "P")) {
			continue
		}
		if n++; n == 1 {
			b.WriteString("\n## Examples\n")
		}
		fmt.Fprintf(b, "\nOn the %s graph:\n\n```\n%s\n```\n\n```\n%s\n```\n", e.graph, e.query, strings.TrimRight(e.result, "\n"))
	}
}

// example is one query of a script with its results.
type example struct{ graph, query, result string }

// scriptExamples collects short queries that succeed, without running them.
func scriptExamples(t *testing.T) []example {
	files, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	var out []example
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range strings.Split(string(text), "\n\n") {
			if e, ok := parseExample(block); ok {
				out = append(out, e)
			}
		}
	}
	return out
}

func parseExample(block string) (example, bool) {
	head, result, ok := strings.Cut(block, "\n----\n")
	if !ok || strings.HasPrefix(result, "error:") || strings.Count(result, "\n") > 8 || strings.TrimSpace(result) == "" {
		return example{}, false
	}
	e := example{graph: "modern", result: result}
	for _, line := range strings.Split(head, "\n") {
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "query"):
			for _, arg := range strings.Fields(line) {
				if g, ok := strings.CutPrefix(arg, "graph="); ok {
					e.graph = g
				}
				if arg == "class" {
					return example{}, false // what it shows are errors
				}
			}
		case e.query != "":
			return example{}, false // several queries depend on each other
		default:
			e.query = line
		}
	}
	return e, e.query != "" && e.graph != "null"
}
