//go:build drivers

package drivers

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/artifact"
)

// The newest console that Maven Central has; with the newest driver it is the console
// that TinkerPop's own download holds.
var console = artifact.Coordinates{Group: "org.apache.tinkerpop", Name: "gremlin-console", Version: "3.7.3"}

func TestConsole(t *testing.T) {
	need(t, "java", "mvn")
	s := start(t)
	for _, version := range consoleVersions {
		t.Run(version, func(t *testing.T) { s.console(t, version) })
	}
}

var consoleVersions = []string{console.Version, artifact.TinkerPop}

// consoleClassPath is that of the console with the driver of a version.
func consoleClassPath(t *testing.T, version string) string {
	t.Helper()
	var managed []artifact.Coordinates
	if version != console.Version {
		for _, name := range []string{"core", "driver", "groovy", "util", "language", "shaded"} {
			managed = append(managed, artifact.Coordinates{Group: "org.apache.tinkerpop", Name: "gremlin-" + name, Version: version})
		}
		managed = append(managed, artifact.TinkerGraph)
	}
	classPath, err := artifact.ClassPath(context.Background(), cache, "console-"+version, managed, console)
	if err != nil {
		t.Fatal(err)
	}
	return classPath
}

// console types testdata/console/session.txt into the Gremlin Console and compares
// what it prints with what it printed when it talked to a Gremlin Server.
func (s *subject) console(t *testing.T, version string) {
	classPath := consoleClassPath(t, version)
	commands, err := os.ReadFile("testdata/console/session.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := consoleText(s.dialogue(t, classPath, strings.Split(strings.TrimSpace(string(commands)), "\n")), s.port())
	golden := filepath.Join("testdata", "console", "console-"+version+".out")
	if *record {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := difference(string(want), got); d != "" {
		t.Errorf("the console prints (- wanted, + got)\n%s", d)
	}
}

// consoleFiles are what the console reads from its folder.
func (s *subject) consoleFiles(t *testing.T) string {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"ext/plugins.txt": "org.apache.tinkerpop.gremlin.console.jsr223.DriverGremlinPlugin\norg.apache.tinkerpop.gremlin.console.jsr223.UtilitiesGremlinPlugin\n",
		"remote.yaml": fmt.Sprintf("hosts: [localhost]\nport: %s\nserializer: { className: org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1, "+
			"config: { serializeResultToString: true }}\n", s.port()),
	} {
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// dialogue types one command after the other, each when the console asks for it.
func (s *subject) dialogue(t *testing.T, classPath string, commands []string) string {
	dir := s.consoleFiles(t)
	ctx, cancel := context.WithTimeout(context.Background(), programLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "java", "-Duser.working_dir=.", "-Dtinkerpop.ext=ext", "-Duser.timezone=UTC", "-Djava.util.prefs.userRoot="+dir,
		"-cp", "."+string(filepath.ListSeparator)+classPath, "org.apache.tinkerpop.gremlin.console.Console")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=dumb")
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait(); in.Close() }()
	var transcript strings.Builder
	r := bufio.NewReader(out)
	for _, command := range append(commands, ":exit") {
		s.prompt(t, r, input, &transcript)
		fmt.Fprintf(&transcript, "%s\n", command)
		if _, err := fmt.Fprintln(input, strings.ReplaceAll(command, "PORT", s.port())); err != nil {
			t.Fatalf("console: %v\n%s", err, &transcript)
		}
	}
	rest, _ := io.ReadAll(r)
	if err := <-ended; err != nil {
		t.Fatalf("console: %v\n%s%s", err, &transcript, rest)
	}
	return transcript.String()
}

// prompt reads until the console waits for a command. It declines stack traces.
func (s *subject) prompt(t *testing.T, r *bufio.Reader, input io.Writer, transcript *strings.Builder) {
	var text strings.Builder
	for {
		b, err := r.ReadByte()
		if err != nil {
			t.Fatalf("console ended: %v\n%s%s", err, transcript, &text)
		}
		text.WriteByte(b)
		switch {
		case strings.HasSuffix(text.String(), "\ngremlin> ") || text.String() == "gremlin> ":
			transcript.WriteString(text.String())
			return
		case strings.HasSuffix(text.String(), "Display stack trace? [yN]"):
			if _, err := fmt.Fprintln(input, "n"); err != nil {
				t.Fatal(err)
			}
			text.WriteByte('\n')
		}
	}
}

var consoleNoise = regexp.MustCompile(`(?m)^(?:Display stack trace.*|Type .:help.*|SLF4J: .*|INFO: .*|WARNING: .*|.*java\.util\.prefs.*)\n`)

// consoleText takes out what differs from run to run.
func consoleText(s, port string) string {
	s = consoleNoise.ReplaceAllString(s, "")
	s = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`).ReplaceAllString(s, "UUID")
	s = regexp.MustCompile(`Script[0-9]+`).ReplaceAllString(s, "Script1")
	return strings.ReplaceAll(s, ":"+port, ":PORT")
}

// difference lists the lines of which only one text has them, in order.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	// common[i][j] is the length of the longest common part of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out strings.Builder
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			fmt.Fprintf(&out, "- %s\n", a[i])
			i++
		default:
			fmt.Fprintf(&out, "+ %s\n", b[j])
			j++
		}
	}
	return out.String()
}
