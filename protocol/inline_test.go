package protocol

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
)

// TestHandover keeps the reader busy and wants the connection to be read all the same.
func TestHandover(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	for i := range 10 {
		slow := c.send(eval([]string{"block", "poll"}[i%2], "evaluationTimeout", 60000))
		quick := c.send(eval("count 1"))
		if a := c.next(); a.ID != quick || a.Code != message.StatusSuccess {
			t.Fatalf("the quick request did not pass: %d", a.Code)
		}
		if n := h.srv.Kill(slow.String()); n != 1 {
			t.Fatalf("%d killed", n)
		}
		if a := c.next(); a.ID != slow || a.Code != message.StatusTimeout {
			t.Fatalf("got %d", a.Code)
		}
	}
}

// TestPipelinedAnswersLeaveTogether sends many requests in one write and wants every
// answer, whoever evaluated it.
func TestPipelinedAnswersLeaveTogether(t *testing.T) { transports(t, pipelinedAnswersLeaveTogether) }

func pipelinedAnswersLeaveTogether(t *testing.T, l net.Listener) {
	c := startOn(t, l, nil).dial()
	pending := map[string]bool{}
	for i := range 500 {
		script := "count 3"
		if i%7 == 0 {
			script = "write 1"
		}
		pending[c.send(eval(script)).String()] = true
	}
	for len(pending) > 0 {
		a := c.next()
		if a.Code != message.StatusSuccess || !pending[a.ID.String()] {
			t.Fatalf("got %d for %v", a.Code, a.ID)
		}
		delete(pending, a.ID.String())
	}
}

func TestDisconnectStopsAnInlineRequest(t *testing.T) {
	for _, script := range []string{"block", "poll"} {
		h := start(t, nil)
		c := h.dial()
		c.send(eval(script, "evaluationTimeout", 60000))
		eventually(t, "request runs", func() bool { return h.engine.blocked.Load() == 1 })
		c.ws.NetConn().Close()
		eventually(t, "request stopped", func() bool { return h.engine.blocked.Load() == 0 && h.srv.conns.Count() == 0 })
	}
}

func TestKillStopsAnInlineRequest(t *testing.T) {
	for _, script := range []string{"block", "poll"} {
		h := start(t, nil)
		c := h.dial()
		id := c.send(eval(script, "evaluationTimeout", 60000))
		eventually(t, "request runs", func() bool { return h.engine.blocked.Load() == 1 })
		if n := h.srv.Kill(id.String()); n != 1 {
			t.Fatalf("%d killed", n)
		}
		if a := c.next(); a.ID != id || a.Code != message.StatusTimeout || !strings.Contains(a.Message, "administrator") {
			t.Fatalf("got %d %s", a.Code, a.Message)
		}
		c.healthy()
	}
}

// TestWatchEnds wants no look at connections that are quiet.
func TestWatchEnds(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	for range 3 {
		c.healthy()
		eventually(t, "the watch ends", func() bool { return h.srv.conns.Watched() == 0 })
	}
}

func TestCloseIsAnsweredWhileARequestRuns(t *testing.T) {
	c := start(t, nil).dial()
	c.send(eval("block", "evaluationTimeout", 60000))
	msg := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	if err := c.ws.WriteControl(websocket.CloseMessage, msg, time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if code := c.closed(); code != websocket.CloseNormalClosure {
		t.Errorf("closed with %d", code)
	}
}

func BenchmarkPipelined(b *testing.B) {
	c := start(b, nil).dial()
	const window = 8
	for range window {
		c.send(eval("count 1"))
	}
	b.ReportAllocs()
	for b.Loop() {
		c.next()
		c.send(eval("count 1"))
	}
}

func BenchmarkSerial(b *testing.B) {
	c := start(b, nil).dial()
	b.ReportAllocs()
	for b.Loop() {
		c.send(eval("count 1"))
		c.next()
	}
}
