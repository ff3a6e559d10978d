package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/conformance/server"
	"github.com/gremlind/gremlind/storage/value"
)

func run(ctx context.Context, o options) error {
	var err error
	if o.work == "" {
		o.work = filepath.Join(o.root, "conformance", ".cache", "bench")
	}
	if o.work, err = filepath.Abs(o.work); err != nil {
		return fmt.Errorf("locate work folder: %w", err)
	}
	if err := os.MkdirAll(o.work, 0o755); err != nil {
		return fmt.Errorf("make work folder: %w", err)
	}
	if o.binary == "" {
		if o.binary, err = server.Build(ctx, o.root); err != nil {
			return err
		}
	}
	d, err := generate(ctx, o.binary, o.work, o.edges)
	if err != nil {
		return err
	}
	targets, err := startAll(ctx, o, d)
	defer func() {
		for _, t := range targets {
			if t.stop != nil {
				t.stop()
			}
		}
	}()
	if err != nil {
		return err
	}
	w, closeOut, err := o.output()
	if err != nil {
		return err
	}
	defer closeOut()
	if o.counted {
		return runCounted(ctx, o, d, targets, w)
	}
	printServers(w, d, targets)
	sync, err := syncTime(o.syncFile())
	if err != nil {
		return err
	}
	if o.references && !o.comparing() {
		if err := printFloors(w, o, d, targets, sync); err != nil {
			return err
		}
	}
	if o.comparing() {
		return runUnslowed(ctx, o, d, targets, w)
	}
	if err := warmServers(o, d, targets); err != nil {
		return err
	}
	lines, err := runProfiled(ctx, o, d, targets, w)
	if err != nil {
		return err
	}
	fmt.Fprint(w, notesOn(lines))
	bars, err := runOthers(ctx, o, d, targets, w)
	if err != nil {
		return err
	}
	return o.summarize(d, targets, lines, append(floorBars(targets, lines), bars...), sync)
}

// runProfiled is runQueries, while gremlind is profiled where that is asked for.
func runProfiled(ctx context.Context, o options, d *dataset, targets []*target, w io.Writer) (lines []line, err error) {
	if o.profiles != "" {
		end, err := targets[0].profile(ctx, o.profiles)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, end()) }()
	}
	return runQueries(ctx, o, d, targets, w)
}

// runOthers measures what is no query of the table, and returns rows of the short table.
func runOthers(ctx context.Context, o options, d *dataset, targets []*target, w io.Writer) ([]floorBar, error) {
	if o.wantsRow("18") {
		if err := measureHog(d, targets, w); err != nil {
			return nil, err
		}
	}
	for _, t := range targets {
		fmt.Fprintf(w, "\n%s: %s resident behind the reads, %s at the end", t.name, megabytes(t.cachedMB), megabytes(residentMB(t.pid)))
	}
	fmt.Fprintln(w)
	var bars []floorBar
	for _, m := range []struct {
		row     string
		measure func(context.Context, options, io.Writer) ([]floorBar, error)
	}{{importRow, measureLargeImport}, {"19", measureSides}} {
		if !o.wantsRow(m.row) {
			continue
		}
		some, err := m.measure(ctx, o, w)
		if err != nil {
			return nil, fmt.Errorf("row %s: %w", m.row, err)
		}
		bars = append(bars, some...)
	}
	return bars, nil
}

// syncFile is where syncs are measured: on the disk of the servers' data.
func (o *options) syncFile() string { return filepath.Join(o.work, "floor.sync") }

func (o *options) output() (io.Writer, func(), error) {
	if o.out == "" {
		return os.Stdout, func() {}, nil
	}
	f, err := os.Create(o.out)
	if err != nil {
		return nil, nil, fmt.Errorf("create table file: %w", err)
	}
	return io.MultiWriter(os.Stdout, f), func() { f.Close() }, nil
}

// startAll starts gremlind first: it is the one that others are compared with.
func startAll(ctx context.Context, o options, d *dataset) ([]*target, error) {
	var targets []*target
	add := func(t *target, err error) error {
		if err != nil {
			return err
		}
		targets = append(targets, t)
		return t.learnIDs(ctx, d)
	}
	if o.denied {
		targets, err := startDenied(ctx, o, d)
		for _, t := range targets {
			if err == nil {
				err = t.learnIDs(ctx, d)
			}
		}
		return targets, err
	}
	if err := add(startGremlind(ctx, o, d, "gremlind", o.binary)); err != nil {
		return targets, err
	}
	if o.old != "" {
		return targets, add(startGremlind(ctx, o, d, "old", o.old))
	}
	if o.counted {
		return targets, nil
	}
	if o.gremlinServer {
		if err := add(startJava(ctx, o, d, gremlinServer())); err != nil {
			return targets, err
		}
	}
	if o.janusGraph {
		if err := add(startJava(ctx, o, d, janusGraph())); err != nil {
			return targets, err
		}
	}
	for _, n := range o.targets {
		if err := add(&target{name: n.name, url: n.url, durability: "unknown"}, nil); err != nil {
			return targets, err
		}
	}
	if !o.references {
		return targets, nil
	}
	for _, name := range []string{cannedName, committedName, naiveName} {
		t, err := startReference(ctx, o, d, name)
		if err != nil {
			return targets, err
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// learnIDs asks a server for its ids of the vertices that queries begin at. Servers
// that took the generator's ids need no table.
func (t *target) learnIDs(ctx context.Context, d *dataset) error {
	ids := map[int32]value.Value{}
	wanted := append([]int32{d.partner(0)}, d.seeds...)
	same := true
	for from := 0; from < len(wanted); from += 100 {
		part := wanted[from:min(from+100, len(wanted))]
		var names []string
		for _, v := range part {
			names = append(names, fmt.Sprintf("%q", personName(v)))
		}
		rows, err := t.text(ctx, "g", "g.V().has('name', within("+strings.Join(names, ",")+")).project('n','i').by('name').by(id)")
		if err != nil {
			return fmt.Errorf("ids of %s: %w", t.name, err)
		}
		for _, r := range rows {
			name, _ := r.Map().GetString("n")
			id, _ := r.Map().GetString("i")
			v := mustID(strings.TrimPrefix(name.Str(), "p"))
			ids[v] = id
			same = same && id.JavaString() == fmt.Sprint(v)
		}
	}
	for _, v := range wanted {
		if _, ok := ids[v]; !ok {
			return fmt.Errorf("%s does not hold the generated graph: there is no vertex named %s", t.name, personName(v))
		}
	}
	if !same {
		t.ids = ids
	}
	return nil
}

func (o *options) wants(q *query) bool {
	if o.only != nil {
		return slices.Contains(o.only, q)
	}
	return o.wantsRow(q.row) && (q.row != "11" || o.computer || o.rows != "")
}

func (o *options) wantsRow(row string) bool {
	return o.rows == "" || slices.Contains(strings.Split(o.rows, ","), row)
}

func runQueries(ctx context.Context, o options, d *dataset, targets []*target, w io.Writer) ([]line, error) {
	printHeading(w, targets)
	var lines []line
	cached := false
	for i := range queries {
		q := &queries[i]
		if !o.wants(q) {
			continue
		}
		if q.write && !cached {
			cached = true
			noteCached(targets)
		}
		holders := holding(ctx, q, targets)
		if !q.write {
			var err error
			if holders, err = compare(ctx, q, d, holders); err != nil {
				return nil, err
			}
		}
		some, err := measureQuery(ctx, o, q, d, targets, holders, w)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.name, err)
		}
		lines = append(lines, some...)
	}
	if !cached {
		noteCached(targets)
	}
	return lines, nil
}

// warmServers has each server work on the first query, long enough for a virtual
// machine to compile what all queries use.
func warmServers(o options, d *dataset, targets []*target) error {
	for _, t := range targets {
		if t.reference {
			continue
		}
		l, err := queries[0].build(t, d)
		if err != nil {
			return err
		}
		c, err := connect(t, l, rawClient, 16)
		if err != nil {
			return err
		}
		_, err = round(t, c, 8*o.warm)
		c.close()
		if err != nil {
			return fmt.Errorf("warm %s: %w", t.name, err)
		}
	}
	return nil
}

// noteCached takes the memory of servers whose caches the reading queries have filled.
func noteCached(targets []*target) {
	for _, t := range targets {
		t.cachedMB = residentMB(t.pid)
	}
}

// holding are the servers that have the query's graph and know its steps.
func holding(ctx context.Context, q *query, targets []*target) []*target {
	var out []*target
	for _, t := range targets {
		if t.answers != nil && !t.answers(q) {
			continue
		}
		if q.source != "" {
			if _, err := t.text(ctx, q.source, "g.V().limit(1).count()"); err != nil {
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

// compare asks all for the same and returns those that answered; another answer than
// gremlind's ends the run.
func compare(ctx context.Context, q *query, d *dataset, targets []*target) ([]*target, error) {
	var first []answer
	var of string
	var answered []*target
	for i, t := range targets {
		if t.fixed {
			answered = append(answered, t)
			continue
		}
		a, err := q.answers(ctx, t, d)
		if err != nil {
			if i == 0 {
				return nil, err
			}
			giveUp(t, q, err)
			continue
		}
		answered = append(answered, t)
		if first == nil {
			first, of = a, t.name
			continue
		}
		for k := range a {
			if a[k] != first[k] {
				return nil, fmt.Errorf("%s: %s answers %v and %s %v to request %d", q.name, of, first[k], t.name, a[k], k)
			}
		}
	}
	return answered, nil
}

// giveUp tells that a peer failed at a query: its cells stay empty, the run goes on.
func giveUp(t *target, q *query, err error) {
	fmt.Fprintf(os.Stderr, "bench: %s fails at %q: %v\n", t.name, q.name, err)
}
