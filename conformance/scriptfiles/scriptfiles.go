// Package scriptfiles finds the scripts that a package's tests run.
package scriptfiles

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// written are the folders below testdata where tools leave what made a test fail: rapid's
// fail files and the fuzzer's inputs. They are no scripts: a test that took them for some
// would fail because another did.
var written = []string{"rapid", "fuzz"}

// Walk runs fn on every script in folder, as a subtest each.
func Walk(t *testing.T, folder string, fn func(t *testing.T, path string)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if !isScript(name) {
			continue
		}
		t.Run(name[:len(name)-len(filepath.Ext(name))], func(t *testing.T) { datadriven.Walk(t, path, fn) })
	}
}

// isScript reports whether a file or a folder of that name is one of scripts.
func isScript(name string) bool {
	return !slices.Contains(written, name) && name[0] != '.' && name[0] != '#' && name[len(name)-1] != '~'
}
