//go:build drivers

package drivers

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gremlind/gremlind/conformance/artifact"
)

func TestPython(t *testing.T) {
	need(t, "python3")
	python := installPython(t)
	s := start(t)
	s.drive(nil, python, absolute(t, "testdata/driver.py"), s.url())
}

func TestJavaScript(t *testing.T) {
	need(t, "node", "npm")
	modules := installNode(t)
	s := start(t)
	s.drive([]string{"NODE_PATH=" + modules}, "node", absolute(t, "testdata/driver.js"), s.url())
}

func TestJava(t *testing.T) {
	need(t, "java", "mvn")
	classPath := driverClassPath(t)
	s := start(t)
	s.drive(nil, "java", "-cp", classPath, absolute(t, "testdata/Driver.java"), s.port())
}

// installPython makes a virtual environment with gremlinpython and returns its python.
func installPython(t *testing.T) string {
	t.Helper()
	python := absolute(t, filepath.Join(cache, "python", "bin", "python"))
	if _, err := os.Stat(python); err != nil {
		install(t, ".", "python3", "-m", "venv", filepath.Join(cache, "python"))
	}
	install(t, ".", python, "-m", "pip", "install", "--quiet", "gremlinpython=="+artifact.TinkerPop)
	return python
}

// installNode installs gremlin from npm and returns the folder of its modules.
func installNode(t *testing.T) string {
	t.Helper()
	dir := absolute(t, filepath.Join(cache, "node"))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	install(t, dir, "npm", "install", "--silent", "--no-save", "--prefix", dir, "gremlin@"+artifact.TinkerPop)
	return filepath.Join(dir, "node_modules")
}
