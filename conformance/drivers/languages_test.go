//go:build drivers

package drivers

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/artifact"
	"github.com/gremlind/gremlind/conformance/server"
)

// driverVersions are the releases in PyPI and npm that are tried.
var driverVersions = []string{artifact.TinkerPop, artifact.NewestDrivers}

func TestPython(t *testing.T) {
	need(t, "python3")
	for _, version := range driverVersions {
		t.Run(version, func(t *testing.T) {
			python := installPython(t, version)
			s := start(t)
			s.drive(nil, python, absolute(t, "testdata/driver.py"), s.url())
		})
	}
}

// TestServicesPage runs the examples of docs/services.md that are in Python.
func TestServicesPage(t *testing.T) {
	need(t, "python3")
	python := installPython(t, artifact.NewestDrivers)
	s := startWith(t, server.Options{Args: []string{"--sample", "modern"}, NoFiles: true})
	s.drive(nil, python, absolute(t, "testdata/services.py"), s.url(), absolute(t, root+"/docs/services.md"), absolute(t, root+"/cmd/gremlind/testdata/services"))
}

// TestFollow runs the programs of docs/time.md that follow what changes.
func TestFollow(t *testing.T) {
	page := absolute(t, root+"/docs/time.md")
	for name, script := range map[string]string{"python3": "follow.py", "node": "follow.js"} {
		t.Run(name, func(t *testing.T) {
			need(t, name)
			s := start(t)
			s.drive(nil, name, absolute(t, "testdata/"+script), s.url(), page)
		})
	}
}

// TestFollow_Java compiles the program in Java, of which the page has the method alone, and runs it.
func TestFollow_Java(t *testing.T) {
	need(t, "java", "javac")
	dir := t.TempDir()
	file := filepath.Join(dir, "Follow.java")
	_, rest, _ := strings.Cut(read(t, root+"/docs/time.md"), "```java\nstatic void follow(")
	program, _, found := strings.Cut(rest, "\n```")
	frame := read(t, "testdata/Follow.java")
	if !found || !strings.Contains(frame, "// program\n") {
		t.Fatal("the page has no program in Java, or the frame no place for it")
	}
	text := strings.Replace(frame, "// program\n", "static void follow("+program+"\n", 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("javac", "-Xlint:all", "-Werror", "-d", dir, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := start(t)
	s.drive(nil, "java", "-cp", dir, "Follow", s.url())
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestJavaScript(t *testing.T) {
	need(t, "node", "npm")
	for _, version := range driverVersions {
		t.Run(version, func(t *testing.T) {
			modules := installNode(t, version)
			s := start(t)
			s.drive([]string{"NODE_PATH=" + modules}, "node", absolute(t, "testdata/driver.js"), s.url())
		})
	}
}

func TestJava(t *testing.T) {
	need(t, "java", "mvn")
	classPath := driverClassPath(t)
	s := start(t)
	s.drive(nil, "java", "-cp", classPath, absolute(t, "testdata/Driver.java"), s.port())
}

// TestJavaOverHTTP has the driver send each request as one POST, without a session.
func TestJavaOverHTTP(t *testing.T) {
	need(t, "java", "mvn")
	classPath := driverClassPath(t)
	s := start(t)
	s.drive(nil, "java", "-cp", classPath, absolute(t, "testdata/Driver.java"), s.port(), "--http")
}

// installPython makes a virtual environment with gremlinpython and returns its python.
func installPython(t *testing.T, version string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), installLimit)
	defer cancel()
	python, err := artifact.Python(ctx, cache, version)
	if err != nil {
		t.Fatal(err)
	}
	return python
}

// installNode installs gremlin from npm and returns the folder of its modules.
func installNode(t *testing.T, version string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), installLimit)
	defer cancel()
	modules, err := artifact.Node(ctx, cache, version)
	if err != nil {
		t.Fatal(err)
	}
	return modules
}
