//go:build features

package lang

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/artifact"
	"github.com/gremlind/gremlind/storage/value"
)

var (
	usedParameter = regexp.MustCompile(`using the parameter (\w+) defined as "(.*)"`)
	query         = regexp.MustCompile(`(?s)(?:the traversal of|the graph initializer of)\s*"""\n(.*?)\n\s*"""`)
)

// TestParse_Features reads every traversal of TinkerPop's feature files, which it
// fetches: go test -tags features ./traversal/lang.
func TestParse_Features(t *testing.T) {
	dir, err := artifact.Features(t.Context(), filepath.Join("..", "..", "conformance", ".cache"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".feature") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, scenario := range strings.Split(string(text), "Scenario:") {
			n += scenarioParses(t, filepath.Base(path), scenario)
		}
		return err
	})
	if err != nil || n < 2000 {
		t.Errorf("%d traversals read, %v", n, err)
	}
}

func scenarioParses(t *testing.T, file, scenario string) int {
	t.Helper()
	vars := map[string]value.Value{}
	for _, m := range usedParameter.FindAllStringSubmatch(scenario, -1) {
		vars[m[1]] = ofKind(m[2])
	}
	o := Options{Variables: func(name string) (value.Value, bool) { v, ok := vars[name]; return v, ok }}
	all := query.FindAllStringSubmatch(scenario, -1)
	for _, m := range all {
		q, err := Parse(m[1], o)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for i := range q.Statements {
			describe(t, &q.Statements[i], o)
		}
	}
	return len(all)
}

// ofKind makes some value of a parameter's kind: the parser asks no more of it.
func ofKind(notation string) value.Value {
	switch {
	case notation == "null":
		return value.Null
	case strings.HasPrefix(notation, "m["):
		return value.NewMap().Value()
	case strings.HasPrefix(notation, "d["):
		return value.Int(1)
	case strings.HasPrefix(notation, "l["):
		return value.List(nil)
	}
	return value.String("x")
}
