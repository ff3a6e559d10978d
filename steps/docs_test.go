package steps_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
)

const docsFolder = "../docs/steps"

// TestDocs keeps the reference pages in docs/steps equal to what the registry and
// testdata/guide say: one page and one file a step, with examples that TestScripts has
// run. -rewrite writes the pages.
func TestDocs(t *testing.T) {
	pages := map[string]string{"README.md": docsIndex()}
	for _, name := range steps.Registry().Names() {
		pages[name+".md"] = docsPage(t, name)
	}
	for file, want := range pages {
		golden.Check(t, filepath.Join(docsFolder, file), want)
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

func docsPage(t *testing.T, name string) string {
	s, _ := steps.Registry().Lookup(name)
	if s.Doc == "" {
		t.Errorf("the step %s has no Doc", name)
	}
	var b strings.Builder
	g := readGuide(t, name)
	fmt.Fprintf(&b, "# %s()\n\n%s\n", name, g.purpose)
	g.write(&b)
	fmt.Fprintf(&b, "\n## In short\n\n%s\n\n| | |\n|---|---|\n| kind | %s |\n", s.Doc, kindNames[s.Kind])
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
	return b.String()
}

// guide is what a step's file in testdata/guide teaches: what the step is for, and
// examples, each a comment, a script and its results.
type guide struct {
	purpose  string
	examples []example
}

type example struct{ caption, graph, query, result string }

// examplesMin is how many examples a beginner is shown.
const examplesMin = 3

func readGuide(t *testing.T, name string) guide {
	g := readExamples(t, filepath.Join("testdata", "guide", name))
	if word := regexp.MustCompile(`\b` + name + `\b`); len(g.examples) < examplesMin ||
		!slices.ContainsFunc(g.examples, func(e example) bool { return word.MatchString(e.query) }) {
		t.Errorf("the guide of %s has %d examples; %d are wanted that show it", name, len(g.examples), examplesMin)
	}
	return g
}

// readExamples reads a script that teaches: a comment that heads it, and a comment before each
// query.
func readExamples(t *testing.T, path string) guide {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("what is taught has no file: %v", err)
	}
	blocks := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	g := guide{purpose: strings.TrimPrefix(blocks[0], "# ")}
	for _, block := range blocks[1:] {
		head, result, ok := strings.Cut(block, "----")
		lines := strings.Split(strings.TrimSpace(head), "\n")
		if !ok || len(lines) < 3 || !strings.HasPrefix(lines[0], "# ") {
			t.Fatalf("%s: want a comment, query and a text, not\n%s", path, block)
		}
		e := example{caption: lines[0][2:], graph: "modern", query: strings.Join(lines[2:], "\n"), result: strings.TrimSpace(result)}
		if strings.Contains(lines[1], "graph=empty") {
			e.graph = "empty"
		}
		if strings.Contains(lines[1], "order=count") && e.result != "0" {
			e.result = "(" + e.result + " result" + map[bool]string{true: ")", false: "s)"}[e.result == "1"]
		}
		g.examples = append(g.examples, e)
	}
	return g
}

// recipesMin is how many questions the cookbook answers.
const recipesMin = 40

// TestCookbook keeps docs/cookbook.md equal to testdata/cookbook, whose queries TestScripts has
// run. -rewrite writes the page.
func TestCookbook(t *testing.T) {
	files, err := filepath.Glob("testdata/cookbook/*")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("# Cookbook\n\nQuestions that come up with every graph, and what to type. The texts are what the console, HTTP and every driver " +
		"can send;\nin a language of your own they are the same steps ([steps](steps/README.md)). Generated from queries that the tests run.\n")
	recipes := 0
	for _, file := range files {
		g := readExamples(t, file)
		fmt.Fprintf(&b, "\n## %s\n", g.purpose)
		g.write(&b)
		recipes += len(g.examples)
	}
	golden.Check(t, "../docs/cookbook.md", b.String())
	if recipes < recipesMin {
		t.Errorf("%d recipes, want %d", recipes, recipesMin)
	}
}

func (g guide) write(b *strings.Builder) {
	b.WriteString("\nOn the modern graph (`gremlind serve --sample modern`), one after the other:\n")
	for _, e := range g.examples {
		fmt.Fprintf(b, "\n%s", e.caption)
		if e.graph == "empty" {
			b.WriteString(" (Here on an empty graph.)")
		}
		fmt.Fprintf(b, "\n\n```groovy\n%s\n```\n", e.query)
		if e.result != "" {
			fmt.Fprintf(b, "```text\n%s\n```\n", e.result)
		}
	}
}
