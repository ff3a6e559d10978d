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

// baseline is what a package's tests do without a change, in the order of their time.
type baseline []test

// test is one test of a package.
type test struct {
	name    string
	took    time.Duration
	reached map[string][]block // by name of the file; nil when nothing is known
}

// block is a piece of code and whether any test ran it.
type block struct {
	line, column, endLine, endColumn int
	ran                              bool
}

// measure runs each test of a package once, in a process of its own, to know what it
// reaches and how long it takes. One that fails is left out, and the report says so.
func (t *trial) measure(ctx context.Context, p *pack) (baseline, error) {
	if !p.tested() {
		return nil, nil
	}
	dir, err := os.MkdirTemp(t.work, "baseline")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary, profile := filepath.Join(dir, "tests"), filepath.Join(dir, "profile")
	if out, err := t.goTool(ctx, p, dir, "test", "-c", "-cover", "-o", binary, p.ImportPath); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", p.short(), err, out)
	}
	out, err := t.tests(ctx, p, dir, process{binary: binary, args: []string{"-test.list=."}})
	if err != nil {
		return nil, fmt.Errorf("%s: its tests are not listed: %w: %s", p.short(), err, out)
	}
	processes, err := p.startsProcesses()
	if err != nil {
		return nil, err
	}
	var b baseline
	for _, name := range listed.FindAllString(string(out), -1) {
		one := test{name: name}
		start := time.Now()
		out, err := t.tests(ctx, p, dir, process{binary: binary, args: []string{"-test.run=" + pattern(name), "-test.coverprofile=" + profile}})
		if err != nil {
			fmt.Fprintf(t.out, "left out  %s: %s fails alone, without a change: %v: %s\n", p.short(), name, err, failures(out))
			continue
		}
		one.took = time.Since(start)
		if !processes {
			text, err := os.ReadFile(profile)
			if err != nil {
				return nil, err
			}
			if one.reached, err = blocks(text); err != nil {
				return nil, err
			}
		}
		b = append(b, one)
	}
	slices.SortStableFunc(b, func(x, y test) int { return cmp.Compare(x.took, y.took) })
	return b, nil
}

var (
	listed = regexp.MustCompile(`(?m)^(?:Test|Fuzz|Example)\w*$`)
	failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
)

// pattern is what -test.run takes for tests of these names.
func pattern(names ...string) string { return "^(" + strings.Join(names, "|") + ")$" }

// blocks reads a coverage profile.
func blocks(profile []byte) (map[string][]block, error) {
	all := map[string][]block{}
	for lines := bufio.NewScanner(bytes.NewReader(profile)); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "mode:") {
			continue
		}
		colon := strings.LastIndexByte(line, ':')
		b, err := readBlock(line[colon+1:])
		if err != nil {
			return nil, fmt.Errorf("coverage: %q: %w", line, err)
		}
		name := line[:max(colon, 0)]
		name = name[strings.LastIndexByte(name, '/')+1:]
		all[name] = append(all[name], b)
	}
	return all, nil
}

// readBlock reads the two places, the number of statements and the count of a block.
func readBlock(text string) (block, error) {
	var n [6]int
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == ',' || r == ' ' })
	if len(fields) != len(n) {
		return block{}, fmt.Errorf("%d numbers in place of %d", len(fields), len(n))
	}
	for i, f := range fields {
		var err error
		if n[i], err = strconv.Atoi(f); err != nil {
			return block{}, err
		}
	}
	return block{n[0], n[1], n[2], n[3], n[5] > 0}, nil
}

// runs reports whether the test runs the place of m, as far as is known: what belongs to
// no block, as a constant, may be seen by any test.
func (b *test) runs(m *mutant) bool {
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
