package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

// binary is the built command; TestMain makes it.
var binary string

func TestMain(m *testing.M) {
	os.Unsetenv("GOGC") // that of the tests; the command has its own
	dir, err := os.MkdirTemp("", "gremlind-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "gremlind")
	if out, err := exec.Command("go", append(append([]string{"build", "-ldflags=-s -w"}, buildFlags...), "-o", binary, ".")...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		os.Exit(1)
	}
	if os.Getenv("GORACE") == "" { // a watched command waits a second at its end else
		os.Setenv("GORACE", "atexit_sleep_ms=20")
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// process is a running gremlind.
type process struct {
	t    testing.TB
	cmd  *exec.Cmd
	addr string
	mu   sync.Mutex
	log  bytes.Buffer
	done chan struct{}
}

var (
	addressLine = regexp.MustCompile(`msg=serving address=(\S+)`)
	adminLine   = regexp.MustCompile(`msg=admin address=(\S+)`) // comes before
)

// serve starts the binary on a free port and waits until it serves.
func serve(t testing.TB, args ...string) *process {
	t.Helper()
	if !slices.ContainsFunc(args, saysWhere) {
		args = append([]string{"--data-dir", filepath.Join(t.TempDir(), "data")}, args...)
	}
	return serveWith(t, binary, append([]string{"serve", "--port", "0", "--host", "127.0.0.1"}, args...)...)
}

// saysWhere reports whether an argument may say where the data is. Without one it would be
// beneath the folder of the tests, for all of them and for whatever a test before them left.
func saysWhere(arg string) bool {
	return arg == "--memory" || strings.HasPrefix(arg, "--data-dir") || strings.HasPrefix(arg, "--sample") || strings.HasPrefix(arg, "dataDir=") || strings.HasSuffix(arg, ".yaml")
}

func serveWith(t testing.TB, name string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(name, args...), done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), "GREMLIN_YAML=", "GREMLIND_DISKRESERVE=0") // however full the disk is
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	ownGroup(p.cmd)
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("start: %v", err)
	}
	ready := make(chan string, 1)
	go p.watch(stderr, ready)
	t.Cleanup(p.kill)
	select {
	case p.addr = <-ready:
	case <-p.done:
		t.Fatalf("gremlind ended at once: %s", p.output())
	case <-time.After(60 * time.Second):
		t.Fatalf("gremlind does not serve: %s", p.output())
	}
	return p
}

func (p *process) watch(stderr io.Reader, ready chan<- string) {
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		p.mu.Lock()
		p.log.WriteString(lines.Text() + "\n")
		p.mu.Unlock()
		if m := addressLine.FindStringSubmatch(lines.Text()); m != nil {
			ready <- m[1]
		}
	}
	p.cmd.Wait()
	close(p.done)
}

// admin returns the admin address of a server that was given port 0 for it.
func (p *process) admin() string {
	p.t.Helper()
	m := adminLine.FindStringSubmatch(p.output())
	if m == nil {
		p.t.Fatalf("no admin address: %s", p.output())
	}
	return m[1]
}

func (p *process) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

func (p *process) kill() { p.stop(syscall.SIGKILL) }

// stop sends a signal and waits for the end.
func (p *process) stop(sig syscall.Signal) int {
	select {
	case <-p.done:
	default:
		signalGroup(p.cmd, sig)
	}
	select {
	case <-p.done:
	case <-time.After(40 * time.Second):
		p.t.Errorf("gremlind did not end: %s", p.output())
		signalGroup(p.cmd, syscall.SIGKILL)
		<-p.done
	}
	if strings.Contains(p.output(), "WARNING: DATA RACE") {
		p.t.Errorf("a race in gremlind:\n%s", p.output())
	}
	return p.cmd.ProcessState.ExitCode()
}

// connect opens a connection of the Go driver.
func (p *process) connect(source string) (*gremlingo.DriverRemoteConnection, *gremlingo.GraphTraversalSource) {
	p.t.Helper()
	conn, err := gremlingo.NewDriverRemoteConnection("ws://"+p.addr+"/gremlin", func(s *gremlingo.DriverRemoteConnectionSettings) {
		s.TraversalSource = source
		s.LogVerbosity = gremlingo.Off
	})
	if err != nil {
		p.t.Fatalf("connect: %v", err)
	}
	return conn, gremlingo.Traversal_().WithRemote(conn)
}

// run runs a command to its end.
func run(t testing.TB, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out bytes.Buffer
	stderr, code = runInto(t, &out, args...)
	return out.String(), stderr, code
}

// runInto runs a command to its end, whose output goes to stdout.
func runInto(t testing.TB, stdout io.Writer, args ...string) (stderr string, code int) {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), "GREMLIN_YAML=")
	cmd.Stdout, cmd.Stderr = stdout, &errs
	err := cmd.Run()
	if err != nil && cmd.ProcessState == nil {
		t.Fatalf("run %v: %v", args, err)
	}
	return errs.String(), cmd.ProcessState.ExitCode()
}

func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is not in:\n%s", p, text)
		}
	}
}
