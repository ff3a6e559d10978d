package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestGraphArchive_Commands: one graph is backed up, restored under another name, exported and
// imported beside the others, which do not change, with a server that runs and without.
func TestGraphArchive_Commands(t *testing.T) {
	dir, files := t.TempDir(), t.TempDir()
	p := serve(t, "--data-dir", dir, writeFile(t, "g.yaml", "graphs:\n  graph: {sample: modern}\n  crew: {sample: crew}\ntraversalSources: {g: graph, gcrew: crew}\n"))
	for _, running := range []string{"while it runs", "alone"} {
		if running == "alone" {
			p.stop(syscall.SIGTERM)
		}
		name := strings.Fields(running)[0]
		file, json := filepath.Join(files, name+".graph"), filepath.Join(files, name+".json")
		for _, row := range []struct {
			args, want string
			code       int
		}{
			{"graph backup graph " + file, "", exitDone},
			{"graph restore acme/" + name + " " + file, "restored acme/" + name, exitDone},
			{"graph restore acme/" + name + " " + file, "graph already exists", exitFailed},
			{"graph restore x " + writeFile(t, "x", "hello"), "not a whole archive of a graph", exitFailed},
			{"graph backup none " + file + "2", "no such graph", exitFailed},
			{"graph stats acme/" + name, "vertices                          6\n", exitDone},
			{"export --graph acme/" + name + " " + json, "", exitDone},
			{"import --graph again/" + name + " " + json, "6 vertices", exitDone},
			{"graph stats again/" + name, "edges                             6\n", exitDone},
			{"check", "", exitDone},
		} {
			out, errs, code := run(t, append(strings.Fields(row.args), "--data-dir", dir)...)
			if code != row.code || !strings.Contains(out+errs, row.want) {
				t.Errorf("%s: %s: %d %s%s", running, row.args, code, out, errs)
			}
		}
		if _, err := os.Stat(file + "2"); err == nil {
			t.Error("a backup that failed left a file")
		}
		if running == "while it runs" {
			p.quotaRows(t, "bytecode", []quotaRow{{"acme/while", "", vertexCount, "6"}, {"gcrew", "", vertexCount, "6"}, {"g", "", vertexCount, "6"}})
		}
	}
}
