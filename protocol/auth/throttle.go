package auth

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

const (
	// failuresMax within failureWindow close a name at an address for the rest of it,
	// addressFailuresMax the address for names that have not been right there lately.
	failuresMax        = 10
	addressFailuresMax = 100
	failureWindow      = time.Minute
	// knownFor is how long a name is known at an address after it was right.
	knownFor = 24 * time.Hour
	// countersMax bounds the names and addresses that are counted.
	countersMax = 100_000
)

// throttle bounds guessing. The guesses from one address wait for each other, so that
// none begins before those ahead of it are counted, and an address that guesses much
// keeps others waiting for one hash at most. A name that was right there lately has a
// lane of its own: it need not wait for strangers behind the same address.
type throttle struct {
	now func() time.Time

	mu        sync.Mutex
	lanes     map[string]*lane
	addresses map[string]*counter
	names     map[[2]string]*counter // by address and name
}

// lane is a queue of guesses.
type lane struct {
	look  chan struct{} // held while one is looked at
	users int           // waiting or holding it
}

// counter counts failures within a window.
type counter struct {
	failures int
	since    time.Time // of the first
	right    time.Time // when it was right last
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, lanes: map[string]*lane{}, addresses: map[string]*counter{}, names: map[[2]string]*counter{}}
}

// permit lets one guess be looked at.
type permit struct {
	t       *throttle
	in      string // the name of the lane
	lane    *lane
	place   string
	name    string
	refused bool // without a look: it is no failure more
}

// enter waits until a guess may be looked at; false when ctx ended first. Who enters leaves.
func (t *throttle) enter(ctx context.Context, from, name string) (*permit, bool) {
	if checkName("user", name) != nil {
		name = "" // nobody's, however it is spelled
	}
	p := &permit{t: t, place: placeOf(from), name: name}
	t.mu.Lock()
	p.in = p.place
	if t.known(p) {
		p.in += "\x00" + p.name
	}
	p.lane = t.lanes[p.in]
	if p.lane == nil {
		p.lane = &lane{look: make(chan struct{}, 1)}
		t.lanes[p.in] = p.lane
	}
	p.lane.users++
	t.mu.Unlock()
	select {
	case p.lane.look <- struct{}{}:
		return p, true
	case <-ctx.Done():
		t.mu.Lock()
		defer t.mu.Unlock()
		p.away()
		return nil, false
	}
}

// known reports whether a name was right at its address lately.
func (t *throttle) known(p *permit) bool {
	name := t.names[[2]string{p.place, p.name}]
	return name != nil && !name.right.IsZero() && t.now().Sub(name.right) < knownFor
}

// away takes the guess out of its lane.
func (p *permit) away() {
	if p.lane.users--; p.lane.users == 0 {
		delete(p.t.lanes, p.in)
	}
}

// open reports whether the guess may be looked at.
func (p *permit) open() bool {
	p.t.mu.Lock()
	defer p.t.mu.Unlock()
	now := p.t.now()
	name := p.t.names[[2]string{p.place, p.name}]
	if name != nil && name.within(now) >= failuresMax {
		return false
	}
	address := p.t.addresses[p.place]
	return address == nil || address.within(now) < addressFailuresMax || p.t.known(p)
}

// leave ends the look and counts how it went.
func (p *permit) leave(ok bool) {
	t := p.t
	t.mu.Lock()
	defer t.mu.Unlock()
	<-p.lane.look
	p.away()
	if p.refused {
		return
	}
	t.makeRoom()
	now := t.now()
	name := counted(t.names, [2]string{p.place, p.name})
	if ok {
		name.right = now
		return
	}
	name.fail(now)
	counted(t.addresses, p.place).fail(now)
}

func counted[K comparable](counters map[K]*counter, key K) *counter {
	c := counters[key]
	if c == nil {
		c = &counter{}
		counters[key] = c
	}
	return c
}

// within is how many failures the window holds.
func (c *counter) within(now time.Time) int {
	if now.Sub(c.since) > failureWindow {
		return 0
	}
	return c.failures
}

func (c *counter) fail(now time.Time) {
	if c.within(now) == 0 {
		c.since, c.failures = now, 0
	}
	c.failures++
}

// makeRoom forgets what no longer counts, and everything when that is not enough: each failure that was counted has cost a hash.
func (t *throttle) makeRoom() {
	if len(t.addresses)+len(t.names) < countersMax {
		return
	}
	t.forget(t.now())
	if len(t.addresses)+len(t.names) >= countersMax {
		t.forget(t.now().Add(2 * knownFor))
	}
}

func (t *throttle) forget(now time.Time) {
	for place, c := range t.addresses {
		if c.within(now) == 0 {
			delete(t.addresses, place)
		}
	}
	for key, c := range t.names {
		if c.within(now) == 0 && now.Sub(c.right) >= knownFor {
			delete(t.names, key)
		}
	}
}

// placeOf is what counts as one address: whoever has an IPv6 address has the 2^64 beside
// it too.
func placeOf(from string) string {
	ip, err := netip.ParseAddr(from)
	if err != nil || ip.Unmap().Is4() {
		return from
	}
	prefix, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return from
	}
	return prefix.String()
}
