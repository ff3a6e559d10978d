package protocol

import (
	"testing"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// codeInSession is bytecode that leaves the transaction of a session open.
func codeInSession(id, step string, n int32) *message.Request {
	b := bytecode(step, value.Int(n))
	return requestOf(message.OpBytecode, message.ProcessorSession, args("gremlin", b, "session", id, "aliases", args("g", "g"), "evaluationTimeout", 60_000))
}

// begun is a client whose session s has a transaction: what it sends next is evaluated where it
// was read.
func begun(h *harness) *client {
	c := h.dial()
	c.want(codeInSession("s", "write", 1), message.StatusSuccess, "")
	c.want(codeInSession("s", "write", 1), message.StatusSuccess, "")
	return c
}

// TestSessionInline_Handover keeps the reader busy within a session: other requests pass, those of
// the session wait, and are answered behind it in order.
func TestSessionInline_Handover(t *testing.T) {
	h := start(t, nil)
	c := begun(h)
	for range 10 {
		slow := c.send(codeInSession("s", "E", 0))
		behind := c.send(codeInSession("s", "V", 3))
		last := c.send(codeInSession("s", "V", 1))
		quick := c.send(eval("count 1"))
		if a := c.next(); a.ID != quick || a.Code != message.StatusSuccess {
			t.Fatalf("the quick request did not pass: %d", a.Code)
		}
		if n := h.srv.Kill(slow.String()); n != 1 {
			t.Fatalf("%d killed", n)
		}
		for _, want := range []struct {
			id   any
			code int32
			n    int
		}{{slow, message.StatusTimeout, 0}, {behind, message.StatusSuccess, 3}, {last, message.StatusSuccess, 1}} {
			if a := c.next(); a.ID != want.id || a.Code != want.code || len(a.data.Elems()) != want.n {
				t.Fatalf("got %d with %d results, want %d with %d", a.Code, len(a.data.Elems()), want.code, want.n)
			}
		}
	}
}

// TestSessionInline_Pipelined sends what a session writes and commits without waiting.
func TestSessionInline_Pipelined(t *testing.T) {
	h := start(t, nil)
	c := begun(h)
	var want []any
	for i := range 300 {
		switch {
		case i%50 == 49:
			want = append(want, c.send(graphOp("s", "g", "commit")))
		case i%7 == 0:
			want = append(want, c.send(codeInSession("s", "write", 2)))
		default:
			want = append(want, c.send(codeInSession("s", "V", 1)))
		}
	}
	for i, id := range want {
		if a := c.next(); a.ID != id || a.Code >= 300 {
			t.Fatalf("answer %d is %d of another request", i, a.Code)
		}
	}
	if got := h.engine.commits.Load(); got != 6 {
		t.Errorf("%d commits, want 6", got)
	}
}

// TestSessionInline_Disconnect: the transaction ends with its client, whoever evaluates.
func TestSessionInline_Disconnect(t *testing.T) {
	h := start(t, nil)
	c := begun(h)
	c.send(codeInSession("s", "E", 0))
	eventually(t, "request runs", func() bool { return h.engine.blocked.Load() == 1 })
	c.ws.NetConn().Close()
	eventually(t, "session ended", func() bool {
		return h.engine.blocked.Load() == 0 && h.srv.conns.Count() == 0 && h.engine.rolled.Load() > 0
	})
}

func BenchmarkInSession(b *testing.B) {
	c := begun(start(b, nil))
	b.ReportAllocs()
	for b.Loop() {
		c.send(codeInSession("s", "V", 1))
		c.next()
	}
}
