package strategy_test

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// row is one before => after line of a strategy's doc comment.
type row struct{ file, strategy, with, before, after string }

var nameOf = regexp.MustCompile(`Strategy\{Name: "(\w+)"`)

// tables collects the rows of all strategy files. A line "with Name(settings)" gives
// the settings for the lines below it.
func tables(t *testing.T) []row {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		rows = append(rows, table(t, file)...)
	}
	return rows
}

func table(t *testing.T, file string) []row {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows, pending []row
	with := ""
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if body, ok := strings.CutPrefix(line, "//\t"); ok {
			if before, after, ok := strings.Cut(body, " => "); ok {
				pending = append(pending, row{file: file, with: with, before: strings.TrimSpace(before), after: strings.TrimSpace(after)})
			} else if w, ok := strings.CutPrefix(body, "with "); ok {
				with = strings.TrimSpace(w)
			}
			continue
		}
		if strings.HasPrefix(line, "//") {
			continue
		}
		if m := nameOf.FindStringSubmatch(line); m != nil {
			for _, r := range pending {
				r.strategy = m[1]
				rows = append(rows, r)
			}
		}
		pending, with = nil, ""
	}
	return rows
}

// TestTables runs every line of every strategy's table.
func TestTables(t *testing.T) {
	rows := tables(t)
	if len(rows) < 40 {
		t.Fatalf("found %d lines in the tables of all strategies", len(rows))
	}
	for _, r := range rows {
		t.Run(r.strategy+"/"+r.before, func(t *testing.T) {
			got, err := r.apply(t)
			switch {
			case r.after == "an error":
				if err == nil {
					t.Errorf("%s: %s was accepted as %s", r.file, r.before, got)
				}
			case err != nil:
				t.Errorf("%s: %s: %v", r.file, r.before, err)
			case strings.HasPrefix(r.after, "["):
				if explained(got) != r.after {
					t.Errorf("%s: %s gives\n%s, want\n%s", r.file, r.before, explained(got), r.after)
				}
			default:
				if want := compile(t, r.after, ""); explained(got) != want.String() {
					t.Errorf("%s: %s gives\n%s, want\n%s", r.file, r.before, explained(got), want)
				}
			}
		})
	}
}

// apply compiles the left side and applies the strategy.
func (r row) apply(t *testing.T) (*traversal.Plan, error) {
	return strategy.ApplyOnly(steps.Registry(), compile(t, r.before, r.with), indexes, r.strategy)
}

// explained is the text of a plan as explain() has it.
func explained(p *traversal.Plan) string {
	parts := make([]string, len(p.Nodes))
	for i, n := range p.Nodes {
		parts[i] = n.Explained()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

var indexes = strategy.IndexedKeys{Vertex: []string{"name"}, Declared: []*blueprints.IndexDefinition{
	{Name: "stars", Kind: keyindex.EdgeCentric, Class: blueprints.EdgeClass, Label: "rated", Keys: []string{"stars"}, Direction: "OUT"},
	{Name: "born", Kind: keyindex.Composite, Class: blueprints.VertexClass, Keys: []string{"born"}},
	{Name: "city_age", Kind: keyindex.Composite, Class: blueprints.VertexClass, Label: "person", Keys: []string{"city", "age"}},
	{Name: "email_phone", Kind: keyindex.Composite, Class: blueprints.VertexClass, Keys: []string{"email", "phone"}, Unique: true},
	{Name: "t", Kind: keyindex.Text, Analyzer: keyindex.Trigram, Class: blueprints.VertexClass, Keys: []string{"title"}},
}}

// TestTables_Show: a line that changes nothing stands beside one that changes something,
// so that it shows where the strategy ends.
func TestTables_Show(t *testing.T) {
	rows := tables(t)
	changes := func(i int, of row) bool {
		if i < 0 || i >= len(rows) || rows[i].strategy != of.strategy {
			return false
		}
		p, err := rows[i].apply(t)
		return err != nil || explained(p) != compile(t, rows[i].before, rows[i].with).String()
	}
	for i, r := range rows {
		if !changes(i, r) && !changes(i-1, r) && !changes(i+1, r) {
			t.Errorf("%s: %s changes nothing, and no line beside it does", r.file, r.before)
		}
	}
}

// compile compiles a line of a table: a traversal from a source, or an anonymous one,
// which stands behind V() then.
func compile(t *testing.T, text, with string) *traversal.Plan {
	t.Helper()
	source := "g."
	if with != "" {
		source += "withStrategies(" + with + ")."
	}
	spawn, _, _ := strings.Cut(text, "(")
	if s, ok := steps.Registry().Lookup(spawn); !ok || !s.Start {
		source += "V()."
	}
	q, err := lang.Parse(source+text, lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := traversal.Compile(nil, steps.Registry(), q.Last().Bytecode)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
