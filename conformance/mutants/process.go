package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// process is a run of a test binary.
type process struct {
	binary  string
	args    []string
	limit   time.Duration // 0 for none
	overlay string        // the folder of what the binary was compiled with, or ""
	mutant  int           // the number in a schema, or 0
}

const overlayFile = "overlay.json"

// writeOverlay tells the compiler which files stand in others' places.
func writeOverlay(dir string, replace map[string]string) error {
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, overlayFile), b, 0o600)
}

// compile makes a test binary of a package with one change, in dir.
func (t *trial) compile(ctx context.Context, m *mutant, dir string) (binary string, out []byte, err error) {
	changed := filepath.Join(dir, "changed.go")
	if err := os.WriteFile(changed, m.text(), 0o600); err != nil {
		return "", nil, err
	}
	if err := writeOverlay(dir, map[string]string{m.path: changed}); err != nil {
		return "", nil, err
	}
	binary = filepath.Join(dir, "tests")
	out, err = t.goTool(ctx, m.pack, dir, m.pack.compiling(binary)...)
	return binary, out, err
}

// compiling are the go tool's arguments for a package's tests; a package without any is
// compiled alone.
func (p *pack) compiling(binary string) []string {
	if !p.tested() {
		return []string{"build", "-gcflags=-e", "-o", binary, p.ImportPath}
	}
	return []string{"test", "-c", "-vet=off", "-gcflags=-e", "-o", binary, p.ImportPath}
}

// build compiles a schema, without the mutants that do not compile.
func (t *trial) build(ctx context.Context, s *schema) error {
	for len(s.mutants) > 0 {
		if err := s.write(); err != nil {
			return err
		}
		out, err := t.goTool(ctx, s.pack, s.dir, s.pack.compiling(s.binary)...)
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		if len(s.drop(out)) == 0 {
			return fmt.Errorf("%s: its mutants do not compile, and the messages name none: %w: %s", s.pack.short(), err, out)
		}
	}
	return nil
}

// place is where a compiler found something.
type place struct {
	file string
	line int
}

var message = regexp.MustCompile(`(?m)^(?:\S*[/\\])?([^/\\\s]+\.go):(\d+):`)

func places(messages []byte) []place {
	var all []place
	for _, m := range message.FindAllSubmatch(messages, -1) {
		line, _ := strconv.Atoi(string(m[2]))
		all = append(all, place{string(m[1]), line})
	}
	return all
}

// environment lets what the tests compile themselves see the change too, keeps what they
// leave behind in dir, and rapid from writing into the tree and from minimizing. No other
// package's tests run.
func environment(dir, overlay string, mutant int) []string {
	flags := os.Getenv("GOFLAGS")
	if file := filepath.Join(overlay, overlayFile); overlay != "" {
		if _, err := os.Stat(file); err == nil {
			flags += " -overlay=" + file
		}
	}
	return append(os.Environ(), "GOFLAGS="+flags, "TMPDIR="+dir, "GOTMPDIR="+dir,
		"RAPID_NOFAILFILE=true", "RAPID_SHRINKTIME=0s", "ALONE=1", switchVariable+"="+strconv.Itoa(mutant))
}

func (t *trial) goTool(ctx context.Context, p *pack, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = p.Dir, environment(dir, dir, 0)
	return cmd.CombinedOutput()
}

var errHung = errors.New("the tests do not end")

// tests runs a test binary in its package's folder; what it leaves behind is put into dir.
func (t *trial) tests(ctx context.Context, p *pack, dir string, run process) ([]byte, error) {
	args := append([]string{run.binary, "-test.timeout=" + run.limit.String(), "-test.paniconexit0"}, run.args...)
	if sh, err := exec.LookPath("sh"); err == nil && t.memory > 0 {
		kib := strconv.FormatInt(t.memory>>10, 10)
		args = append([]string{sh, "-c", "ulimit -v " + kib + ` && exec "$0" "$@"`}, args...)
	}
	const grace = 10 * time.Second // for the test binary's own clock, which says more
	if run.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, run.limit+grace, errHung)
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = p.Dir, environment(dir, run.overlay, run.mutant)
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if killErr := killGroup(cmd); cmd.Process == nil {
		return out, fmt.Errorf("starting %s: %w", run.binary, errors.Join(err, killErr))
	}
	if errors.Is(context.Cause(ctx), errHung) {
		err = errHung
	}
	return out, err
}
