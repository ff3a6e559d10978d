//go:build drivers

package drivers

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/gremlind/gremlind/conformance/server"
)

var (
	target = flag.String("url", "", "a running server instead of gremlind; nothing is killed then")
	binary = flag.String("binary", "", "a built gremlind; empty builds one")
	record = flag.Bool("record", false, "take the answers of the server at -url, a Gremlin Server, as those wanted")
)

// tools say what to install where a command is missing.
var tools = map[string]string{
	"python3": "Python 3.9 or later with the venv module (Debian: python3 python3-venv)",
	"node":    "Node.js 20 or later (Debian: nodejs)",
	"npm":     "npm (Debian: npm)",
	"java":    "Java 17 (Debian: openjdk-17-jdk-headless)",
	"mvn":     "Maven 3.8 or later (Debian: maven)",
}

// need fails the test when a command is not there.
func need(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatalf("%s is missing: install %s", name, tools[name])
		}
	}
}

const (
	root  = "../.."
	cache = "../.cache"
	// programLimit bounds one driver's program; installing has a limit of its own.
	programLimit = 3 * time.Minute
	installLimit = 10 * time.Minute
)

// subject is the server under test. It can be killed and started again on its data.
type subject struct {
	t       *testing.T
	options server.Options
	running *server.Server
}

func start(t *testing.T) *subject {
	t.Helper()
	return startWith(t, server.Options{Config: "conformance/tinkerpop.yaml"})
}

func startWith(t *testing.T, o server.Options) *subject {
	t.Helper()
	s := &subject{t: t}
	if *target != "" {
		return s
	}
	port, err := server.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	s.options = o
	s.options.Root, s.options.Port, s.options.Binary, s.options.DataDir = root, port, *binary, t.TempDir()
	s.start()
	t.Cleanup(func() {
		if err := s.running.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *subject) start() {
	s.t.Helper()
	var err error
	if s.running, err = server.Start(context.Background(), s.options); err != nil {
		s.t.Fatal(err)
	}
}

func (s *subject) url() string {
	if *target != "" {
		return *target
	}
	return s.running.URL
}

func (s *subject) port() string {
	u, err := url.Parse(s.url())
	if err != nil {
		s.t.Fatal(err)
	}
	return u.Port()
}

// restart kills the server as a crash would and starts it again.
func (s *subject) restart() {
	s.t.Helper()
	if err := s.running.Kill(); err != nil {
		s.t.Fatal(err)
	}
	if err := s.running.Stop(); err != nil {
		s.t.Fatal(err)
	}
	s.start()
}

// absolute returns a path that commands find from any folder.
func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// drive runs a driver's program to its end. When it prints "restart" the server is
// killed and started again, and a line tells the program so.
func (s *subject) drive(env []string, name string, args ...string) {
	s.t.Helper()
	if *target != "" {
		args = append(args, "--no-restart")
	}
	ctx, cancel := context.WithTimeout(context.Background(), programLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	input, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait(); in.Close() }()
	done, checks := s.follow(out, input)
	if err := <-ended; err != nil || !done {
		s.t.Fatalf("%s ended before it was done: %v", filepath.Base(name), err)
	}
	s.t.Logf("%d checks", checks)
}

// follow reads what the program prints; a line "FAILED ..." is a failed section.
func (s *subject) follow(out io.Reader, input io.Writer) (done bool, checks int) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		switch l := lines.Text(); {
		case l == "restart":
			s.restart()
			if _, err := fmt.Fprintln(input); err != nil {
				s.t.Error(err)
			}
		case l == "done":
			done = true
		case strings.HasPrefix(l, "ok "):
			checks++
		case strings.HasPrefix(l, "FAILED "):
			s.t.Errorf("%.1000s", l)
		case strings.HasPrefix(strings.TrimSpace(l), "at "): // a stack
		default:
			s.t.Logf("%.300s", l)
		}
	}
	return done, checks
}

// differences collects the cases of a file whose answers are not those wanted.
// datadriven's own comparison ends a file at the first.
type differences []string

func (f *differences) compare(d *datadriven.TestData, answer string) string {
	if answer == d.Expected || *record {
		return answer
	}
	*f = append(*f, fmt.Sprintf("%s: %s %s\n%s\nwant:\n%sgot:\n%s", d.Pos, d.Cmd, d.CmdArgs, d.Input, d.Expected, answer))
	return d.Expected
}

func (f *differences) report(t *testing.T) {
	for _, s := range *f {
		t.Error(s)
	}
}
