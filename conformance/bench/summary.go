package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// The bars of a server's life; those of queries stand with them.
const (
	startBar    = 100 * time.Millisecond
	emptyBarMB  = 40
	cachedBarMB = 300
	loadBar     = 400_000 // edges a second, with two properties and an index
)

// summarize writes the short table: one line per query, and where a bar is missed.
func (o *options) summarize(d *dataset, targets []*target, lines []line, bars []floorBar, sync time.Duration) error {
	if o.summary == "" {
		return nil
	}
	var b strings.Builder
	ours := targets[0]
	fmt.Fprintf(&b, "R-MAT graph of %s vertices and %s edges, seed %d, on %s.\n\n| | measured | bar |\n|---|---|---|\n",
		thousands(int64(d.vertices)), thousands(d.edges), generatorSeed, processors(runtime.NumCPU()))
	for _, s := range []struct {
		what, measured, bar string
		met                 bool
	}{
		{"start to first answer, nothing stored", measured(ours.startEmpty), "100 ms", ours.startEmpty < startBar},
		{"start to first answer, graph loaded", measured(ours.startLoaded), "100 ms", ours.startLoaded < startBar},
		{"resident memory, nothing stored", megabytes(ours.emptyMB), "40 MB", ours.emptyMB < emptyBarMB},
		{"resident memory, graph loaded and cached", megabytes(ours.cachedMB), "300 MB", ours.cachedMB < cachedBarMB},
		{"import and index, edges a second", fmt.Sprintf("%.0f", float64(d.edges)/ours.load.Seconds()), "400,000", float64(d.edges)/ours.load.Seconds() >= loadBar},
		{"4 KiB appended to a file and synced, which every commit waits for", measured(sync), "-", true},
	} {
		fmt.Fprintf(&b, "| %s | %s | %s%s |\n", s.what, s.measured, s.bar, missed(s.met))
	}
	for _, s := range bars {
		fmt.Fprintf(&b, "| %s | %s | %s%s |\n", s.what, s.measured, s.bar, missed(s.met))
	}
	if i := slices.IndexFunc(targets, func(t *target) bool { return t.name == peerName }); i > 0 {
		writeRatios(&b, lines, i)
		b.WriteString(notesOn(lines))
	}
	if err := os.WriteFile(o.summary, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("write summary: %w", err)
	}
	return nil
}

// thousands writes a number with a comma before every three digits.
func thousands(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

func processors(n int) string {
	if n == 1 {
		return "one processor core"
	}
	return fmt.Sprintf("%d processor cores", n)
}

func missed(met bool) string {
	if met {
		return ""
	}
	return ", **missed**"
}

// writeRatios writes one line per query; requests per second are those of the most
// raw clients, ratios those of each number of clients.
func writeRatios(b *strings.Builder, lines []line, peer int) {
	fmt.Fprintf(b, "\n| query | gremlind req/s | %s req/s | ratio, raw | ratio, gremlin-go | bar |\n|---|---|---|---|---|---|\n", peerName)
	for len(lines) > 0 {
		q := lines[0].query
		n := 0
		for n < len(lines) && lines[n].query == q {
			n++
		}
		writeRatio(b, q, lines[:n], peer)
		lines = lines[n:]
	}
}

func writeRatio(b *strings.Builder, q *query, lines []line, peer int) {
	var raw, driver []string
	var most *line
	met := true
	for i := range lines {
		l := &lines[i]
		if len(l.samples[peer]) == 0 {
			continue
		}
		all := ratios(l.samples[0], l.samples[peer])
		cell := doubt(all) + short3(median(all))
		if l.judged() && median(all) < q.bar(l.kind) {
			met = false
			cell = "**" + cell + "**"
		}
		if l.kind == driverClient {
			driver = append(driver, cell)
			continue
		}
		if most == nil || l.kind == rawClient {
			most = l
		}
		raw = append(raw, cell)
	}
	if most == nil {
		return
	}
	if len(driver) == 0 {
		driver = []string{"-"}
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s%s |\n", q.name, typicalRate(most.samples[0]), typicalRate(most.samples[peer]),
		strings.Join(raw, " / "), strings.Join(driver, " / "), q.bars(), missed(met))
}

// short3 writes about three digits.
func short3(r float64) string {
	switch {
	case r < 10:
		return fmt.Sprintf("%.2f", r)
	case r < 100:
		return fmt.Sprintf("%.1f", r)
	}
	return fmt.Sprintf("%.0f", r)
}

func typicalRate(rounds []sample) string {
	var rates []float64
	for _, s := range rounds {
		rates = append(rates, s.perSecond())
	}
	return rate(median(rates))
}

// bar is the ratio that gremlind must reach with a kind of client.
func (q *query) bar(kind string) float64 {
	bar := q.barRaw
	if kind == driverClient {
		bar = q.barDriver
	}
	if bar == 0 {
		return 1
	}
	return bar
}

// judged reports whether the line is held to a ratio to Gremlin Server.
func (l *line) judged() bool { return !l.query.committed || l.kind == deepClient }

func (q *query) bars() string {
	raw, driver := q.bar(rawClient), q.bar(driverClient)
	if q.committed {
		return fmt.Sprintf("%v with eight each", raw)
	}
	if raw == driver || q.noDriver {
		return fmt.Sprint(raw)
	}
	return fmt.Sprintf("%v; %v", raw, driver)
}
