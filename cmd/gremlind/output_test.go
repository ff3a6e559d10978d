package main

import (
	"os"
	"strings"
	"testing"
)

// TestOutput_Full: a command that cannot write what it found does not say that all went well.
func TestOutput_Full(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0) // which takes nothing
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--sample", "modern")
	schema := writeFile(t, "schema.yaml", schemaFile)
	of := func(args ...string) {
		t.Helper()
		if errs, code := runInto(t, full, args...); code == exitDone || !strings.Contains(errs, "no space left on device") {
			t.Errorf("%q: exit %d, %q", args, code, errs)
		}
	}
	wantDone(t, "role", "add", "reader", "--allow", "read", "--data-dir", dir)
	if out, code := pipe(t, "a password\n", "user", "add", "ann", "--role", "read", "--data-dir", dir); code != exitDone {
		t.Fatal(out)
	}
	wantDone(t, "index", "create-key", "vertex", "name", "--url", "http://"+p.addr+"/gremlin")
	served := []string{"--data-dir", dir}
	for _, args := range [][]string{
		{"status"}, {"query", "g.V().count()"}, {"query", "--format", "json", "g.V()"}, {"query", "--format", "csv", "g.V().values('name')"},
		{"schema", "apply", schema, "--dry-run"}, {"schema", "apply", schema}, {"schema", "show"}, {"schema", "drop", "vertex", "person", "age"},
		{"graph", "list"}, {"graph", "feature", "list"}, {"check"}, {"set"}, {"config"},
		{"export", "-", "--format", "graphml"}, {"user", "list"}, {"role", "list"},
	} {
		of(append(args, served...)...)
	}
	of("version")
	of("--version")
	of("index", "keys", "--url", "http://"+p.addr+"/gremlin")
	of("health", "--port", portOf(p.addr), "--host", "127.0.0.1")
	p.kill()
	for _, args := range [][]string{{"inspect"}, {"inspect", "--sizes"}, {"du"}, {"compact"}, {"check"}, {"graph", "list"}} {
		of(append(args, served...)...)
	}
}
