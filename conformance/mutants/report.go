package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"time"
)

// report prints a line for each mutant, and counts them by package.
type report struct {
	out    io.Writer
	counts map[string]*count
	all    count
}

type count struct{ killed, tried int }

func (c count) share() float64 { return 100 * float64(c.killed) / float64(max(c.tried, 1)) }

func (r *report) add(m *mutant, v verdict) {
	if r.counts == nil {
		r.counts = map[string]*count{}
	}
	name := m.pack.short()
	if r.counts[name] == nil {
		r.counts[name] = &count{}
	}
	for _, c := range []*count{r.counts[name], &r.all} {
		c.tried++
		if v.outcome == killed || v.outcome == hung {
			c.killed++
		}
	}
	by := ""
	if v.by != "" {
		by = " by " + v.by
	}
	fmt.Fprintf(r.out, "%-9s %s (%s%s)\n", v.outcome, m, v.took.Round(100*time.Millisecond), by)
	if v.outcome == survived || v.outcome == unreached {
		fmt.Fprintf(r.out, "          %s\n", m.line)
	}
}

func (r *report) share() float64 { return r.all.share() }

// unseen is the file and the description of each mutant that a report says survived.
func unseen(report []byte) map[string]bool {
	all := map[string]bool{}
	for _, m := range survivor.FindAllSubmatch(report, -1) {
		all[string(m[1])+" "+string(m[2])] = true
	}
	return all
}

var survivor = regexp.MustCompile(`(?m)^(?:survived|unreached) +(\S+\.go):\d+ (.*) \([^()]*\)$`)

// print writes the shares; places is how many changes could have been drawn, gone are
// listed changes whose code is not there any more.
func (r *report) print(places int, gone []key) {
	fmt.Fprintf(r.out, "\n%-40s %6s %6s\n", "package", "killed", "of")
	for _, name := range slices.Sorted(maps.Keys(r.counts)) {
		c := r.counts[name]
		fmt.Fprintf(r.out, "%-40s %6d %6d %6.1f %%\n", name, c.killed, c.tried, c.share())
	}
	fmt.Fprintf(r.out, "%-40s %6d %6d %6.1f %%   out of %d places\n", "all", r.all.killed, r.all.tried, r.share(), places)
	for _, k := range gone {
		fmt.Fprintf(r.out, "listed as equivalent, but gone: %s %s: %s\n", k.file, k.function, k.what)
	}
}
