//go:build !race

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
)

// TestHostile_Short sends some of what make hostile sends. The race detector would see
// nothing of the server, which is a process of its own.
func TestHostile_Short(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the server")
	}
	attacks := raced.Part(60, 2)
	binary := filepath.Join(t.TempDir(), "gremlind")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", binary, "../../cmd/gremlind").CombinedOutput(); err != nil {
		t.Fatalf("build gremlind: %v\n%s", err, out)
	}
	os.Unsetenv("GOGC") // that of the tests; the server has its own
	var out bytes.Buffer
	findings, err := attackAll(t.Context(), options{binary: binary, root: "../..", seed: 1, attacks: attacks, out: &out, busy: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Errorf("%s (%s): %s", f.attack, f.how, f.what)
	}
	t.Log(out.String())
}
