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
func floorBars(targets []*target, lines []line) []floorBar {
	var all []floorBar
	for i := range lines {
		if l := &lines[i]; len(l.syncs) > 0 {
			all = append(all, syncBar(l))
		}
	}
	for i := 0; i < len(lines); {
		q, from := lines[i].query, i
		for i < len(lines) && lines[i].query == q {
			i++
		}
		if q.committed {
			all = append(all, ratioBar(targets, lines[from:i], committedName, "of the rate of bare Pebble commits", ofBareCommits, deepClient)...)
		}
		if q.point {
			all = append(all, ratioBar(targets, lines[from:i], cannedName, "of the rate of a server that answers a constant", ofConstants, rawClient, deepClient)...)
		}
	}
	return all
}

// syncBar is the row of what the clients of a line wait for beside a sync: round by round,
// for a disk has moods.
func syncBar(l *line) floorBar {
	past := alonePast
	if l.clients > 1 {
		past = togetherPast
	}
	var waits, syncs, beside []float64
	for k, sync := range l.syncs {
		p50 := l.samples[0][k].percentile(0.5)
		waits, syncs, beside = append(waits, float64(p50)), append(syncs, float64(sync)), append(beside, float64(p50-sync))
	}
	return floorBar{
		fmt.Sprintf("%s, %d at once: median time", l.query.name, l.clients),
		fmt.Sprintf("%s, a synced append and %s", short(median(waits)), short(median(beside))),
		fmt.Sprintf("a synced append (%s) and %v", short(median(syncs)), past), median(beside) <= float64(past),
	}
}

// ratioBar is the row that compares lines of one query with a reference, none when it took no part.
func ratioBar(targets []*target, lines []line, name, of string, bar float64, kinds ...string) []floorBar {
	at := slices.IndexFunc(targets, func(t *target) bool { return t.name == name })
	if at < 0 {
		return nil
	}
	met := true
	var cells []string
	for i := range lines {
		l := &lines[i]
		if !slices.Contains(kinds, l.kind) || len(l.samples[at]) == 0 {
			continue
		}
		r := ratios(l.samples[0], l.samples[at])
		met = met && median(r) >= bar
		cells = append(cells, doubt(r)+short3(median(r)))
	}
	if len(cells) == 0 {
		return nil
	}
	return []floorBar{{lines[0].query.name + ", " + of, strings.Join(cells, " / "), fmt.Sprint(bar), met}}
}
