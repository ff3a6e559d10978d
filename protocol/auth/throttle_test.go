package auth

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// guessing is a guard with a clock of its own, whose hashes are counted instead of
// computed: right is the password of every name.
type guessing struct {
	*Guard
	now    time.Time
	hashes atomic.Int64
	hold   chan struct{} // when not nil, a hash takes until something can be received
}

func newGuessing(t *testing.T, names ...string) *guessing {
	t.Helper()
	u := users(t)
	for _, name := range names {
		if err := u.Add(context.Background(), User{Name: name, Roles: RoleNames{"write"}}, "a password"); err != nil {
			t.Fatal(err)
		}
	}
	g := &guessing{Guard: guard(t, u, nil), now: time.Unix(1e9, 0)}
	g.Guard.now = func() time.Time { return g.now }
	g.verify = func(_, password string) bool {
		g.hashes.Add(1)
		if g.hold != nil {
			<-g.hold
		}
		return password == "right"
	}
	return g
}

func (g *guessing) try(address, name, password string) bool {
	return login(g.Guard, address, name, password) != nil
}

func TestGuessingIsClosed(t *testing.T) {
	g := newGuessing(t, "stephen")
	for i := range failuresMax {
		g.try("evil", "stephen", fmt.Sprint("wrong", i))
	}
	if g.try("evil", "stephen", "right") {
		t.Error("still open after too many failures")
	}
	if !g.try("home", "stephen", "right") {
		t.Error("closed for another address")
	}
	if !g.try("evil", "stephen", "right") {
		t.Error("a password that is remembered needs no guess")
	}
	g.now = g.now.Add(failureWindow + time.Second)
	if !g.try("evil", "stephen", "right") {
		t.Error("closed for ever")
	}
}

// TestGuessingInParallel sends what one after the other would be refused at once.
func TestGuessingInParallel(t *testing.T) {
	g := newGuessing(t, "stephen")
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() { g.try("evil", "stephen", fmt.Sprint("wrong", i)) })
	}
	all.Wait()
	if n := g.hashes.Load(); n != failuresMax {
		t.Errorf("%d of 200 guesses were looked at, want %d", n, failuresMax)
	}
}

// TestManyNames guesses names that are never the same.
func TestManyNames(t *testing.T) {
	g := newGuessing(t, "stephen", "known")
	if !g.try("evil", "known", "right") {
		t.Fatal("known is refused")
	}
	g.now = g.now.Add(remembered + time.Second)
	g.hashes.Store(0)
	var all sync.WaitGroup
	for i := range 500 {
		all.Go(func() { g.try("evil", fmt.Sprint("name", i), "wrong") })
	}
	all.Wait()
	if n := g.hashes.Load(); n != addressFailuresMax {
		t.Errorf("%d of 500 guesses were looked at, want %d", n, addressFailuresMax)
	}
	if g.try("evil", "stephen", "right") {
		t.Error("the address is open for a name that was never right there")
	}
	if !g.try("evil", "known", "right") {
		t.Error("the address is closed for a name that was right there")
	}
	if !g.try("home", "stephen", "right") {
		t.Error("another address is closed")
	}
}

// TestNobodyWaitsForGuesses logs in while an address has many guesses waiting.
func TestNobodyWaitsForGuesses(t *testing.T) {
	g := newGuessing(t, "stephen")
	g.slots = make(chan struct{}, 2)
	g.hold = make(chan struct{})
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() { g.try("evil", fmt.Sprint("name", i), "wrong") })
	}
	for g.hashes.Load() == 0 {
		runtime.Gosched()
	}
	done := make(chan bool)
	go func() { done <- g.try("home", "stephen", "right") }()
	for g.hashes.Load() < 2 {
		runtime.Gosched()
	}
	if n := g.hashes.Load(); n != 2 {
		t.Errorf("%d hashes began", n)
	}
	g.hold <- struct{}{}
	g.hold <- struct{}{}
	close(g.hold)
	if !<-done {
		t.Error("the real user is refused")
	}
	all.Wait()
}

// TestParallelLogins opens as many connections as a driver's pool does.
func TestParallelLogins(t *testing.T) {
	g := newGuessing(t, "stephen")
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			if !g.try("home", "stephen", "right") {
				t.Error("refused")
			}
		})
	}
	all.Wait()
	if n := g.hashes.Load(); n != 1 {
		t.Errorf("%d hashes for one login", n)
	}
}

func TestClientsThatLeave(t *testing.T) {
	g := newGuessing(t, "stephen")
	g.hold = make(chan struct{})
	first := make(chan bool)
	go func() { first <- g.try("home", "stephen", "right") }()
	for g.hashes.Load() == 0 {
		runtime.Gosched()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if id, _ := g.Authenticate(ctx, "home", "stephen", "other"); id != nil {
		t.Error("logged in")
	}
	close(g.hold)
	if !<-first {
		t.Error("refused")
	}
	if n := len(g.throttle.lanes); n != 0 {
		t.Errorf("%d lanes are left", n)
	}
}

func TestThrottleIsBounded(t *testing.T) {
	now := time.Unix(1e9, 0)
	th := newThrottle(func() time.Time { return now })
	for i := range countersMax + 1000 {
		p, ok := th.enter(context.Background(), fmt.Sprintf("2001:db8:%x:%x::1", i>>16, i&0xffff), "stephen")
		if !ok {
			t.Fatal("not entered")
		}
		p.leave(i%2 == 0)
	}
	if n := len(th.addresses) + len(th.names); n > countersMax {
		t.Errorf("%d counters are kept", n)
	}
}

func TestPlaces(t *testing.T) {
	for from, want := range map[string]string{
		"10.1.2.3": "10.1.2.3", "::ffff:10.1.2.3": "::ffff:10.1.2.3", "2001:db8:1:2:3::4": "2001:db8:1:2::/64",
		"fe80::1%eth0": "fe80::/64", "::1": "::/64", "@": "@",
	} {
		if got := placeOf(from); got != want {
			t.Errorf("%s: %s, want %s", from, got, want)
		}
	}
}
