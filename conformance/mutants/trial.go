package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// verdict is what became of a mutant.
type verdict struct {
	outcome outcome
	by      string // the test that saw it
	took    time.Duration
}

type outcome string

const (
	killed     outcome = "killed"
	hung       outcome = "timeout" // killed by the clock
	survived   outcome = "survived"
	unreached  outcome = "unreached" // survived, for no test runs it
	uncompiled outcome = "uncompiled"
)

// trial tries mutants.
type trial struct {
	options
	work string // a folder for what is made on the way
}

// all tries mutants in their order until o.n of them compiled, and tells add about those.
func (t *trial) all(ctx context.Context, ms []*mutant, add func(*mutant, verdict)) error {
	var mu sync.Mutex
	var failed error
	next, open := 0, 0 // mutants taken, and those that compiled or may still
	worker := func() {
		mu.Lock()
		defer mu.Unlock()
		for failed == nil && next < len(ms) && open < t.n {
			m := ms[next]
			next, open = next+1, open+1
			mu.Unlock()
			v, err := t.try(ctx, m)
			mu.Lock()
			switch {
			case err != nil:
				failed = errors.Join(failed, err)
			case v.outcome == uncompiled:
				open--
			default:
				add(m, v)
			}
		}
	}
	// A worker that found nothing to do may be needed again, when others' do not compile.
	for ctx.Err() == nil && failed == nil && next < len(ms) && open < t.n {
		var wg sync.WaitGroup
		for range max(1, t.parallel) {
			wg.Go(worker)
		}
		wg.Wait()
	}
	return errors.Join(failed, ctx.Err())
}

// try compiles one mutant and runs the tests that may see it: the quick ones first.
func (t *trial) try(ctx context.Context, m *mutant) (verdict, error) {
	dir, err := os.MkdirTemp(t.work, "mutant")
	if err != nil {
		return verdict{}, err
	}
	defer os.RemoveAll(dir)
	if err := m.overlay(dir); err != nil {
		return verdict{}, err
	}
	if err := t.measure(ctx, m.pack); err != nil {
		return verdict{}, err
	}
	binary := filepath.Join(dir, "tests")
	base := &m.pack.baseline
	if !base.runs(m) || !m.pack.tested() {
		out := unreached
		if _, err := t.goTool(ctx, m.pack, dir, "build", "-o", binary, m.pack.ImportPath); err != nil {
			out = uncompiled
		}
		return verdict{outcome: out}, ctx.Err()
	}
	if _, err := t.goTool(ctx, m.pack, dir, "test", "-c", "-vet=off", "-o", binary, m.pack.ImportPath); err != nil {
		return verdict{outcome: uncompiled}, ctx.Err()
	}
	limit := t.timeout + 4*base.took
	passes := [][]string{{"-test.failfast"}}
	if base.quick != "" {
		passes = [][]string{{"-test.failfast", "-test.short", "-test.run=" + base.quick}, {"-test.failfast"}}
	}
	start := time.Now()
	for _, args := range passes {
		out, err := t.tests(ctx, m.pack, dir, limit, binary, args...)
		if ctx.Err() != nil {
			return verdict{}, ctx.Err()
		}
		if err == nil {
			continue
		}
		v := verdict{outcome: killed, took: time.Since(start)}
		if errors.Is(err, errHung) || bytes.Contains(out, []byte("panic: test timed out after")) {
			v.outcome = hung
		}
		if name := failed.FindSubmatch(out); name != nil {
			v.by = string(name[1])
		}
		return v, nil
	}
	return verdict{outcome: survived, took: time.Since(start)}, nil
}

// overlay writes the changed file, and what tells the compiler to take it.
func (m *mutant) overlay(dir string) error {
	changed := filepath.Join(dir, "changed.go")
	if err := os.WriteFile(changed, m.text(), 0o600); err != nil {
		return err
	}
	b, err := json.Marshal(map[string]any{"Replace": map[string]string{m.path: changed}})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, overlayFile), b, 0o600)
}

const overlayFile = "overlay.json"

// environment lets what the tests compile themselves see the change too, keeps what they
// leave behind in dir, and rapid from writing into the tree and from minimizing.
func environment(dir string) []string {
	flags := os.Getenv("GOFLAGS")
	if _, err := os.Stat(filepath.Join(dir, overlayFile)); err == nil {
		flags += " -overlay=" + filepath.Join(dir, overlayFile)
	}
	return append(os.Environ(), "GOFLAGS="+flags, "TMPDIR="+dir, "GOTMPDIR="+dir,
		"RAPID_NOFAILFILE=true", "RAPID_SHRINKTIME=0s")
}

func (t *trial) goTool(ctx context.Context, p *pack, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = p.Dir, environment(dir)
	return cmd.CombinedOutput()
}

var errHung = errors.New("the tests do not end")

// tests runs a test binary in its package's folder; a limit of 0 is no limit.
func (t *trial) tests(ctx context.Context, p *pack, dir string, limit time.Duration, binary string, args ...string) ([]byte, error) {
	args = append([]string{binary, "-test.timeout=" + limit.String(), "-test.paniconexit0"}, args...)
	if sh, err := exec.LookPath("sh"); err == nil && t.memory > 0 {
		kib := strconv.FormatInt(t.memory>>10, 10)
		args = append([]string{sh, "-c", "ulimit -v " + kib + ` && exec "$0" "$@"`}, args...)
	}
	const grace = 10 * time.Second // for the test binary's own clock, which says more
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit+grace, errHung)
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = p.Dir, environment(dir)
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if killErr := killGroup(cmd); cmd.Process == nil {
		return out, fmt.Errorf("starting %s: %w", binary, errors.Join(err, killErr))
	}
	if errors.Is(context.Cause(ctx), errHung) {
		err = errHung
	}
	return out, err
}
