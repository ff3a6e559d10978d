package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/storagetest"
)

// mineFrom is where ids begin that the server does not give away meanwhile.
const mineFrom = 1 << 40

// How much is taken back, purged, expires and is overwritten at once.
const (
	killUndone = 400
	killPurged = 300
	killDue    = 3000
	killRows   = 5000 // of which history is forgotten, each some times
)

const killConfig = `graphs:
  social: {history: forever, ttl: true, stamps: true, autoIndex: true}
  short: {history: 1s}
traversalSources: {g: social, gshort: short}
`

// timeKills is a server that is killed while it takes back, purges, drops what is due and
// forgets history, and what it has acknowledged of that.
type timeKills struct {
	*books
	r    *rand.Rand
	args []string
	c    *client.Conn

	version    string // that is taken back
	undone     bool   // it was acknowledged
	purged     bool
	mine       int    // the id of what is purged
	before     string // the version before all that
	there      int    // how much of what is due was there as of it
	overwrites int
	landed     map[string]int
}

// ask returns the results of a script as texts, or the error.
func (k *timeKills) ask(source, format string, args ...any) (out []string, err error) {
	vs, err := k.c.Text(context.Background(), source, "gremlin-lang", fmt.Sprintf(format, args...), nil)
	for _, v := range vs {
		out = append(out, v.String())
	}
	return out, err
}

// one returns the one result of a script.
func (k *timeKills) one(source, format string, args ...any) string {
	k.Helper()
	out, err := k.ask(source, format, args...)
	if err != nil || len(out) != 1 {
		k.Fatalf(format+": %v, %v", append(args, out, err)...)
	}
	return out[0]
}

func (k *timeKills) count(what string) int {
	k.Helper()
	n, err := strconv.Atoi(k.one("g", "g.%s.count()", what))
	if err != nil {
		k.Fatal(what, err)
	}
	return n
}

func (k *timeKills) dial(p *process) {
	k.Helper()
	k.c = dialLedger(k.T, p)
}

// fill makes what is taken back, purged, and due within seconds.
func (k *timeKills) fill() {
	k.Helper()
	if k.count("V(1)") == 0 {
		k.one("g", "g.addV('hub').property(T.id, 1).constant(1)")
		k.one("g", "g.inject(0).repeat(__.addV('p').property('name', 'x').addE('e').to(__.V(1))).times(%d).count()", killUndone)
		k.one("gshort", "g.inject(0).repeat(__.addV('w').property('n', 0)).times(%d).count()", killRows)
	}
	k.mine++
	k.one("g", "g.addV('mine').property(T.id, %d).constant(1)", k.mine)
	k.one("g", "g.V(%d).repeat(__.addE('own').to(__.V(1)).outV()).times(%d).count()", k.mine, killPurged)
	k.one("g", "g.V(%d).outE('own').property('at', 'somewhere').count()", k.mine)
	k.one("g", "g.V().hasLabel('p').count().sideEffect(__.V().hasLabel('p').drop())")
	k.version = k.one("g", "g.call('gremlind.trash', [limit: 1]).select('version')")
	k.one("g", "g.inject(0).repeat(__.addV('s').with('ttl', 'PT2S').property('name', 'x').addE('e').to(__.V(1))).times(%d).count()", killDue)
	k.before, k.there = k.one("g", "g.call('gremlind.version').select('version')"), k.count("V().hasLabel('s')")
}

// overwrite makes history that is forgotten a second later.
func (k *timeKills) overwrite() {
	k.Helper()
	for range 5 {
		k.overwrites++
		k.one("gshort", "g.V().hasLabel('w').property(Cardinality.single, 'n', %d).count()", k.overwrites)
	}
}

// forgetting waits until history is forgotten.
func (k *timeKills) forgetting() {
	k.Helper()
	first := k.one("gshort", "g.call('gremlind.version').select('version')")
	k.overwrite()
	waitFor(k.T, "the forgetting of history", func() bool {
		_, err := k.ask("gshort", "g.with('asOf', '%s').V().limit(1)", first)
		return err != nil
	})
}

// amid begins to take back and to purge, and kills the server some time later.
func (k *timeKills) amid(p *process) {
	var wg sync.WaitGroup
	begin := func(done *bool, format string, args ...any) {
		c := dialLedger(k.T, p)
		wg.Go(func() {
			defer func() { _ = c.Close() }() // the server is gone
			_, err := c.Text(context.Background(), "g", "gremlin-lang", fmt.Sprintf(format, args...), nil)
			*done = err == nil
		})
	}
	k.undone, k.purged = false, false
	begin(&k.undone, "g.call('gremlind.undo', [version: '%s'])", k.version)
	begin(&k.purged, "g.call('gremlind.purge', [vertex: %d])", k.mine)
	<-time.After(time.Duration(k.r.IntN([]int{50, 200, 800}[k.r.IntN(3)])) * time.Millisecond)
	p.kill()
	wg.Wait()
}

// look compares what the kill has left with what there was.
func (k *timeKills) look() {
	k.Helper()
	ps := k.count("V().hasLabel('p')")
	if es := k.count("V().hasLabel('p').outE('e')"); ps != es || ps != 0 && ps != killUndone || ps == 0 && k.undone {
		k.Errorf("undone is %d of %d vertices, %d edges; it was acknowledged: %v", ps, killUndone, es, k.undone)
	}
	mine, own := k.count(fmt.Sprintf("V(%d)", k.mine)), k.count("V(1).inE('own')")
	_, never := k.ask("g", "g.call('gremlind.history', [vertex: %d])", k.mine)
	if own != mine*killPurged || mine == 0 != (never != nil) || mine == 1 && k.purged {
		k.Errorf("purged: %d vertices, %d edges left, history says %v; it was acknowledged: %v", mine, own, never, k.purged)
	}
	before := func(what string) string { return k.one("g", "g.with('asOf', '%s').%s.count()", k.before, what) }
	if s := before("V().hasLabel('s').outE('e')"); s != strconv.Itoa(k.there) {
		k.Errorf("of %d that were there and expired, %s were", k.there, s)
	}
	if was := before("V(1).inE('own')"); was != strconv.Itoa(own) {
		k.Errorf("as of before there are %s edges of what is purged, and now %d", was, own)
	}
	if n := k.one("gshort", "g.V().hasLabel('w').values('n').dedup()"); n != strconv.Itoa(k.overwrites) {
		k.Errorf("overwritten is %s, and not %d", n, k.overwrites)
	}
	k.landed[fmt.Sprintf("undone %v, purged %v, some expired %v", ps != 0, mine == 0, k.count("V().hasLabel('s')") < k.there)]++
}

// finish ends what was begun.
func (k *timeKills) finish() {
	k.Helper()
	if k.count("V().hasLabel('p')") == 0 {
		k.one("g", "g.call('gremlind.undo', [version: '%s']).count()", k.version)
	}
	if k.count(fmt.Sprintf("V(%d)", k.mine)) == 1 {
		k.one("g", "g.call('gremlind.purge', [vertex: %d]).count()", k.mine)
	}
	if k.count("V().hasLabel('p').outE('e')") != killUndone || k.count("V(1).inE('own')") != 0 {
		k.Error("what was begun does not end")
	}
	waitFor(k.T, "what is due to go", func() bool { return k.count("V().hasLabel('s')") == 0 })
}

// TestTime_Kill kills the server beside clients who write, at some moment of an undo and a purge while what
// is due is dropped, and in the end while history is forgotten: each commit is there whole or not at all, what
// was acknowledged is there, and what was begun ends when it is asked for again.
func TestTime_Kill(t *testing.T) {
	cycles := max(2, raced.Part(3, 3)) // the last one is of its own
	if s := os.Getenv("CYCLES"); s != "" {
		cycles, _ = strconv.Atoi(s)
	}
	storagetest.Seeds(t, 1, func(t *testing.T, seed uint64) {
		dir := t.TempDir()
		k := &timeKills{books: newBooks(t), r: storagetest.Rand(seed), args: []string{"--data-dir", dir, writeFile(t, "g.yaml", killConfig)}, mine: mineFrom, landed: map[string]int{}}
		for cycle := range cycles {
			p := serve(t, k.args...)
			k.dial(p)
			k.fill()
			if cycle == cycles-1 {
				k.forgetting()
			} else {
				waitFor(t, "expiry", func() bool { return k.count("V().hasLabel('s')") < k.there })
			}
			end := k.write(p, 3)
			k.amid(p)
			end()
			wantDone(t, "check", "--data-dir", dir)
			p = serve(t, k.args...)
			verify(t, p, k.acked, k.maybe)
			k.dial(p)
			k.look()
			k.finish()
			p.kill()
			wantDone(t, "check", "--data-dir", dir)
		}
		t.Logf("%d acknowledged, %d unknown: %v", len(k.acked), len(k.maybe), k.landed)
	})
}
