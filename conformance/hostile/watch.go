package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
)

// resident returns the resident memory of a process in bytes, 0 when unknown.
func resident(pid int) int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// ticksPerSecond is what Linux counts the time of processes in.
const ticksPerSecond = 100

// processorTime returns the processor time that a process has taken, 0 when unknown.
func processorTime(pid int) time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, behind, _ := strings.Cut(string(b), ") ") // the name may hold blanks
	const user, system = 11, 12
	fields := strings.Fields(behind)
	if len(fields) <= system {
		return 0
	}
	u, _ := strconv.ParseInt(fields[user], 10, 64)
	s, _ := strconv.ParseInt(fields[system], 10, 64)
	return time.Duration(u+s) * time.Second / ticksPerSecond
}

// residentEvery is how often the memory of the server is looked at.
const residentEvery = 20 * time.Millisecond

// peak watches the resident memory of a process.
type peak struct{ most atomic.Int64 }

func (p *peak) watch(ctx context.Context, pid int) {
	tick := time.NewTicker(residentEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			now := resident(pid)
			for was := p.most.Load(); now > was && !p.most.CompareAndSwap(was, now); was = p.most.Load() {
			}
		}
	}
}

// elsewhere is the address of those who do not attack: what the attacker makes the server
// keep is not theirs.
var elsewhere = net.IPv4(127, 0, 0, 2)

// bystander is a client that asks little. It notes how long it waits: while nobody
// attacks, and meanwhile.
type bystander struct {
	attacked atomic.Bool
	mu       sync.Mutex
	waits    [2][]time.Duration // quiet, attacked
	failure  error
}

const (
	bystanderEvery = 3 * time.Millisecond
	bystanderWaits = 5 * time.Second
)

func (b *bystander) run(ctx context.Context, url string) {
	c, err := client.DialFrom(ctx, url, elsewhere)
	for err == nil && ctx.Err() == nil {
		during := b.attacked.Load()
		began := time.Now()
		limited, cancel := context.WithTimeout(context.Background(), bystanderWaits)
		_, err = c.Text(limited, "g", "gremlin-lang", "g.V().limit(1).out().limit(1).values('name')", value.NewMap())
		cancel()
		took := time.Since(began)
		kind := 0
		if during || b.attacked.Load() {
			kind = 1
		}
		b.mu.Lock()
		b.waits[kind] = append(b.waits[kind], took)
		b.mu.Unlock()
		time.Sleep(bystanderEvery)
	}
	if ctx.Err() == nil {
		b.mu.Lock()
		b.failure = err
		b.mu.Unlock()
	}
	if c != nil {
		_ = c.Close()
	}
}

// p99 returns what 99 of 100 requests waited at most, while nobody attacked and meanwhile.
func (b *bystander) p99() (quiet, attacked time.Duration, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return percentile(b.waits[0]), percentile(b.waits[1]), b.failure
}

func percentile(waits []time.Duration) time.Duration {
	if len(waits) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(waits))
	return sorted[len(sorted)*99/100]
}
