package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/value"
)

// timeLedger is what clients know of their writes, and of versions that they were told.
type timeLedger struct {
	*testing.T
	next     atomic.Int64
	mu       sync.Mutex
	acked    []int
	versions []witnessed
}

// witnessed is a version: it holds all that was acknowledged before it was asked for, and nothing
// that was begun behind its answer.
type witnessed struct {
	version string
	acked   int // how many of them
	begun   int
}

// write adds entries until the connection ends.
func (l *timeLedger) write(c *client.Conn, number int) {
	defer func() { _ = c.Close() }() // the server is gone
	for {
		n := int(l.next.Add(1))
		if _, err := c.Bytecode(context.Background(), "g", newEntry(n, number)); err != nil {
			return
		}
		l.mu.Lock()
		l.acked = append(l.acked, n)
		l.mu.Unlock()
	}
}

// witness asks for versions until the connection ends.
func (l *timeLedger) witness(c *client.Conn) {
	defer func() { _ = c.Close() }()
	for {
		l.mu.Lock()
		w := witnessed{acked: len(l.acked)}
		l.mu.Unlock()
		v, err := c.Text(context.Background(), "g", "gremlin-lang", "g.call('gremlind.version').select('version')", nil)
		if err != nil {
			return
		}
		w.version, w.begun = v[0].Str(), int(l.next.Load())
		l.versions = append(l.versions, w)
		<-time.After(5 * time.Millisecond)
	}
}

// cycle has clients write until the server is killed.
func (l *timeLedger) cycle(p *process, d time.Duration) {
	var wg sync.WaitGroup
	for i := range 3 {
		c := dialLedger(l.T, p)
		wg.Go(func() { l.write(c, i) })
	}
	c, was := dialLedger(l.T, p), len(l.versions)
	wg.Go(func() { l.witness(c) })
	<-time.After(d)
	begun := l.next.Load() + 3
	waitFor(l.T, "writes", func() bool { return l.next.Load() > begun })
	p.kill()
	wg.Wait()
	if len(l.versions) == was {
		l.Error("no version was told")
	}
}

// verify reads what there was as of a version.
func (l *timeLedger) verify(c *client.Conn, w witnessed) {
	read := func(what string) []int {
		q := fmt.Sprintf("g.with('asOf','%s').%s.values('n')", w.version, what)
		got, err := c.Text(l.Context(), "g", "gremlin-lang", q, nil)
		if err != nil {
			l.Fatalf("%s: %v", q, err)
		}
		return numbersOf(got)
	}
	entries := read("V().hasLabel('entry')")
	for _, what := range []string{"V().hasLabel('twin')", "E().hasLabel('of')"} {
		if got := read(what); !slices.Equal(got, entries) {
			l.Errorf("as of %s: %s are %v, and entries %v", w.version, what, got, entries)
		}
	}
	for _, n := range l.acked[:w.acked] {
		if _, has := slices.BinarySearch(entries, n); !has {
			l.Errorf("as of %s, %d is lost", w.version, n)
		}
	}
	if n := len(entries); n > 0 && entries[n-1] > w.begun {
		l.Errorf("as of %s there is %d, and no more than %d was begun", w.version, entries[n-1], w.begun)
	}
}

func numbersOf(vs []value.Value) []int {
	out := make([]int, len(vs))
	for i, v := range vs {
		out[i] = int(v.Int64())
	}
	slices.Sort(out)
	return out
}

// TestTime_Ledger kills the server while clients write and are told versions, again and again: as
// of each of these there is afterwards what there was.
func TestTime_Ledger(t *testing.T) {
	storagetest.Seeds(t, 1, func(t *testing.T, seed uint64) {
		l := &timeLedger{T: t}
		args := []string{"--data-dir", t.TempDir(), writeFile(t, "g.yaml", "graphs:\n  social: {history: forever}\ntraversalSources: {g: social}\n")}
		r := storagetest.Rand(seed)
		for range 2 {
			l.cycle(serve(t, args...), time.Duration(50+r.IntN(200))*time.Millisecond)
		}
		c := dialLedger(t, serve(t, args...))
		defer c.Close()
		for range 12 {
			l.verify(c, l.versions[r.IntN(len(l.versions))])
		}
		l.verify(c, l.versions[len(l.versions)-1])
		t.Logf("%d versions, %d acknowledged", len(l.versions), len(l.acked))
	})
}
