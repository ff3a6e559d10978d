package protocol

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage"
)

// holding starts a server whose commits end when the test says so.
func holding(t *testing.T, change func(*Options)) *harness {
	return start(t, change).hold()
}

func (h *harness) hold() *harness {
	h.engine.held = make(chan heldCommit, 1000)
	h.t.Cleanup(func() { // of a test that failed
		for _, c := range h.taken {
			c.end()
		}
		for len(h.engine.held) > 0 {
			(<-h.engine.held).end()
		}
	})
	return h
}

// commits waits for n commits to begin.
func (h *harness) commits(n int) []heldCommit {
	h.t.Helper()
	late := time.After(patience)
	var list []heldCommit
	for len(list) < n {
		select {
		case c := <-h.engine.held:
			list, h.taken = append(list, c), append(h.taken, c)
		case <-late:
			h.t.Fatalf("%d of %d commits began", len(list), n)
		}
	}
	return list
}

// TestCommitsShareAGroup wants requests that were sent one after the other on one
// connection to commit side by side, and the connection to be read meanwhile.
func TestCommitsShareAGroup(t *testing.T) {
	h := holding(t, nil)
	c := h.dial()
	const n = 20
	pending := map[uuid.UUID]bool{}
	for range n {
		pending[c.send(eval("write 3"))] = true
	}
	held := h.commits(n)
	c.healthy()
	if list := h.srv.Status(); len(list) != n || list[0].State != "running" {
		t.Errorf("status: %+v", list)
	}
	for _, one := range held {
		one.end()
	}
	for range n {
		a := c.next()
		if a.Code != message.StatusSuccess || len(a.data.Elems()) != 3 || !pending[a.ID] {
			t.Errorf("got %d, %v", a.Code, a.data)
		}
		delete(pending, a.ID)
	}
}

// TestGroupOfManyConnections ends the commits of many connections at once; some lose.
func TestGroupOfManyConnections(t *testing.T) {
	h := holding(t, nil)
	clients := make([]*client, 30)
	for round := range 3 {
		for i := range clients {
			if clients[i] == nil {
				clients[i] = h.dial()
			}
			clients[i].send(eval([]string{"write 1", "write 1", "lose 1"}[i%3]))
		}
		for _, one := range h.commits(len(clients)) {
			one.end()
		}
		for i, c := range clients {
			if a := c.next(); a.Code != message.StatusSuccess {
				t.Errorf("round %d, client %d: %d %s", round, i, a.Code, a.Message)
			}
		}
	}
}

// TestHandoverOfAWrite keeps the reader busy with requests that write in the end.
func TestHandoverOfAWrite(t *testing.T) {
	h := start(t, nil)
	h.engine.gate = make(chan struct{})
	c := h.dial()
	for range 20 {
		slow := c.send(eval("gate 2"))
		c.healthy() // another goroutine reads
		h.engine.gate <- struct{}{}
		if a := c.next(); a.ID != slow || a.Code != message.StatusSuccess || len(a.data.Elems()) != 2 {
			t.Fatalf("got %d, %v", a.Code, a.data)
		}
	}
}

func TestFailedCommit(t *testing.T) {
	h := holding(t, nil)
	c := h.dial()
	c.send(eval("write 3"))
	h.commits(1)[0].endWith(storage.ErrUndetermined)
	if a := c.next(); a.Code != message.StatusServerError {
		t.Errorf("got %d %s", a.Code, a.Message)
	}
	eventually(t, "the transaction is closed", func() bool { return h.engine.closed.Load() == 1 })
	c.send(eval("write 3"))
	h.commits(1)[0].end()
	if a := c.next(); a.Code != message.StatusSuccess {
		t.Errorf("got %d %s", a.Code, a.Message)
	}
}

// TestKillDoesNotUndoACommit wants the outcome of a commit that has begun to be told,
// and one that lost not to run again.
func TestKillDoesNotUndoACommit(t *testing.T) {
	for script, code := range map[string]int32{"write 1": message.StatusSuccess, "lose 1": message.StatusTemporary} {
		h := holding(t, nil)
		c := h.dial()
		id := c.send(eval(script))
		held := h.commits(1)
		if n := h.srv.Kill(id.String()); n != 1 {
			t.Fatalf("%d killed", n)
		}
		held[0].end()
		if a := c.next(); a.ID != id || a.Code != code {
			t.Errorf("%s: got %d %s", script, a.Code, a.Message)
		}
	}
}

// TestShutdownAwaitsCommits wants the answer of a commit that has begun to come before
// the connection closes.
func TestShutdownAwaitsCommits(t *testing.T) {
	h := holding(t, nil)
	c := h.dial()
	id := c.send(eval("write 1"))
	held := h.commits(1)
	down := make(chan error, 1)
	go func() { down <- h.srv.Shutdown(context.Background()) }()
	eventually(t, "the drain begins", h.srv.Draining)
	c.want(eval("count 1"), message.StatusTemporary, "[SHUTTING_DOWN]")
	held[0].end()
	if a := c.next(); a.ID != id || a.Code != message.StatusSuccess {
		t.Errorf("got %d %s", a.Code, a.Message)
	}
	c.closed()
	if err := <-down; err != nil {
		t.Error(err)
	}
}

func TestDisconnectDuringACommit(t *testing.T) {
	for _, script := range []string{"write 1", "lose 1"} {
		h := holding(t, nil)
		c := h.dial()
		c.send(eval(script))
		held := h.commits(1)
		c.ws.NetConn().Close()
		held[0].end()
		eventually(t, "the connection is gone", func() bool { return h.srv.conns.Count() == 0 })
		if n := h.srv.desk.AdmittedNow(); n != 0 {
			t.Errorf("%s: %d requests left", script, n)
		}
	}
}

func TestInFlightCountsCommits(t *testing.T) {
	h := holding(t, func(o *Options) { o.Limits.InFlight = 2 })
	c := h.dial()
	c.send(eval("write 1"))
	c.send(eval("write 1"))
	held := h.commits(2)
	third := c.send(eval("count 1"))
	held[0].end()
	if a := c.next(); a.ID == third || a.Code != message.StatusSuccess {
		t.Errorf("got %d", a.Code)
	}
	if a := c.next(); a.ID != third || a.Code != message.StatusSuccess {
		t.Errorf("got %d", a.Code)
	}
	held[1].end()
	c.next()
}

// TestSlowClientKeepsNobodyWaiting ends the commits of a client that takes nothing and
// of another one that does.
func TestSlowClientKeepsNobodyWaiting(t *testing.T) { transports(t, slowClientKeepsNobodyWaiting) }

func slowClientKeepsNobodyWaiting(t *testing.T, l net.Listener) {
	h := startOn(t, l, func(o *Options) { o.Limits.SendBytes = 64 << 20 }).hold()
	slow, quick := h.dial(), h.dial()
	const n = 20
	for range n {
		slow.send(eval("store 1000000"))
	}
	held := h.commits(n)
	for _, one := range held[:n-1] {
		one.end()
	}
	eventually(t, "the slow client's socket is full", func() bool { _, writing := h.srv.conns.Backlog(); return writing > 0 })
	for i := range 20 {
		quick.send(eval("write 1"))
		both := h.commits(1)
		if i == 10 {
			both = append(both, held[n-1])
		}
		for _, one := range both {
			one.end()
		}
		if a := quick.next(); a.Code != message.StatusSuccess {
			t.Fatalf("got %d", a.Code)
		}
	}
	for range n {
		if a := slow.next(); a.Code != message.StatusSuccess || len(a.data.Elems()) != 1 {
			t.Fatalf("got %d, %v", a.Code, a.data)
		}
	}
}
