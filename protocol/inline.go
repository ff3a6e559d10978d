package protocol

import (
	"sync"
	"time"
)

// Requests that are likely quick are evaluated by the goroutine that read them: no
// other has to be woken. While it evaluates, nobody reads, and pings wait; so the watch
// hands reading over to another goroutine when it takes longer. Turns count that: the
// turn is odd while the reader evaluates. Nobody waits for the commit of what wrote: its
// end is somebody else's task, see answers.go.

// handoverAfter is how long a request may keep its connection from being read, and no
// more than twice that.
const handoverAfter = time.Millisecond

// lazyTimeout is the shortest timeout that can wait for the handover to be armed.
const lazyTimeout = 10 * handoverAfter

// keepFrames is how many bytes of answers wait for the end of the pipelined requests.
const keepFrames = 32 << 10

// inline evaluates a task at once. It is false when another goroutine has taken
// reading over meanwhile.
func (c *conn) inline(t *task) bool {
	if c.crowded() {
		c.queue(t)
		return true
	}
	if !c.slots.tryTake() {
		c.queue(t)
		return true
	}
	if !c.srv.tryAcquire(t) {
		c.slots.give()
		c.queue(t)
		return true
	}
	c.running.Add(1)
	turn := c.turn.Load() + 1
	t.turn = turn
	ctx := t.begin(c.ctx, t.received)
	c.inlined.Store(t)
	c.turn.Store(turn)
	if !c.watched.Load() {
		c.srv.watch.add(c)
	}
	answered := t.runAuto(ctx, 0)
	c.srv.release(t)
	mine := c.turn.CompareAndSwap(turn, turn+1)
	switch {
	case !mine: // whoever reads now may be waiting already
		c.out.Flush()
	case c.out.pendingBytes() >= keepFrames: // else the next read sends it
		c.push()
	}
	if !answered {
		if !mine { // the watch may hold it still
			t.eval.arm()
		}
		t.commit()
		return mine
	}
	if mine && t.reusable() {
		c.spare = t
	}
	c.finished()
	return mine
}

// finished takes note that a request is over.
func (c *conn) finished() {
	c.slots.give()
	c.srv.leave()
	c.running.Done()
}

// watch looks at the connections that evaluate on the goroutines that read them.
type watch struct {
	mu    sync.Mutex
	conns []*conn
	timer *time.Timer // runs while there are conns
}

// add has the connection looked at until it has been quiet for a while.
func (w *watch) add(c *conn) {
	if !c.watched.CompareAndSwap(false, true) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns = append(w.conns, c)
	switch {
	case len(w.conns) > 1:
	case w.timer == nil:
		w.timer = time.AfterFunc(handoverAfter, w.look)
	default:
		w.timer.Reset(handoverAfter)
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
	if len(kept) > 0 {
		w.timer.Reset(handoverAfter)
	}
}

// moves makes another goroutine the reader when the evaluation of the last look still
// runs. It is false when there was none since, and the watch is over.
func (c *conn) moves() bool {
	turn := c.turn.Load()
	if turn != c.seen {
		c.seen = turn
		return true
	}
	if turn%2 == 1 {
		c.takeOver(turn)
		return true
	}
	c.watched.Store(false)
	// The next evaluation may have begun before that.
	return c.turn.Load() != turn && c.watched.CompareAndSwap(false, true)
}

// takeOver makes a worker the reader unless the evaluation has ended.
func (c *conn) takeOver(turn uint64) {
	t := c.inlined.Load()
	if c.turn.CompareAndSwap(turn, turn+1) {
		t.eval.arm()
		c.srv.work.run(c.read)
	}
}
