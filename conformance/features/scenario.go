package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"
)

// A scenario is one example of a feature file.
type scenario struct {
	file, name string
	line       int
	tags       map[string]bool
	steps      []step
}

// step is one line of a scenario with what hangs below it.
type step struct {
	text string
	doc  string   // the text between triple quotes
	rows []string // the first column of the table, without its heading
	head string   // the heading of that column
}

func (s *scenario) key() string { return fmt.Sprintf("%s\t%d\t%s", s.file, s.line, s.name) }

// readFeatures reads the feature files of a folder whose path contains filter.
func readFeatures(folder, filter string) ([]*scenario, error) {
	var all []*scenario
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".feature") {
			return err
		}
		rel, err := filepath.Rel(folder, path)
		if err != nil {
			return fmt.Errorf("name feature file: %w", err)
		}
		if !strings.Contains(strings.ToLower(rel), strings.ToLower(filter)) {
			return nil
		}
		found, err := readFeature(path, filepath.ToSlash(rel))
		all = append(all, found...)
		return err
	})
	return all, err
}

func readFeature(path, name string) ([]*scenario, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open feature: %w", err)
	}
	defer f.Close()
	ids := 0
	doc, err := gherkin.ParseGherkinDocument(f, func() string { ids++; return strconv.Itoa(ids) })
	if err != nil {
		return nil, fmt.Errorf("read feature %s: %w", name, err)
	}
	var all []*scenario
	for _, c := range doc.Feature.Children {
		if c.Scenario == nil || len(c.Scenario.Examples) > 0 {
			return nil, fmt.Errorf("read feature %s: only plain scenarios are understood", name)
		}
		all = append(all, newScenario(name, doc.Feature.Tags, c.Scenario))
	}
	return all, nil
}

func newScenario(file string, featureTags []*messages.Tag, m *messages.Scenario) *scenario {
	s := &scenario{file: file, name: m.Name, line: int(m.Location.Line), tags: map[string]bool{}}
	for _, t := range append(featureTags[:len(featureTags):len(featureTags)], m.Tags...) {
		s.tags[t.Name] = true
	}
	for _, st := range m.Steps {
		one := step{text: st.Text}
		if st.DocString != nil {
			one.doc = st.DocString.Content
		}
		if st.DataTable != nil {
			one.head = st.DataTable.Rows[0].Cells[0].Value
			for _, r := range st.DataTable.Rows[1:] {
				one.rows = append(one.rows, r.Cells[0].Value)
			}
		}
		s.steps = append(s.steps, one)
	}
	return s
}
