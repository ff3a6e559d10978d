package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// What gremlind is compared with beside other servers: what a sync costs, and servers
// that do nothing but their wire and their commit.
const (
	alonePast     = 120 * time.Microsecond // that a write takes beside the sync of one client
	togetherPast  = 400 * time.Microsecond // of sixteen
	ofBareCommits = 0.9
	ofConstants   = 0.75
)

// floorBar is a row of the short table.
type floorBar struct {
	what, measured, bar string
	met                 bool
}

// floorBars are the rows for which what they need was measured.
func floorBars(targets []*target, lines []line, sync time.Duration) []floorBar {
	var all []floorBar
	for i := range lines {
		l := &lines[i]
		if !l.query.committed || l.kind != rawClient || l.clients > deepClients {
			continue
		}
		past := alonePast
		if l.clients > 1 {
			past = togetherPast
		}
		p50 := l.p50()
		all = append(all, floorBar{
			fmt.Sprintf("%s, %d at once: median time", l.query.name, l.clients), measured(p50),
			fmt.Sprintf("a synced append and %v", past), p50 <= sync+past,
		})
	}
	return append(all, slices.Concat(
		ratioBar(targets, lines, committedName, "of the rate of bare Pebble commits", ofBareCommits, func(l *line) bool { return l.query.committed && l.kind == deepClient }),
		ratioBar(targets, lines, cannedName, "of the rate of a server that answers a constant", ofConstants, func(l *line) bool { return l.query.canned && l.query.row == "1" && l.kind != driverClient }),
	)...)
}

// ratioBar is the row that compares the lines that fit with a reference, none without.
func ratioBar(targets []*target, lines []line, name, of string, bar float64, fits func(*line) bool) []floorBar {
	at := slices.IndexFunc(targets, func(t *target) bool { return t.name == name })
	if at < 0 {
		return nil
	}
	what, met := "", true
	var cells []string
	for i := range lines {
		l := &lines[i]
		if !fits(l) || len(l.samples[at]) == 0 {
			continue
		}
		r := ratios(l.samples[0], l.samples[at])
		what, met = l.query.name, met && median(r) >= bar
		cells = append(cells, doubt(r)+short3(median(r)))
	}
	if len(cells) == 0 {
		return nil
	}
	return []floorBar{{what + ", " + of, strings.Join(cells, " / "), fmt.Sprint(bar), met}}
}

// p50 is the median over the rounds of gremlind's median time.
func (l *line) p50() time.Duration {
	var all []float64
	for _, s := range l.samples[0] {
		all = append(all, float64(s.percentile(0.5)))
	}
	return time.Duration(median(all))
}
