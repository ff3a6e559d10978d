package blueprints

import (
	"io"
	"runtime"
	"weak"
)

// tracked is what the end of a transaction closes when its user has not.
type tracked interface {
	io.Closer
	at() *place
}

// place is where something stands in its transaction's list, counted from 1; 0 when it does
// not. A script may keep 10^5 traversals open, and close them in any order.
type place struct {
	number int
	leased bool
	lease  weak.Pointer[lease]
}

func (p *place) at() *place { return p }

// A script that takes the first result each of many traversals leaves what they read open.
// What it can no longer reach is closed in time, so that it pays for what it keeps: where
// much is open, whoever reads gets a lease, which is gone when the collector found that
// nobody has it.
const (
	leaseFrom   = 64  // open ones, below which nothing is leased
	relieveFrom = 256 // opened between two times that the collector runs for their sake
)

// track makes the end of the transaction close what the caller left open.
func (t *Tx) track(c tracked) {
	if len(t.open) >= max(t.crowd, leaseFrom) {
		t.closeForgotten()
		t.crowd = 2 * len(t.open)
	}
	t.opened++
	t.open = append(t.open, c)
	c.at().number = len(t.open)
}

// untrack forgets what is closed.
func (t *Tx) untrack(c tracked) {
	p := c.at()
	if p.number == 0 {
		return
	}
	last := len(t.open) - 1
	moved := t.open[last]
	t.open[p.number-1], moved.at().number = moved, p.number
	t.open[last], p.number = nil, 0
	t.open = t.open[:last]
}

// closeForgotten closes what nobody can reach any more.
func (t *Tx) closeForgotten() {
	for i := len(t.open) - 1; i >= 0; i-- {
		c := t.open[i]
		if p := c.at(); p.leased && p.lease.Value() == nil {
			_ = c.Close() // who would read the error is gone
		}
	}
}

// Relieve implements storage.Relief.
func (t *Tx) Relieve() bool {
	if t.opened < relieveFrom {
		return false
	}
	t.opened = 0
	runtime.GC()
	before := len(t.open)
	t.closeForgotten()
	return len(t.open) < before
}

// lease is what its reader holds of something that is tracked; nothing else does.
type lease struct{ of *place }

// lease returns one, nil where little is open.
func (t *Tx) lease(c tracked) *lease {
	p := c.at()
	if len(t.open) < leaseFrom || p.number == 0 {
		return nil
	}
	l := &lease{p}
	p.leased, p.lease = true, weak.Make(l)
	return l
}

type leasedVertices struct {
	VertexIterator
	lease *lease
}

// leaseVertices returns the iterator as its reader gets it.
func (t *Tx) leaseVertices(it VertexIterator, c tracked) VertexIterator {
	if l := t.lease(c); l != nil {
		return &leasedVertices{it, l}
	}
	return it
}

type leasedEdges struct {
	EdgeIterator
	lease *lease
}

// leaseEdges is leaseVertices for edges.
func (t *Tx) leaseEdges(it EdgeIterator, c tracked) EdgeIterator {
	if l := t.lease(c); l != nil {
		return &leasedEdges{it, l}
	}
	return it
}

type leasedHits struct {
	IndexHits
	lease *lease
}

// leaseHits is leaseVertices for what an index found.
func (t *Tx) leaseHits(it IndexHits, c tracked) IndexHits {
	if l := t.lease(c); l != nil {
		return &leasedHits{it, l}
	}
	return it
}

type leasedWalk struct {
	EdgeWalk
	lease *lease
}

// leaseWalk is leaseVertices for the edges of a vertex.
func (t *Tx) leaseWalk(it EdgeWalk, c tracked) EdgeWalk {
	if l := t.lease(c); l != nil {
		return &leasedWalk{it, l}
	}
	return it
}
