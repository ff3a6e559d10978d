package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync/atomic"

	"github.com/gremlind/gremlind/storage/account"
)

// The collector lets garbage gather in proportion to what was in use when it ran last,
// and keeps the pages that it emptied for a while. Both are right for what the server
// keeps for long. What clients make it keep comes and goes: of that, a server would have
// in memory what the last request needed, beside the garbage of this one. While clients
// hold much, a pacer therefore tells the runtime how much memory all may take, and the
// runtime collects earlier and gives back free pages to stay below. It is never so little
// that the collector would run more often than with a GC percent of clientPercent, and
// nobody is told anything while clients hold little: caches, however large, and the
// requests that they make fast, know no such limit.
const (
	clientPercent = 25       // of garbage allowed on top of what clients hold
	leastPercent  = 12       // of garbage allowed on top of all that is in use
	paceFrom      = 8 << 20  // bytes that clients hold, below which there is no limit
	paceStep      = 8 << 20  // bytes by which that must change for another limit
	paceSlack     = 16 << 20 // bytes that are allowed besides
	slackPart     = 4        // a part of the server's own memory that may be lost between objects
	paceRuns      = 4        // of the collector, that must agree before the server's own memory is more
)

// pacer sets the limit.
type pacer struct {
	clients *account.Account
	most    int64           // the limit that the user gave
	wake    chan struct{}   // clients hold more or less than before, or the collector has run
	ran     atomic.Bool     // the collector has, since own was reckoned
	top     atomic.Int64    // most that clients held since then
	own     int64           // bytes in use that are not the clients', as far as is known
	then    int64           // what clients held when own was reckoned
	beside  int64           // what was in use besides that, in the last run of the collector
	stayed  int64           // and in the one before it too
	found   [paceRuns]int64 // what was not the clients' in the last runs of the collector
	run     int             // of them, where the next is noted
	quiet   bool            // there is no limit now
	set     func(limit int64)
}

// paceCollector limits memory by what is charged to clients, for as long as the process
// lives. A user who sets GOGC has his own ideas.
func paceCollector(clients *account.Account) {
	if os.Getenv("GOGC") != "" {
		return
	}
	p := &pacer{clients: clients, most: debug.SetMemoryLimit(-1), wake: make(chan struct{}, 1), quiet: true,
		set: func(limit int64) { debug.SetMemoryLimit(limit) }}
	clients.Watch(paceStep, p.notify)
	p.ran.Store(true)
	p.notify()
	go func() {
		for range p.wake {
			p.adjust(readHeap())
		}
	}()
}

// notify has the limit looked at soon.
func (p *pacer) notify() {
	p.held()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// held returns what clients hold, and remembers the most.
func (p *pacer) held() int64 {
	held := p.clients.Used()
	for top := p.top.Load(); held > top && !p.top.CompareAndSwap(top, held); top = p.top.Load() {
	}
	return held
}

// adjust sets the limit that is right now.
func (p *pacer) adjust(h heap) {
	held, collected := p.held(), p.ran.Swap(false)
	if collected {
		p.reckon(h.live, held)
		p.awaitCollector()
	}
	switch {
	case held >= paceFrom || !p.quiet && !collected: // what is garbage since stays until the collector runs
		p.quiet = false
		p.set(min(p.limit(held, h.lost), p.most))
	case !p.quiet:
		p.quiet = true
		p.set(p.most)
	}
}

// reckon finds out what the server's own is, from what the collector found in use. That
// belongs to clients who may be gone by now: between what they hold and what they held at
// most, what was the server's own still is. And what is made while the collector runs
// counts as in use, though it be garbage: while clients keep it busy, the server's own is
// more only when some runs one behind the other say so.
func (p *pacer) reckon(live, held int64) {
	own := live - p.top.Swap(held)
	p.then, p.stayed, p.beside = held, min(p.beside, live-held), live-held
	if p.found[p.run%paceRuns] = own; p.quiet {
		for i := range p.found {
			p.found[i] = own
		}
	}
	p.run++
	p.own = max(min(max(p.own, slices.Min(p.found[:])), live-held), 0)
}

// limit is what the process may take while clients hold some bytes, and others are lost:
// in stacks, between objects, to the runtime itself. What was made for them and is not
// known to be the server's own, such as what a commit leaves to find conflicts by, may grow
// faster than runs agree on it: as long as two of them, one behind the other, find it in
// use the collector, which cannot free it, does not run all the time. One run is not
// enough: a client that makes much garbage makes much of it while the collector runs, and
// each limit would allow it more of that than the one before.
func (p *pacer) limit(held, lost int64) int64 {
	own := p.own + p.own*gcPercent/100
	paced := own + held + held*clientPercent/100 + paceSlack
	used := p.stayed + min(p.then, held)
	return max(paced, used+used*leastPercent/100) + min(lost, p.own/slackPart+paceSlack)
}

// awaitCollector notifies when the collector has run.
func (p *pacer) awaitCollector() {
	type mark struct{ p *pacer }
	runtime.AddCleanup(&mark{p}, func(p *pacer) {
		p.ran.Store(true)
		p.notify()
	}, p)
}

// heap is how the memory of the process is used, in bytes.
type heap struct {
	live int64 // found in use by the collector when it ran last
	lost int64 // neither objects nor free
}

func readHeap() heap {
	s := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
	}
	metrics.Read(s)
	n := make([]int64, len(s))
	for i := range s {
		n[i] = int64(min(s[i].Value.Uint64(), math.MaxInt64))
	}
	return heap{live: n[0], lost: n[1] - n[2] - n[3] - n[4]}
}
