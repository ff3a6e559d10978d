package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// TestDriverFindsWhatWasAcknowledgedAfterKill is the promise in one test.
func TestDriverFindsWhatWasAcknowledgedAfterKill(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	conn, g := p.connect("g")
	for i := range 20 {
		if err := <-g.AddV("person").Property("name", fmt.Sprint("p", i)).Iterate(); err != nil {
			t.Fatalf("addV: %v", err)
		}
	}
	conn.Close()
	p.kill()

	p = serve(t, "--data-dir", dir)
	conn, g = p.connect("g")
	defer conn.Close()
	n, err := g.V().Count().Next()
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := n.GetInt64(); c != 20 {
		t.Errorf("%d vertices after the kill, want 20", c)
	}
	m, err := g.V().Has("name", "p7").ValueMap().Next()
	if err != nil || !strings.Contains(fmt.Sprint(m), "p7") {
		t.Errorf("valueMap: %v %v", m, err)
	}
	if code := p.stop(syscall.SIGTERM); code != exitDone {
		t.Errorf("exit code %d after SIGTERM", code)
	}
}

// ledger is what a client knows of its writes: each adds a vertex with a number, an
// edge to the vertex before, a property on it, and one whose key is new, in one request.
type ledger struct {
	acked   []int
	unknown []int
}

// write adds entries until the connection dies.
func (l *ledger) write(c *client.Conn, number int, next *atomic.Int64) {
	for {
		n := int(next.Add(1))
		if _, err := c.Bytecode(context.Background(), "g", newEntry(n, number)); err != nil {
			l.unknown = append(l.unknown, n)
			return
		}
		l.acked = append(l.acked, n)
	}
}

// ownKey begins the key that only one entry has.
const ownKey = "only "

// newEntry is the traversal of one entry.
func newEntry(n, client int) value.Value {
	b := &traversal.Bytecode{}
	add := func(step string, args ...value.Value) {
		b.Steps = append(b.Steps, traversal.Instruction{Name: step, Args: args})
	}
	number := func() { add("property", value.String("n"), value.Int(int32(n))) }
	add("addV", value.String("entry"))
	number()
	add("property", value.String("client"), value.Int(int32(client)))
	add("as", value.String("a"))
	add("addV", value.String("twin"))
	number()
	add("property", value.String(ownKey+strconv.Itoa(n)), value.Int(int32(n)))
	add("addE", value.String("of"))
	add("to", value.String("a"))
	number()
	return b.Value()
}

// dialLedger connects a client that outlives its server: gremlin-go 3.8.1 closes the
// channel that another goroutine of it sends on when a connection ends, and panics.
func dialLedger(t *testing.T, p *process) *client.Conn {
	t.Helper()
	c, err := client.Dial(t.Context(), "ws://"+p.addr+"/gremlin")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCrashLedger kills the server while clients write, again and again, and accounts
// for every write: lost 0, phantom 0, partial 0.
func TestCrashLedger(t *testing.T) {
	cycles := 4
	if s := os.Getenv("CYCLES"); s != "" {
		cycles, _ = strconv.Atoi(s)
	}
	dir := t.TempDir()
	b := newBooks(t)
	for cycle := range cycles {
		p := serve(t, "--data-dir", dir)
		verify(t, p, b.acked, b.maybe)
		end := b.write(p, 4)
		timer := time.NewTimer(time.Duration(50+cycle*137%400) * time.Millisecond)
		<-timer.C
		begun := b.next.Load() + 4
		waitFor(t, "writes", func() bool { return b.next.Load() > begun })
		p.kill()
		end()
		if out, errs, code := run(t, "check", "--data-dir", dir); code != exitDone {
			t.Fatalf("check after kill %d: exit %d\n%s%s", cycle, code, out, errs)
		}
	}
	p := serve(t, "--data-dir", dir)
	verify(t, p, b.acked, b.maybe)
	t.Logf("%d cycles, %d acknowledged, %d unknown", cycles, len(b.acked), len(b.maybe))
	if len(b.acked) == 0 {
		t.Error("nothing was written")
	}
}

// books are what all clients of a server that is killed again and again know of their writes.
type books struct {
	*testing.T
	next         atomic.Int64
	acked, maybe map[int]bool
}

func newBooks(t *testing.T) *books {
	return &books{T: t, acked: map[int]bool{}, maybe: map[int]bool{}}
}

// write has clients write until the server is killed; end waits for that.
func (b *books) write(p *process, clients int) (end func()) {
	b.Helper()
	ledgers := make([]ledger, clients)
	var wg sync.WaitGroup
	for i := range ledgers {
		c := dialLedger(b.T, p)
		wg.Go(func() {
			defer func() { _ = c.Close() }() // the server is gone
			ledgers[i].write(c, i, &b.next)
		})
	}
	return func() {
		wg.Wait()
		for _, l := range ledgers {
			for _, n := range l.acked {
				b.acked[n] = true
			}
			for _, n := range l.unknown {
				b.maybe[n] = true
			}
		}
	}
}

// verify compares the graph with the ledger.
func verify(t *testing.T, p *process, acked, maybe map[int]bool) {
	t.Helper()
	conn, g := p.connect("g")
	defer conn.Close()
	numbers := func(results []*gremlingo.Result, err error) map[int]bool {
		if err != nil {
			t.Fatalf("read the graph back: %v", err)
		}
		set := map[int]bool{}
		for _, r := range results {
			n, err := r.GetInt64()
			if err != nil || set[int(n)] {
				t.Errorf("%v: twice, or %v", r, err)
			}
			set[int(n)] = true
		}
		return set
	}
	entries := numbers(g.V().HasLabel("entry").Values("n").ToList())
	twins := numbers(g.V().HasLabel("twin").Values("n").ToList())
	edges := numbers(g.E().HasLabel("of").Values("n").ToList())
	lost, phantom, partial := 0, 0, 0
	own, err := g.V().HasLabel("twin").Properties().ToList()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range own {
		p, err := r.GetVertexProperty()
		if err != nil || p.Label != "n" && p.Label != ownKey+fmt.Sprint(p.Value) {
			t.Errorf("a property under the name of another: %v", r)
		}
	}
	if len(own) != 2*len(twins) {
		partial++
	}
	for n := range acked {
		if !entries[n] {
			lost++
		}
	}
	for n := range entries {
		if !acked[n] && !maybe[n] {
			phantom++
		}
		if !twins[n] || !edges[n] {
			partial++
		}
	}
	if len(twins) != len(entries) || len(edges) != len(entries) {
		partial++
	}
	if lost+phantom+partial > 0 {
		t.Fatalf("lost %d, phantom %d, partial %d of %d acknowledged", lost, phantom, partial, len(acked))
	}
}

// TestSerialWritesAreSynced counts the system calls: nothing is acknowledged without one.
func TestSerialWritesAreSynced(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Log("no strace here: the crash tests of storage/pebble cover the sync")
		return
	}
	trace := t.TempDir() + "/trace"
	p := serveWith(t, strace, "-f", "-qq", "-e", "trace=fsync,fdatasync,sync_file_range", "-o", trace,
		binary, "serve", "--port", "0", "--host", "127.0.0.1", "--data-dir", t.TempDir())
	conn, g := p.connect("g")
	before := syncs(t, trace)
	const writes = 100
	for range writes {
		if err := <-g.AddV("person").Property("name", "x").Iterate(); err != nil {
			t.Fatal(err)
		}
	}
	conn.Close()
	if n := syncs(t, trace) - before; n < writes {
		t.Errorf("%d syncs for %d writes", n, writes)
	} else {
		t.Logf("%d syncs for %d writes", n, writes)
	}
}

func syncs(t *testing.T, trace string) int {
	t.Helper()
	b, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(b), "fsync(") + strings.Count(string(b), "fdatasync(")
}
