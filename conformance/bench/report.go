package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

func printServers(w io.Writer, d *dataset, targets []*target) {
	fmt.Fprintf(w, "R-MAT, seed %d: %d vertices with two properties, %d edges, names indexed.\n\n", generatorSeed, d.vertices, d.edges)
	fmt.Fprintln(w, "| server | writes survive | first answer, empty | first answer, loaded | load | edges/s | RSS empty | RSS loaded |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|")
	for _, t := range targets {
		perSecond := "-"
		if t.load > 0 {
			perSecond = fmt.Sprintf("%.0f", float64(d.edges)/t.load.Seconds())
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", t.name, t.durability, measured(t.startEmpty), measured(t.startLoaded),
			measured(t.load), perSecond, megabytes(t.emptyMB), megabytes(residentMB(t.pid)))
	}
	fmt.Fprintln(w)
}

func measured(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return short(float64(d))
}

func megabytes(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%d MB", n)
}

func printHeading(w io.Writer, targets []*target) {
	fmt.Fprint(w, "| row | query | client | clients |")
	for _, t := range targets {
		fmt.Fprintf(w, " %s req/s | p50 | p99 | CPU/req |", t.name)
	}
	for _, t := range targets[1:] {
		fmt.Fprintf(w, " ratio to %s | spread |", t.name)
	}
	fmt.Fprintf(w, "\n|---|---|---|---|%s%s\n", strings.Repeat("---|---|---|---|", len(targets)), strings.Repeat("---|---|", len(targets)-1))
}

// measureQuery prints a line per client and number of clients and returns them.
func measureQuery(ctx context.Context, o options, q *query, d *dataset, all, targets []*target, w io.Writer) ([]line, error) {
	loads := make(map[*target]*load, len(targets))
	for _, t := range targets {
		l, err := q.build(t, d)
		if err != nil {
			return nil, err
		}
		loads[t] = l
	}
	var lines []line
	for _, l := range q.lines() {
		if o.comparing() && l.kind == driverClient {
			continue // its own time would hide the servers'
		}
		ts := targets
		if l.kind == driverClient {
			// The references are measured for what a server can do, without the driver.
			ts = slices.DeleteFunc(slices.Clone(targets), func(t *target) bool { return t.reference })
		}
		samples, err := alternate(ctx, o, q, ts, loads, &l)
		if err != nil {
			return nil, err
		}
		l.samples = place(samples, ts, all)
		l.print(w)
		lines = append(lines, l)
	}
	return lines, nil
}

// line is one line of the table: a query asked by some clients of a kind.
type line struct {
	query   *query
	kind    string
	clients int
	samples [][]sample // of each server, none where it took no part
	// syncs are what a synced append took before each round, of writes that are held to it.
	syncs []time.Duration
}

func (l *line) print(w io.Writer) {
	fmt.Fprintf(w, "| %s | %s | %s | %d |%s\n", l.query.row, l.query.name, l.kind, l.clients, cells(l.samples))
}

// heldToSync reports whether what its clients wait for is measured against a sync.
func (l *line) heldToSync() bool {
	return l.query.committed && l.kind == rawClient && l.clients <= deepClients
}

// deepClients is how many have eight requests under way each, at most.
const deepClients = 16

// lines are those that a query asks for, before they are measured.
func (q *query) lines() []line {
	var all []line
	for _, n := range q.clients {
		all = append(all, line{query: q, kind: rawClient, clients: n})
	}
	if q.deep {
		all = append(all, line{query: q, kind: deepClient, clients: min(slices.Max(q.clients), deepClients)})
	}
	if q.noDriver {
		return all
	}
	for _, n := range q.clients {
		all = append(all, line{query: q, kind: driverClient, clients: n})
	}
	return all
}

// alternate lets the servers take turns and returns each one's rounds, none of a peer
// that failed.
func alternate(ctx context.Context, o options, q *query, targets []*target, loads map[*target]*load, l *line) ([][]sample, error) {
	samples := make([][]sample, len(targets))
	connected := make([]clients, len(targets))
	failed := make([]bool, len(targets))
	turn := func(i int, length time.Duration) (s sample, err error) {
		t := targets[i]
		if ctx.Err() != nil {
			return s, errors.New("stopped")
		}
		if failed[i] {
			return s, nil
		}
		if s, err = round(t, connected[i], length); err == nil {
			return s, nil
		}
		if failed[i] = i > 0; !failed[i] {
			return s, fmt.Errorf("%s: %w", t.name, err)
		}
		giveUp(t, q, err)
		return s, nil
	}
	for i, t := range targets {
		c, err := connect(t, loads[t], l.kind, l.clients)
		if err != nil {
			return nil, err
		}
		defer c.close()
		connected[i] = c
		if q.slow && !o.comparing() {
			continue
		}
		if _, err := turn(i, o.warmUp(l)); err != nil {
			return nil, err
		}
	}
	rounds := o.rounds
	if q.slow && !o.comparing() {
		rounds = 1
	}
	for k := range rounds {
		if l.heldToSync() && !o.comparing() {
			took, err := syncTime(o.syncFile())
			if err != nil {
				return nil, err
			}
			l.syncs = append(l.syncs, took)
		}
		for j := range targets {
			i := j
			if (k+o.first)%2 == 1 {
				i = len(targets) - 1 - j // so that nobody is always the second
			}
			s, err := turn(i, o.round)
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], s)
		}
	}
	for i := range targets {
		if failed[i] {
			samples[i] = nil
		}
	}
	return samples, nil
}

// warmUp is how long each server works before it is timed: longest when it sees a
// query for the first time.
func (o *options) warmUp(l *line) time.Duration {
	if l.kind == rawClient && l.clients == l.query.clients[0] {
		return o.warm
	}
	return o.warm / 4
}

// spreadMax is the spread of the rounds beyond which a ratio is doubtful.
const spreadMax = 0.25

// place puts the rounds of some servers into the columns of all.
func place(samples [][]sample, some, all []*target) [][]sample {
	out := make([][]sample, len(all))
	for i, t := range some {
		out[slices.Index(all, t)] = samples[i]
	}
	return out
}

// cells prints the rounds of each server, none where it does not hold the graph.
func cells(samples [][]sample) string {
	var b strings.Builder
	for _, rounds := range samples {
		if len(rounds) == 0 {
			b.WriteString(" - | - | - | - |")
			continue
		}
		var rates, p50, p99, cpu []float64
		for _, s := range rounds {
			rates = append(rates, s.perSecond())
			p50 = append(p50, float64(s.percentile(.5)))
			p99 = append(p99, float64(s.percentile(.99)))
			cpu = append(cpu, float64(s.cpu)/float64(max(s.requests, 1)))
		}
		fmt.Fprintf(&b, " %s | %s | %s | %s |", rate(median(rates)), short(median(p50)), short(median(p99)), short(median(cpu)))
	}
	for i := 1; i < len(samples); i++ {
		if len(samples[i]) == 0 {
			b.WriteString(" - | - |")
			continue
		}
		b.WriteString(ratioCells(ratios(samples[0], samples[i])))
	}
	return b.String()
}

// ratios are those of requests per second, round by round.
func ratios(ours, theirs []sample) []float64 {
	var all []float64
	for k := range theirs {
		all = append(all, ours[k].perSecond()/theirs[k].perSecond())
	}
	return all
}

// ratioCells gives the median and the spread.
func ratioCells(ratios []float64) string {
	return fmt.Sprintf(" %s%.2f | %.0f%% |", doubt(ratios), median(ratios), spread(ratios)*100)
}

// spread is how far the rounds are apart, as a part of their median.
func spread(ratios []float64) float64 {
	return (slices.Max(ratios) - slices.Min(ratios)) / median(ratios)
}

// doubt marks rounds that disagree too much to trust their median.
func doubt(ratios []float64) string {
	if spread(ratios) > spreadMax {
		return "~"
	}
	return ""
}

func rate(r float64) string {
	if r < 10 {
		return fmt.Sprintf("%.2f", r)
	}
	return fmt.Sprintf("%.0f", r)
}

func short(ns float64) string {
	d := time.Duration(ns)
	switch {
	case d < time.Millisecond:
		return d.Round(time.Microsecond / 10).String()
	case d < time.Second:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}
