package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// What small requests take is lost in the noise of a machine long before it is little: callgrind
// counts it instead. The servers run in it, a good deal slower, on the processor that it
// models, and it tells how many instructions a request takes and how often memory is not in a
// cache. Two binaries whose counts agree are equally fast wherever they run.

// callgrind is the command with the caches that it models, of a core and behind those. It cannot
// bear the signals by which Go interrupts what computes for long.
var callgrind = []string{
	"env", "GODEBUG=asyncpreemptoff=1", "valgrind", "--tool=callgrind", "--instr-atstart=no", "--cache-sim=yes",
	"--I1=32768,8,64", "--D1=32768,8,64", "--LL=524288,8,64",
}

// countedDepth is how many requests each client has under way.
const countedDepth = 8

// countedClients are how many there are: their requests share what the caches hold.
const countedClients = 4

// counts are how often something happened.
type counts struct{ instructions, code, data, far float64 }

// countedColumns are the events of callgrind that make each count.
var countedColumns = map[string]func(*counts) *float64{
	"Ir":   func(c *counts) *float64 { return &c.instructions },
	"I1mr": func(c *counts) *float64 { return &c.code },
	"D1mr": func(c *counts) *float64 { return &c.data },
	"D1mw": func(c *counts) *float64 { return &c.data },
	"ILmr": func(c *counts) *float64 { return &c.far },
	"DLmr": func(c *counts) *float64 { return &c.far },
	"DLmw": func(c *counts) *float64 { return &c.far },
}

// runCounted prints what requests of the wanted rows take on each target.
func runCounted(ctx context.Context, o options, d *dataset, targets []*target, w io.Writer) error {
	if _, err := exec.LookPath("valgrind"); err != nil {
		return fmt.Errorf("requests are counted by callgrind: %w", err)
	}
	for _, t := range targets {
		if err := forgetCounts(o.countsFile(t)); err != nil {
			return err
		}
		t.within = append(callgrind, "--callgrind-out-file="+o.countsFile(t))
		if err := t.restart(); err != nil {
			return fmt.Errorf("start %s in callgrind: %w", t.name, err)
		}
	}
	fmt.Fprint(w, "| query | server | instructions | code not near | data not near | not in 512 KiB |\n|---|---|---|---|---|---|\n")
	for i := range queries {
		q := &queries[i]
		if !o.wants(q) || q.slow || q.times > 0 {
			continue
		}
		for _, t := range targets {
			c, err := o.count(ctx, q, t, d)
			if err != nil {
				return fmt.Errorf("count %s on %s: %w", q.name, t.name, err)
			}
			fmt.Fprintf(w, "| %s | %s | %.0f | %.0f | %.0f | %.0f |\n", q.name, t.name, c.instructions, c.code, c.data, c.far)
		}
	}
	return nil
}

func (o *options) countsFile(t *target) string { return filepath.Join(o.work, t.name+".callgrind") }

// count returns what a request of a query takes, on a server that has met it.
func (o *options) count(ctx context.Context, q *query, t *target, d *dataset) (counts, error) {
	load, err := q.build(t, d)
	if err != nil {
		return counts{}, err
	}
	clients, err := connectRaw(t.url, load, countedDepth, countedClients)
	if err != nil {
		return counts{}, err
	}
	defer clients.close()
	asked := 0
	ask := func() error {
		found := make([][]time.Duration, clients.count())
		err := clients.run(found, o.round)
		for asked = 0; len(found) > 0; found = found[1:] {
			asked += len(found[0])
		}
		return err
	}
	control := func(args ...string) func() error {
		return func() error { return controlCallgrind(ctx, t.pid, args...) }
	}
	before, err := dumps(o.countsFile(t))
	if err != nil {
		return counts{}, err
	}
	for _, do := range []func() error{ask, control("-i", "on"), ask, control("-z"), ask, control("-d"), control("-i", "off")} {
		if err := do(); err != nil {
			return counts{}, err
		}
	}
	after, err := dumps(o.countsFile(t))
	if err != nil {
		return counts{}, err
	}
	if len(after) != len(before)+1 || asked == 0 {
		return counts{}, fmt.Errorf("%d requests, %d dumps of callgrind where there were %d", asked, len(after), len(before))
	}
	f, err := os.Open(after[len(after)-1])
	if err != nil {
		return counts{}, fmt.Errorf("open counts: %w", err)
	}
	defer f.Close()
	return readCounts(f, float64(asked))
}

func controlCallgrind(ctx context.Context, pid int, args ...string) error {
	out, err := exec.CommandContext(ctx, "callgrind_control", append(args, strconv.Itoa(pid))...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("callgrind_control %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// dumps lists what callgrind has written so far, in order.
func dumps(file string) ([]string, error) {
	var list []string
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.%d", file, n)
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("look for counts: %w", err)
		}
		list = append(list, name)
	}
}

// forgetCounts removes what an earlier run had callgrind write.
func forgetCounts(file string) error {
	old, err := dumps(file)
	for _, name := range old {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// readCounts reads the sums of a dump, for each of so many requests.
func readCounts(r io.Reader, requests float64) (c counts, err error) {
	var events []string
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, rest, _ := strings.Cut(lines.Text(), ":")
		switch name {
		case "events":
			events = strings.Fields(rest)
		case "totals":
			sums := strings.Fields(rest)
			if len(sums) > len(events) || len(sums) == 0 {
				return c, fmt.Errorf("%d sums of %d events", len(sums), len(events))
			}
			for i, text := range sums {
				n, err := strconv.ParseInt(text, 10, 64)
				if err != nil {
					return c, fmt.Errorf("sum of %s: %w", events[i], err)
				}
				if of := countedColumns[events[i]]; of != nil {
					*of(&c) += float64(n)
				}
			}
			return counts{c.instructions / requests, c.code / requests, c.data / requests, c.far / requests}, nil
		}
	}
	if err := lines.Err(); err != nil {
		return c, fmt.Errorf("read counts: %w", err)
	}
	return c, errors.New("the counts have no sums")
}
