package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gremlind/gremlind/storage/account"
)

const mib = 1 << 20

// paced is a pacer whose limit goes nowhere.
func paced(most int64) (*pacer, *account.Account, *account.Account, *int64) {
	server := account.New(nil, "memory", account.Unlimited)
	limit := new(int64)
	p := &pacer{clients: server, most: most, wake: make(chan struct{}, 1), quiet: true, set: func(n int64) { *limit = n }}
	server.Watch(paceStep, p.notify)
	*limit = most
	return p, server, account.New(server, "queryMemory", account.Unlimited), limit
}

// woken reports whether there was a reason to look.
func (p *pacer) woken() bool {
	select {
	case <-p.wake:
		return true
	default:
		return false
	}
}

// TestPacer follows a client that takes much and gives it back.
func TestPacer(t *testing.T) {
	p, _, client, limit := paced(math.MaxInt64)
	at := func(what string, h heap, want int64) {
		t.Helper()
		p.adjust(h)
		if *limit != want {
			t.Errorf("%s: the limit is %d MiB, want %d", what, *limit/mib, want/mib)
		}
	}
	p.ran.Store(true)
	at("nobody is there", heap{live: 40 * mib, lost: 5 * mib}, math.MaxInt64)
	if _ = client.Charge(1 * mib); p.woken() {
		t.Error("woken for a client that holds little")
	}
	at("one holds little", heap{live: 40 * mib, lost: 5 * mib}, math.MaxInt64)
	if _ = client.Charge(63 * mib); !p.woken() {
		t.Error("not woken for a client that holds much")
	}
	held := p.clients.Used() // a little more than was charged
	most := 60*mib + held + held/4 + 5*mib + paceSlack
	near := func(what string, h heap) {
		t.Helper()
		p.adjust(h)
		if d := *limit - most; d > mib || d < -mib {
			t.Errorf("%s: the limit is %d MiB, want %d", what, *limit/mib, most/mib)
		}
	}
	near("one holds much", heap{live: 40 * mib, lost: 5 * mib})
	p.ran.Store(true)
	near("and the collector has run", heap{live: 40*mib + held, lost: 5 * mib})
	if client.Clear(); !p.woken() {
		t.Error("not woken for a client that is gone")
	}
	at("it is gone", heap{live: 40*mib + held, lost: 5 * mib}, 60*mib+5*mib+paceSlack)
	p.ran.Store(true)
	at("and so is its garbage", heap{live: 40 * mib, lost: 5 * mib}, math.MaxInt64)
}

// TestPacer_Gone has clients give back all between the collector's run and the look at what
// it found: that is not taken for the server's own.
func TestPacer_Gone(t *testing.T) {
	p, _, client, limit := paced(math.MaxInt64)
	p.ran.Store(true)
	p.adjust(heap{live: 40 * mib})
	_ = client.Charge(64 * mib)
	p.adjust(heap{live: 40 * mib})
	before := *limit
	p.ran.Store(true)
	client.Clear()
	p.adjust(heap{live: 104 * mib})
	_ = client.Charge(64 * mib)
	if p.adjust(heap{live: 104 * mib}); *limit != before {
		t.Errorf("the limit is %d MiB, it was %d for as much", *limit/mib, before/mib)
	}
}

// TestPacer_User keeps the limit that the user gave.
func TestPacer_User(t *testing.T) {
	p, _, client, limit := paced(200 * mib)
	_ = client.Charge(1024 * mib)
	if p.adjust(heap{live: 40 * mib}); *limit != 200*mib {
		t.Errorf("the limit is %d MiB, the user gave 200", *limit/mib)
	}
	client.Clear()
	p.ran.Store(true)
	if p.adjust(heap{live: 40 * mib}); *limit != 200*mib {
		t.Errorf("the limit is %d MiB, the user gave 200", *limit/mib)
	}
}

// TestPacer_Room leaves the collector room whatever is in use: for what it found, and for
// clientPercent of it besides.
func TestPacer_Room(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		p, _, client, limit := paced(math.MaxInt64)
		own, held := r.Int64N(1<<r.IntN(38)+1), r.Int64N(1<<r.IntN(38)+1)
		_ = client.Charge(held)
		used := own + p.clients.Used()
		p.ran.Store(true)
		lost := used / 10
		p.adjust(heap{live: used, lost: lost})
		if least := used + used*clientPercent/100; *limit-min(lost, own/slackPart) < least {
			t.Fatalf("%d of the server's own and %d of clients: a limit of %d leaves less than %d", own, held, *limit, least)
		}
	}
}

// TestPacer_Made: what clients make while the collector runs is in use to it. That is not
// the server's own, unless it stays.
func TestPacer_Made(t *testing.T) {
	p, _, client, limit := paced(math.MaxInt64)
	p.ran.Store(true)
	p.adjust(heap{live: 40 * mib})
	_ = client.Charge(64 * mib)
	held := p.clients.Used()
	p.adjust(heap{live: 40 * mib})
	before := *limit
	for i := range 3 * paceRuns {
		p.ran.Store(true)
		if i%paceRuns == 0 {
			p.adjust(heap{live: 40*mib + held})
		} else {
			p.adjust(heap{live: 70*mib + held})
		}
		if *limit != before {
			t.Fatalf("the limit is %d MiB, it was %d for as much", *limit/mib, before/mib)
		}
	}
	p.ran.Store(true)
	p.adjust(heap{live: 70*mib + held})
	if grown := *limit - before; grown != 30*mib+30*mib*gcPercent/100 {
		t.Errorf("the limit grew by %d MiB when 30 more were the server's own for %d runs", grown/mib, paceRuns)
	}
}

// TestPacer_Growing: while what is in use grows faster than runs agree on whose it is, the
// collector has room behind what two of them found; what clients gave back since does not
// count.
func TestPacer_Growing(t *testing.T) {
	p, _, client, limit := paced(math.MaxInt64)
	p.ran.Store(true)
	p.adjust(heap{live: 10 * mib})
	_ = client.Charge(100 * mib)
	for live := int64(100 * mib); live < 400*mib; live += 20 * mib {
		for run := range 2 {
			p.ran.Store(true)
			if p.adjust(heap{live: live}); run == 1 && *limit < live+live/10 {
				t.Errorf("%d MiB are in use and the limit is %d MiB: the collector would run all the time", live/mib, *limit/mib)
			}
		}
	}
	before := *limit
	client.Clear()
	if p.adjust(heap{live: 380 * mib}); *limit > before-100*mib {
		t.Errorf("the limit is %d MiB behind a client that held 100, it was %d", *limit/mib, before/mib)
	}
}

// TestPacer_Garbage: what a client makes while the collector runs is in use to it once. It
// gives nobody room for more of it.
func TestPacer_Garbage(t *testing.T) {
	p, _, client, limit := paced(math.MaxInt64)
	p.ran.Store(true)
	p.adjust(heap{live: 20 * mib})
	_ = client.Charge(60 * mib)
	held := p.clients.Used()
	p.adjust(heap{live: 20 * mib})
	before := *limit
	for i := range 20 {
		p.ran.Store(true)
		live := 20*mib + held
		if i%2 == 0 {
			live = *limit // all that there was room for
		}
		if p.adjust(heap{live: live}); *limit > before {
			t.Fatalf("run %d of the collector: the limit is %d MiB, it was %d for as much", i, *limit/mib, before/mib)
		}
	}
}
