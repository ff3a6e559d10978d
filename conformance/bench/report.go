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
	fmt.Fprintln(w, "| server | writes survive | start to first answer | load | edges/s | RSS empty | RSS loaded |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, t := range targets {
		t.loadedMB = residentMB(t.pid)
		perSecond := "-"
		if t.load > 0 {
			perSecond = fmt.Sprintf("%.0f", float64(d.edges)/t.load.Seconds())
		}
		fmt.Fprintf(w, "| %s | %s | %v | %v | %s | %d MB | %d MB |\n", t.name, t.durability, t.start.Round(time.Millisecond),
			t.load.Round(10*time.Millisecond), perSecond, t.emptyMB, t.loadedMB)
	}
	fmt.Fprintln(w)
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

// measureQuery prints a line per client and number of clients.
func measureQuery(ctx context.Context, o options, q *query, d *dataset, all, targets []*target, w io.Writer) error {
	loads := make([]*load, len(targets))
	for i, t := range targets {
		var err error
		if loads[i], err = q.build(t, d); err != nil {
			return err
		}
	}
	kinds := []string{rawClient, driverClient}
	if q.noDriver {
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		for _, clients := range q.clients {
			samples, err := alternate(ctx, o, q, targets, loads, kind, clients)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "| %s | %s | %s | %d |%s\n", q.row, q.name, kind, clients, cells(place(samples, targets, all)))
		}
	}
	return nil
}

// alternate lets the servers take turns and returns each one's rounds.
func alternate(ctx context.Context, o options, q *query, targets []*target, loads []*load, kind string, clients int) ([][]sample, error) {
	samples := make([][]sample, len(targets))
	askers := make([][]asker, len(targets))
	for i, t := range targets {
		a, done, err := connect(t, loads[i], kind, clients)
		if err != nil {
			return nil, err
		}
		defer done()
		askers[i] = a
		if !q.slow {
			if _, err := round(t, a, len(loads[i].frames), warmUp); err != nil {
				return nil, fmt.Errorf("%s: %w", t.name, err)
			}
		}
	}
	rounds := o.rounds
	if q.slow {
		rounds = min(rounds, 2)
	}
	for range rounds {
		for i, t := range targets {
			if ctx.Err() != nil {
				return nil, errors.New("stopped")
			}
			s, err := round(t, askers[i], len(loads[i].frames), o.round)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", t.name, err)
			}
			samples[i] = append(samples[i], s)
		}
	}
	return samples, nil
}

// spreadMax is the spread of the rounds beyond which no ratio is given.
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
		var ratios []float64
		for k := range samples[i] {
			ratios = append(ratios, samples[0][k].perSecond()/samples[i][k].perSecond())
		}
		b.WriteString(ratioCells(ratios))
	}
	return b.String()
}

// ratioCells gives the median, marked when the rounds disagree too much to trust it.
func ratioCells(ratios []float64) string {
	m := median(ratios)
	low, high := ratios[0], ratios[0]
	for _, r := range ratios {
		low, high = min(low, r), max(high, r)
	}
	spread := (high - low) / m
	mark := ""
	if spread > spreadMax {
		mark = "~"
	}
	return fmt.Sprintf(" %s%.2f | %.0f%% |", mark, m, spread*100)
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
