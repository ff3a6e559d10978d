package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
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
	killed    outcome = "killed"
	hung      outcome = "timeout" // killed by the clock
	survived  outcome = "survived"
	unreached outcome = "unreached" // survived, for no test runs it
)

// trial tries mutants.
type trial struct {
	options
	work string // a folder for what is made on the way
}

// tried is a package at work: what its changes are compiled into, and what its tests do.
type tried struct {
	*trial
	*compiled
	pack     *pack
	baseline baseline

	mu    sync.Mutex
	alone map[string]bool // tests by whether they fail in a schema without a mutant
}

// judge tries what a package has to give, and tells add about each.
func (t *trial) judge(ctx context.Context, p *pack, lots []lot, add func(*mutant, verdict)) error {
	if len(lots) == 0 {
		return nil
	}
	c, err := t.choose(ctx, p, lots)
	if err != nil || len(c.chosen) == 0 {
		return err
	}
	b, err := t.measure(ctx, p)
	if err != nil {
		return err
	}
	on := &tried{trial: t, compiled: c, pack: p, baseline: b, alone: map[string]bool{}}
	var failed atomic.Pointer[error]
	var next atomic.Int64
	var wg sync.WaitGroup
	var mu sync.Mutex // of add
	for range max(1, t.parallel) {
		wg.Go(func() {
			for i := next.Add(1); i <= int64(len(c.chosen)) && failed.Load() == nil && ctx.Err() == nil; i = next.Add(1) {
				m := c.chosen[i-1]
				v, err := on.try(ctx, m)
				if err != nil {
					failed.Store(&err)
					return
				}
				mu.Lock()
				add(m, v)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return errors.Join(ctx.Err(), c.remove())
}

// remove gives the room of a package's binaries back.
func (c *compiled) remove() error {
	err := os.RemoveAll(c.schema.dir)
	for _, binary := range c.own {
		err = errors.Join(err, os.RemoveAll(filepath.Dir(binary)))
	}
	return err
}

// try runs the tests that may see a mutant: in its own binary, or with the schema's switch.
func (t *tried) try(ctx context.Context, m *mutant) (verdict, error) {
	var reach []test
	for _, x := range t.baseline {
		if x.runs(m) {
			reach = append(reach, x)
		}
	}
	if len(reach) == 0 {
		return verdict{outcome: unreached}, nil
	}
	dir, err := os.MkdirTemp(t.work, "mutant")
	if err != nil {
		return verdict{}, err
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	p := process{binary: t.schema.binary, overlay: t.schema.dir, mutant: t.schema.mutants[m]}
	if own, ok := t.own[m]; ok {
		p = process{binary: own, overlay: filepath.Dir(own)}
	}
	v, silent, err := t.run(ctx, dir, p, reach)
	if len(silent) > 0 && v.outcome == survived && err == nil {
		v, err = t.apart(ctx, m, dir, silent)
	}
	v.took = time.Since(start)
	return v, err
}

// apart gives a mutant of the schema a binary of its own, for the tests that fail with a
// schema, as those of allocations may.
func (t *tried) apart(ctx context.Context, m *mutant, dir string, tests []test) (verdict, error) {
	binary, out, err := t.compile(ctx, m, dir)
	if err != nil {
		return verdict{}, fmt.Errorf("%s compiles in a schema and not alone: %w: %s", m, err, out)
	}
	v, _, err := t.run(ctx, dir, process{binary: binary, overlay: dir}, tests)
	return v, err
}

// run runs tests, the cheap ones first, until one fails. It returns those too that say
// nothing, for they fail with the schema alone.
func (t *tried) run(ctx context.Context, dir string, p process, tests []test) (verdict, []test, error) {
	var silent []test
	for tests := slices.Clone(tests); len(tests) > 0; {
		n := first(tests)
		var names []string
		p.limit = t.timeout
		for _, x := range tests[:n] {
			names = append(names, x.name)
			p.limit += 4 * x.took
		}
		p.args = []string{"-test.failfast", "-test.run=" + pattern(names...)}
		out, err := t.tests(ctx, t.pack, dir, p)
		if ctx.Err() != nil {
			return verdict{}, nil, ctx.Err()
		}
		if err == nil {
			tests = tests[n:]
			continue
		}
		v := verdict{outcome: killed}
		if errors.Is(err, errHung) || bytes.Contains(out, []byte("panic: test timed out after")) {
			v.outcome = hung
		}
		if name := failed.FindSubmatch(out); name != nil {
			v.by = string(name[1])
			top, _, _ := bytes.Cut(name[1], []byte("/"))
			if at := slices.IndexFunc(tests, func(x test) bool { return x.name == string(top) }); at >= 0 && p.mutant > 0 && t.failsAlone(ctx, dir, p, tests[at]) {
				silent = append(silent, tests[at])
				tests = slices.Delete(tests, at, at+1)
				continue
			}
		}
		return v, nil, nil
	}
	return verdict{outcome: survived}, silent, nil
}

// first is how many of tests run first: those that together take a tenth of the time. Most
// changes are seen by one of them.
func first(tests []test) int {
	var sum, used time.Duration
	for _, x := range tests {
		sum += x.took
	}
	for i, x := range tests {
		if used += x.took; used > max(sum/10, time.Second) && i > 0 {
			return i
		}
	}
	return len(tests)
}

// failsAlone reports whether a test fails in a schema without a mutant.
func (t *tried) failsAlone(ctx context.Context, dir string, p process, x test) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	fails, known := t.alone[x.name]
	if !known {
		p.mutant, p.limit, p.args = 0, t.timeout+4*x.took, []string{"-test.run=" + pattern(x.name)}
		_, err := t.tests(ctx, t.pack, dir, p)
		fails = err != nil
		t.alone[x.name] = fails
	}
	return fails
}
