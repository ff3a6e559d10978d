package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// baseline is what a package's tests do without a change.
type baseline struct {
	took    time.Duration
	quick   string             // a pattern for the tests that take little, or empty
	reached map[string][]block // by name of the file; nil when nothing is known
}

// block is a piece of code and whether any test ran it.
type block struct {
	line, column, endLine, endColumn int
	ran                              bool
}

// measure runs the tests of m's package once without a change.
func (t *trial) measure(ctx context.Context, p *pack) error {
	p.once.Do(func() { p.baseline, p.failed = t.baseline(ctx, p) })
	return p.failed
}

func (t *trial) baseline(ctx context.Context, p *pack) (baseline, error) {
	if !p.tested() {
		return baseline{reached: map[string][]block{}}, nil
	}
	dir, err := os.MkdirTemp(t.work, "baseline")
	if err != nil {
		return baseline{}, err
	}
	defer os.RemoveAll(dir)
	binary, profile := filepath.Join(dir, "tests"), filepath.Join(dir, "profile")
	if out, err := t.goTool(ctx, p, dir, "test", "-c", "-cover", "-o", binary, p.ImportPath); err != nil {
		return baseline{}, fmt.Errorf("%s: %w: %s", p.short(), err, out)
	}
	start := time.Now()
	out, err := t.tests(ctx, p, dir, 0, binary, "-test.v", "-test.coverprofile="+profile)
	if err != nil {
		return baseline{}, fmt.Errorf("%s: its tests fail without a change: %w: %s", p.short(), err, failures(out))
	}
	b := baseline{took: time.Since(start)}
	b.quick = quick(durations(out))
	if processes, err := p.startsProcesses(); err != nil || processes {
		return b, err
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return b, err
	}
	b.reached, err = blocks(text)
	return b, err
}

var (
	result = regexp.MustCompile(`(?m)^--- (?:PASS|SKIP): (\w+) \(([0-9.]+)s\)$`)
	failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
)

// durations are the seconds that each test took.
func durations(out []byte) map[string]float64 {
	all := map[string]float64{}
	for _, m := range result.FindAllSubmatch(out, -1) {
		if s, err := strconv.ParseFloat(string(m[2]), 64); err == nil {
			all[string(m[1])] = s
		}
	}
	return all
}

// quick is a pattern for the tests that together take a tenth of the time, the cheapest
// ones. Most changes are seen by one of them.
func quick(tests map[string]float64) string {
	var names []string
	sum := 0.0
	for name, s := range tests {
		names = append(names, name)
		sum += s
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(tests[a], tests[b]), cmp.Compare(a, b)) })
	var used float64
	for i, name := range names {
		if used += tests[name]; used > sum/10 && sum > 1 {
			names = names[:i]
			break
		}
	}
	if len(names) == 0 || len(names) == len(tests) {
		return ""
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// blocks reads a coverage profile.
func blocks(profile []byte) (map[string][]block, error) {
	all := map[string][]block{}
	for lines := bufio.NewScanner(bytes.NewReader(profile)); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "mode:") {
			continue
		}
		colon := strings.LastIndexByte(line, ':')
		var b block
		var statements, count int
		if _, err := fmt.Sscanf(line[colon+1:], "%d.%d,%d.%d %d %d", &b.line, &b.column, &b.endLine, &b.endColumn, &statements, &count); err != nil {
			return nil, fmt.Errorf("coverage: %q: %w", line, err)
		}
		b.ran = count > 0
		name := line[:colon]
		name = name[strings.LastIndexByte(name, '/')+1:]
		all[name] = append(all[name], b)
	}
	return all, nil
}

// runs reports whether a test of the package runs the place of m, as far as is known: what
// belongs to no block, as a constant, may be seen by any test.
func (b *baseline) runs(m *mutant) bool {
	if b.reached == nil {
		return true
	}
	line, column := m.at.Line, m.at.Column
	ran := true
	var inner block
	for _, x := range b.reached[filepath.Base(m.path)] {
		before := x.line < line || x.line == line && x.column <= column
		after := x.endLine > line || x.endLine == line && x.endColumn > column
		later := x.line > inner.line || x.line == inner.line && x.column >= inner.column
		if before && after && later {
			inner, ran = x, x.ran
		}
	}
	return ran
}

// failures are the lines of out that say which test failed, or its end.
func failures(out []byte) string {
	if names := failed.FindAllSubmatch(out, 5); names != nil {
		var all []string
		for _, n := range names {
			all = append(all, string(n[1]))
		}
		return strings.Join(all, ", ")
	}
	return string(out[max(0, len(out)-1000):])
}
