package connection

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
)

// Requests that are likely quick are evaluated by the goroutine that read them: no
// other has to be woken. While it evaluates, nobody reads, and pings wait; so the watch
// hands reading over to another goroutine when it takes longer. Beginnings
// and ends are counted: evals is odd while the reader evaluates. Nobody waits for the commit of what wrote: its
// end is somebody else's task, see commits.go. A session's request is evaluated so while its transaction is
// open and nothing of the session waits: a client that waits for each answer would wait as long again for
// the session's own goroutine to wake.

// keepFrames is how many bytes of answers wait for the end of the pipelined requests.
const keepFrames = 32 << 10

// inline evaluates a task at once. It is false when another goroutine has taken
// reading over meanwhile.
func (c *Conn) inline(t *request.Task) bool {
	if t.Req.Processor == message.ProcessorSession {
		return c.inlineInSession(t)
	}
	if c.crowded() || !c.slots.TryTake() {
		c.queue(t)
		return true
	}
	if !c.desk.TryAcquire(t) {
		c.slots.Give()
		c.queue(t)
		return true
	}
	c.running.Add(1)
	ctx, evals := c.hold(t)
	answered := t.RunAuto(ctx, 0)
	c.desk.Release(t)
	mine := c.letGo(evals)
	if !answered {
		if !mine { // the watch may hold it still
			t.Arm()
		}
		t.HandOver()
		return mine
	}
	c.keep(t, mine)
	c.finished()
	return mine
}

// inlineInSession is inline for a task of a session. One that ends a transaction waits for a
// commit, and goes the ordinary way.
func (c *Conn) inlineInSession(t *request.Task) bool {
	if c.crowded() || !t.StaysOpen() || !c.desk.TryAcquire(t) {
		c.queue(t)
		return true
	}
	turn := c.all.sessions.Take(c.sessions, t)
	if !turn.Taken() {
		c.desk.Release(t)
		c.queue(t)
		return true
	}
	ctx, evals := c.hold(t)
	turn.Answer(ctx, t)
	mine := c.letGo(evals)
	c.keep(t, mine)
	c.desk.Leave()
	turn.End()
	return mine
}

// hold begins an evaluation by the goroutine that reads, and numbers it.
func (c *Conn) hold(t *request.Task) (ctx context.Context, evals uint64) {
	t.Inline = true
	ctx, evals = t.Begin(c.ctx, t.Received), c.evals.Load()+1
	c.inlined.Store(t)
	c.evals.Store(evals)
	if !c.watched.Load() {
		c.all.watch.add(c)
	}
	return ctx, evals
}

// letGo ends an evaluation. It is false when another goroutine has taken reading over.
func (c *Conn) letGo(evals uint64) bool {
	mine := c.evals.CompareAndSwap(evals, evals+1)
	switch {
	case !mine: // whoever reads now may be waiting already
		c.out.Flush()
	case c.out.pendingBytes() >= keepFrames: // else the next read sends it
		c.push()
	}
	return mine
}

// keep leaves an answered task to the next request, unless the watch may hold it.
func (c *Conn) keep(t *request.Task, mine bool) {
	if mine && t.Reusable() {
		c.spare = t
	}
}

// finished takes note that a request is over.
func (c *Conn) finished() {
	c.slots.Give()
	c.desk.Leave()
	c.running.Done()
}

// Rerun runs a request again that lost the conflict of its first commit.
func (c *Conn) Rerun(t *request.Task) {
	defer c.finished()
	t.Grouped = false
	if !c.desk.Acquire(c.ctx, t) {
		c.Abandon(t)
		t.Over()
		return
	}
	t.Again()
	c.desk.Release(t)
	c.Flush()
}

// Deliver sends the answer of a request, and ends it. It does not wait for a client
// that takes its answers slowly: others wait for theirs.
func (c *Conn) Deliver(t *request.Task) {
	t.Recycle()
	if c.out.FlushNow() {
		c.finished()
		return
	}
	c.desk.Work.Run(func() {
		c.out.Flush()
		c.finished()
	})
}

// watch looks at the connections that evaluate on the goroutines that read them.
type watch struct {
	mu    sync.Mutex
	conns []*Conn
	timer *time.Timer  // runs while there are conns
	busy  atomic.Int64 // how many conns there are
}

// add has the connection looked at until it has been quiet for a while.
func (w *watch) add(c *Conn) {
	if !c.watched.CompareAndSwap(false, true) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns = append(w.conns, c)
	w.busy.Store(int64(len(w.conns)))
	switch {
	case len(w.conns) > 1:
	case w.timer == nil:
		w.timer = time.AfterFunc(request.HandoverAfter, w.look)
	default:
		w.timer.Reset(request.HandoverAfter)
	}
}

func (w *watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	kept := w.conns[:0]
	for _, c := range w.conns {
		if c.moves() {
			kept = append(kept, c)
		}
	}
	clear(w.conns[len(kept):])
	w.conns = kept
	w.busy.Store(int64(len(kept)))
	if len(kept) > 0 {
		w.timer.Reset(request.HandoverAfter)
	}
}

// moves makes another goroutine the reader when the evaluation of the last look still
// runs. It is false when there was none since, and the watch is over.
func (c *Conn) moves() bool {
	evals := c.evals.Load()
	if evals != c.seen {
		c.seen = evals
		return true
	}
	if evals%2 == 1 {
		c.takeOver(evals)
		return true
	}
	c.watched.Store(false)
	// The next evaluation may have begun before that.
	return c.evals.Load() != evals && c.watched.CompareAndSwap(false, true)
}

// takeOver makes a worker the reader unless the evaluation has ended.
func (c *Conn) takeOver(evals uint64) {
	t := c.inlined.Load()
	if c.evals.CompareAndSwap(evals, evals+1) {
		t.Arm()
		c.desk.Work.Run(c.read)
	}
}
