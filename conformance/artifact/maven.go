package artifact

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// TinkerPop is the release whose suites gremlind runs.
const TinkerPop = "3.8.1"

// Coordinates name one artifact of Maven Central. Type is "jar" when empty.
type Coordinates struct{ Group, Name, Version, Type, Classifier string }

// Test is TinkerPop's test artifact: feature files and toy graphs.
var Test = Coordinates{Group: "org.apache.tinkerpop", Name: "gremlin-test", Version: TinkerPop}

// TinkerGraph is the reference graph: its jar holds the air-routes data.
var TinkerGraph = Coordinates{Group: "org.apache.tinkerpop", Name: "tinkergraph-gremlin", Version: TinkerPop}

// file is what Maven calls the artifact in a folder.
func (c Coordinates) file() string {
	name := c.Name + "-" + c.Version
	if c.Classifier != "" {
		name += "-" + c.Classifier
	}
	return name + "." + c.kind()
}

func (c Coordinates) kind() string {
	if c.Type == "" {
		return "jar"
	}
	return c.Type
}

// Jar fetches the artifact alone, without what it depends on, and returns its path in
// cache.
func Jar(ctx context.Context, cache string, c Coordinates) (string, error) {
	cache, err := filepath.Abs(cache)
	if err != nil {
		return "", fmt.Errorf("locate cache: %w", err)
	}
	jar := filepath.Join(cache, "jars", c.file())
	if _, err := os.Stat(jar); err == nil {
		return jar, nil
	}
	dir, err := writePom(cache, c.Name, []Coordinates{c}, false)
	if err != nil {
		return "", err
	}
	return jar, maven(ctx, dir, "dependency:copy-dependencies", "-DoutputDirectory="+filepath.Dir(jar))
}

// ClassPath fetches artifacts with all they depend on and returns the class path.
// name keeps the class paths of different callers apart.
func ClassPath(ctx context.Context, cache, name string, managed []Coordinates, cs ...Coordinates) (string, error) {
	dir, err := writePom(cache, name, cs, true, managed...)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "classpath.txt")
	if _, err := os.Stat(file); err != nil {
		if err := maven(ctx, dir, "dependency:build-classpath", "-Dmdep.outputFile="+file); err != nil {
			return "", err
		}
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read class path: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

func maven(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "mvn", append([]string{"-q", "-B"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run mvn %s in %s: %w\n%s", args[0], dir, err, out)
	}
	return nil
}

// writePom makes a project that depends on cs and returns its folder. managed
// overrides the versions of transitive dependencies.
func writePom(cache, name string, cs []Coordinates, transitive bool, managed ...Coordinates) (string, error) {
	dir, err := filepath.Abs(filepath.Join(cache, "maven", name))
	if err != nil {
		return "", fmt.Errorf("locate cache: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make cache: %w", err)
	}
	var b strings.Builder
	b.WriteString("<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\n" +
		"<groupId>gremlind</groupId><artifactId>conformance</artifactId><version>1</version>\n")
	if len(managed) > 0 {
		b.WriteString("<dependencyManagement><dependencies>\n")
		writeDependencies(&b, managed, true)
		b.WriteString("</dependencies></dependencyManagement>\n")
	}
	b.WriteString("<dependencies>\n")
	writeDependencies(&b, cs, transitive)
	b.WriteString("</dependencies></project>\n")
	file := filepath.Join(dir, "pom.xml")
	if old, err := os.ReadFile(file); err == nil && string(old) != b.String() {
		os.Remove(filepath.Join(dir, "classpath.txt"))
	}
	return dir, os.WriteFile(file, []byte(b.String()), 0o644)
}

func writeDependencies(b *strings.Builder, cs []Coordinates, transitive bool) {
	for _, c := range cs {
		fmt.Fprintf(b, "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>", c.Group, c.Name, c.Version)
		if c.Type != "" || c.Classifier != "" {
			fmt.Fprintf(b, "<type>%s</type><classifier>%s</classifier>", c.kind(), c.Classifier)
		}
		if !transitive {
			b.WriteString("<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>")
		}
		b.WriteString("</dependency>\n")
	}
}
