//go:build drivers

package drivers

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"

	"github.com/gremlind/gremlind/conformance/artifact"
	"github.com/gremlind/gremlind/conformance/server"
)

// TestBook_Python runs the program in Python of docs/book/retries.md; TestBook of
// cmd/gremlind, which follows the page, only looks at it.
func TestBook_Python(t *testing.T) {
	need(t, "python3")
	python := installPython(t, artifact.NewestDrivers)
	page, err := os.ReadFile(root + "/docs/book/retries.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?ms)^```python (retry.py)\n(.*?)^```$").FindSubmatch(page)
	if m == nil {
		t.Fatal("the page has no retry.py")
	}
	file := filepath.Join(t.TempDir(), string(m[1]))
	if err := os.WriteFile(file, m[2], 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := server.Start(t.Context(), server.Options{Root: root, Binary: *binary, DataDir: t.TempDir(), NoFiles: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	client, err := gremlingo.NewClient(s.URL, func(s *gremlingo.ClientSettings) { s.LogVerbosity = gremlingo.Off })
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	set, err := client.Submit("g.addV('account').property(T.id, 'ann').property('points', 30)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.All(); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), python, file, s.URL).Output() // the driver logs each conflict as an error
	if err != nil || !strings.Contains(string(page), "\n$ python3 retry.py ws://localhost:8182/gremlin\n"+string(out)+"```") {
		t.Errorf("%v: the page does not show\n%s", err, out)
	}
}
