package console

import (
	"context"
	"net/url"
	"time"
)

// watch waits for a Ctrl-C while a query runs, or a connection for it is made.
type watch struct {
	over   chan struct{} // closed when the query is over
	asked  chan struct{} // closed with the Ctrl-C
	joined chan struct{} // closed when nobody waits any more
}

// watch begins to wait, whether or not the request was sent. The first Ctrl-C has the
// server stop the query; where it cannot, or does not, and with the second, cancel ends
// the connection.
func (c *Console) watch(id string, cancel context.CancelCauseFunc) *watch {
	w := &watch{make(chan struct{}), make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(w.joined)
		select {
		case <-w.over:
			return
		case <-c.o.Interrupts:
		}
		close(w.asked)
		if c.kill(id) {
			select {
			case <-w.over:
				return
			case <-c.o.Interrupts:
			case <-time.After(grace):
			}
		}
		cancel(errCancelled)
	}()
	return w
}

func (w *watch) stopped() bool {
	select {
	case <-w.asked:
		return true
	default:
		return false
	}
}

// end says that the query is over, and reports whether the user has stopped it.
func (w *watch) end() bool {
	close(w.over)
	<-w.joined
	return w.stopped()
}

// kill has the server stop a request; false where that cannot be asked for.
func (c *Console) kill(id string) bool {
	if c.o.Ask == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return c.o.Ask(ctx, "POST", "/kill?id="+url.QueryEscape(id), nil) == nil
}

// interruptible is a context that a Ctrl-C ends, for what is no query; stop must follow.
func (c *Console) interruptible(ctx context.Context) (_ context.Context, stop func()) {
	c.drain()
	ctx, cancel := context.WithCancelCause(ctx)
	joined := make(chan struct{})
	go func() {
		defer close(joined)
		select {
		case <-ctx.Done():
		case <-c.o.Interrupts:
			cancel(errCancelled)
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-joined
	}
}

// drain forgets Ctrl-Cs that came when nothing ran.
func (c *Console) drain() {
	for {
		select {
		case <-c.o.Interrupts:
		default:
			return
		}
	}
}
