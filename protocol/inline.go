package protocol

import "time"

// Requests that only read and are likely quick are evaluated by the goroutine that
// read them: no other has to be woken. While it evaluates, nobody reads, and pings
// wait; so a timer hands reading over to another goroutine when it takes longer.
const (
	reading    int32 = iota // or waiting for nothing: there is a reader
	evaluating              // the reader evaluates, and the timer runs
)

// handoverAfter is how long a request may keep its connection from being read.
const handoverAfter = time.Millisecond

// keepFrames is how many bytes of answers wait for the end of the pipelined requests.
const keepFrames = 32 << 10

// inline evaluates a task at once. It is false when another goroutine has taken
// reading over meanwhile.
func (c *conn) inline(t *task) bool {
	if c.crowded() {
		c.queue(t)
		return true
	}
	select {
	case c.slots <- struct{}{}:
	default:
		c.queue(t)
		return true
	}
	if !c.srv.acquireNow() {
		<-c.slots
		c.queue(t)
		return true
	}
	c.running.Add(1)
	t.inline = true
	c.role.Store(evaluating)
	c.handover.Reset(handoverAfter)
	t.started.Store(time.Now().UnixNano())
	t.runAuto(c.ctx)
	c.srv.release()
	<-c.slots
	c.srv.leave()
	mine := c.role.CompareAndSwap(evaluating, reading)
	if mine {
		c.handover.Stop()
	} else {
		// Whoever reads now may be waiting already.
		c.out.Flush()
	}
	c.running.Done()
	return mine
}

// takeOver makes the timer's goroutine the reader, unless the evaluation has ended. A
// timer that fires late may take over from a later request, which is harmless.
func (c *conn) takeOver() {
	if c.role.CompareAndSwap(evaluating, reading) {
		c.read()
	}
}
