package connection

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
)

// Flush sends what waits, and waits for the client. When other requests of the
// connection are about to finish, their frames leave in the same write.
func (c *Conn) Flush() {
	if c.active.Load() > 1 {
		runtime.Gosched()
	}
	c.out.Flush()
}

// crowded reports whether too much waits for the client to begin another request.
func (c *Conn) crowded() bool { return c.out.pendingBytes() > c.desk.Limits().SendBytes }

// push sends what waits for the client without waiting for it.
func (c *Conn) push() {
	if !c.out.FlushNow() {
		c.desk.Work.Run(c.out.Flush)
	}
}

// Send puts one frame of a task, whole, into the outbox, which has room for it. Frames of
// tasks that hold a slot leave when they give it back, or when somebody calls push: no
// slot is held while a client takes its time.
func (c *Conn) Send(t *request.Task, frame []byte) {
	kind := websocket.BinaryMessage
	if t.Text {
		kind = websocket.TextMessage
	}
	c.wmu.Lock()
	err := c.ws.WriteMessage(kind, frame)
	c.wmu.Unlock()
	switch {
	case err != nil:
		c.cancel(answer.ErrConnectionGone)
	case t.Grouped, t.Slotted: // somebody sends it soon
	default:
		c.push()
	}
}

// waitRoom pauses a task whose client takes its results slower than they come, until no
// more than max bytes wait for it. The evaluation slot is free meanwhile.
func (c *Conn) waitRoom(ctx context.Context, t *request.Task, max int) error {
	c.desk.Idle(t, func() {
		c.out.Flush()
		stop := context.AfterFunc(ctx, c.out.wake)
		defer stop()
		c.out.WaitRoom(max, func() bool { return ctx.Err() != nil })
	})
	if ctx.Err() != nil {
		return fmt.Errorf("wait for a slow client: %w", context.Cause(ctx))
	}
	return nil
}

// Reserve makes room for a frame of n bytes, if need be by waiting for the client.
func (c *Conn) Reserve(ctx context.Context, t *request.Task, n int) error {
	for {
		pending := c.out.pendingBytes()
		err := c.out.reserve(n)
		if err == nil || t.Grouped || pending == 0 {
			return err
		}
		if err := c.waitRoom(ctx, t, pending/2); err != nil {
			return err
		}
	}
}

// Success are the attributes of every terminal success.
func (c *Conn) Success() []message.Attribute { return c.success }

// Context ends with the connection.
func (c *Conn) Context() context.Context { return c.ctx }

// Running are the goroutines that work for the connection.
func (c *Conn) Running() *sync.WaitGroup { return &c.running }

// Holder is who the connection belongs to.
func (c *Conn) Holder() *quota.Holder { return c.holder }

// Forget gives the id of t free.
func (c *Conn) Forget(t *request.Task) { c.inFlight.remove(t) }

// Answered says that a terminal frame is in the outbox.
func (c *Conn) Answered() { c.active.Add(-1) }

// Break ends a connection on which a request cannot be answered.
func (c *Conn) Break(err error) {
	c.cancel(answer.ErrConnectionGone)
	c.out.fail(err)
}

// Yield sends what is pending, and pauses a task whose client is far behind.
func (c *Conn) Yield(ctx context.Context, t *request.Task) error {
	c.push()
	if c.crowded() {
		return c.waitRoom(ctx, t, c.desk.Limits().SendBytes/2)
	}
	return nil
}

// closeWith sends a close frame; the read loop ends when the client answers or by
// whoever called.
func (c *Conn) closeWith(code int, reason string) {
	msg := websocket.FormatCloseMessage(code, reason)
	// A failure means that a close frame is under way already.
	_ = c.ws.WriteControl(websocket.CloseMessage, msg, time.Now().Add(closeGrace))
}

// goodbye delivers the last frames: it ends our side and reads what the client still
// had under way, because closing on unread data would discard them.
func (c *Conn) goodbye(cause error) {
	raw := c.out.Conn
	raw.SetDeadline(time.Now().Add(closeGrace))
	c.out.Flush()
	var closed *websocket.CloseError
	if errors.As(cause, &closed) {
		return
	}
	if half, ok := raw.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		_, _ = io.CopyN(io.Discard, raw, c.desk.Limits().MessageBytes)
	}
}

// shutDown ends the connection from outside: a stalled or idle client, or the drain.
func (c *Conn) shutDown(code int, reason string, cause error) {
	by := time.Now().Add(2 * closeGrace)
	if !c.closeBy.CompareAndSwap(nil, &by) {
		return
	}
	c.cancel(cause)
	c.out.wake()
	go func() {
		c.awaitAnswers()
		c.closeWith(code, reason)
		c.out.Flush()
	}()
	// Neither a client that sends nothing nor one that takes nothing keeps it open.
	c.out.Conn.SetDeadline(by)
}

// awaitAnswers gives requests that were stopped the time to say so: nothing can be sent
// behind a close frame.
func (c *Conn) awaitAnswers() {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	late := time.NewTimer(closeGrace)
	defer late.Stop()
	for c.active.Load() > 0 {
		select {
		case <-tick.C:
		case <-late.C:
			return
		}
	}
}
