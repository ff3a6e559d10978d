package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// A binary is unslowed when the geometric mean of all its lines' ratios to the earlier
// binary is no less than meanBar, and no line's 95 % interval lies wholly below lineBar.
const (
	meanBar = 0.99
	lineBar = 0.97
)

// interval is the geometric mean of some ratios and its 95 % confidence interval.
type interval struct{ low, mean, high float64 }

// student holds the 97.5 % quantiles of Student's distribution, by degrees of freedom.
var student = [...]float64{0, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10, 2.09}

// intervalOf takes ratios for a sample of a log-normal distribution.
func intervalOf(ratios []float64) interval {
	n := float64(len(ratios))
	var sum, squares float64
	for _, r := range ratios {
		sum += math.Log(r)
	}
	mean := sum / n
	for _, r := range ratios {
		squares += (math.Log(r) - mean) * (math.Log(r) - mean)
	}
	if n < 2 {
		return interval{0, math.Exp(mean), math.Inf(1)}
	}
	half := student[min(len(ratios)-1, len(student)-1)] * math.Sqrt(squares/(n-1)/n)
	return interval{math.Exp(mean - half), math.Exp(mean), math.Exp(mean + half)}
}

func (l *line) interval() interval { return intervalOf(ratios(l.samples[0], l.samples[1])) }

func (l *line) slower(bar float64) bool { return l.interval().high < bar }

// comparing reports whether two targets are compared, and a slower row is an error.
func (o *options) comparing() bool { return o.old != "" || o.denied }

// comparisonBars are those of the mean of all lines and of each.
func (o *options) comparisonBars() (mean, line float64) {
	if o.denied {
		return 0, deniedBar
	}
	return meanBar, lineBar
}

// runUnslowed compares the lines of this binary and of the earlier one: those that read first,
// for the faster one has more of what is written; then imports.
func runUnslowed(ctx context.Context, o options, d *dataset, targets []*target, w io.Writer) error {
	var lines []line
	for _, write := range []bool{false, true} {
		part := o
		if part.only = o.those(write); len(part.only) == 0 {
			continue
		}
		some, err := measureTwice(ctx, part, d, targets, w)
		if err != nil {
			return err
		}
		lines = append(lines, some...)
	}
	if o.old != "" && o.wantsRow(importRow) {
		some, err := measureImports(ctx, o, d, targets, w)
		if err != nil {
			return err
		}
		lines = append(lines, some...)
	}
	mean, line := o.comparisonBars()
	return verdict(lines, mean, line, w)
}

// measureTwice measures lines, and those that fail once more, which counts.
func measureTwice(ctx context.Context, o options, d *dataset, targets []*target, w io.Writer) ([]line, error) {
	lines, err := measureStarts(ctx, o, d, targets, w)
	if err != nil {
		return nil, err
	}
	_, bar := o.comparisonBars()
	o.only = nil
	for i := range lines {
		if q := lines[i].query; lines[i].slower(bar) && !slices.Contains(o.only, q) {
			o.only = append(o.only, q)
		}
	}
	if len(o.only) == 0 {
		return lines, nil
	}
	fmt.Fprintf(w, "\nonce more, %d that looked slower:\n", len(o.only))
	fresh, err := measureStarts(ctx, o, d, targets, w)
	if err != nil {
		return nil, err
	}
	for i := range lines {
		if lines[i].slower(bar) {
			lines[i].samples = fresh[slices.IndexFunc(fresh, lines[i].same)].samples
		}
	}
	return lines, nil
}

// those are the queries of the wanted rows that write, or those that do not.
func (o *options) those(write bool) (list []*query) {
	for i := range queries {
		if q := &queries[i]; q.write == write && o.wants(q) {
			list = append(list, q)
		}
	}
	return list
}

// measureStarts measures the queries in some rounds of each start of the servers: where a process
// has its memory makes it up to a seventh faster or slower than the next one of the same binary,
// for as long as it lives.
func measureStarts(ctx context.Context, o options, d *dataset, targets []*target, w io.Writer) (lines []line, err error) {
	starts := max(1, min(o.starts, o.rounds))
	o.rounds = (o.rounds + starts - 1) / starts
	o.warm = max(o.warm/time.Duration(starts), o.round)
	for o.first = range starts {
		for _, t := range targets {
			if err := t.restart(); err != nil {
				return nil, fmt.Errorf("restart %s: %w", t.name, err)
			}
		}
		more, err := runQueries(ctx, o, d, targets, io.Discard)
		if err != nil {
			return nil, err
		}
		lines = joined(lines, more)
	}
	printHeading(w, targets)
	for i := range lines {
		lines[i].print(w)
	}
	return lines, nil
}

// joined appends the samples of the same lines.
func joined(lines, more []line) []line {
	for _, m := range more {
		i := slices.IndexFunc(lines, m.same)
		if i < 0 {
			lines = append(lines, m)
			continue
		}
		for k := range m.samples {
			lines[i].samples[k] = append(lines[i].samples[k], m.samples[k]...)
		}
	}
	return lines
}

func (l line) same(m line) bool {
	return l.query == m.query && l.kind == m.kind && l.clients == m.clients
}

// verdict prints each line's ratio and is an error when something is slower.
func verdict(lines []line, meanBar, lineBar float64, w io.Writer) error {
	fmt.Fprint(w, "\n| query | client | clients | new to old | 95 % |\n|---|---|---|---|---|\n")
	var errs []error
	logs := 0.0
	for i := range lines {
		l := &lines[i]
		v := l.interval()
		logs += math.Log(v.mean)
		fmt.Fprintf(w, "| %s | %s | %d | %.3f | %.3f to %.3f |\n", l.query.name, l.kind, l.clients, v.mean, v.low, v.high)
		if l.slower(lineBar) {
			errs = append(errs, fmt.Errorf("%s, %s, %d clients: %.3f of the other rate, at most %.3f", l.query.name, l.kind, l.clients, v.mean, v.high))
		}
	}
	mean := math.Exp(logs / float64(len(lines)))
	fmt.Fprintf(w, "\ngeometric mean of %d lines: %.4f\n", len(lines), mean)
	if mean < meanBar {
		errs = append(errs, fmt.Errorf("the geometric mean is %.4f, the bar %v", mean, meanBar))
	}
	return errors.Join(errs...)
}
