package connection

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/value"
)

// Requests are answered under their own ids, and an id may be used again by then.
func TestConn_Answers(t *testing.T) {
	h := serve(t, nil)
	p := h.dial("/")
	id := uuid.New()
	for range 3 {
		p.sendAs(id, message.OpEval, "", "gremlin", "a")
		r := p.wants(id, message.StatusSuccess)
		if len(r.Attributes) != 1 || r.Attributes[0].Key != "host" || !strings.HasPrefix(r.Attributes[0].Value.Str(), "/127.0.0.1:") {
			t.Errorf("attributes %v", r.Attributes)
		}
	}
	p.sendAs(id, message.OpEval, "", "gremlin", "block")
	<-h.e.started
	p.sendAs(id, message.OpEval, "", "gremlin", "a")
	if r := p.wants(id, message.StatusInvalidArguments); r.Message != "requestId already in use" {
		t.Error(r.Message)
	}
	p.wants(p.send("zzz", "", "gremlin", "a"), message.StatusMalformedRequest)
	p.ws.WriteMessage(websocket.BinaryMessage, []byte("\x03a/b"))
	p.wants(uuid.Nil, message.StatusMalformedRequest)
	// The refused one has not given the id of the running one free.
	n := 0
	h.set.Each(func(task *request.Task) {
		if n++; task.Req.ID != id {
			t.Errorf("%s runs", task.ID())
		}
		task.Stop(nil)
	})
	if n != 1 {
		t.Errorf("%d requests run", n)
	}
	p.wants(id, message.StatusTimeout)
}

// A request that does not end keeps nobody from being read: others are answered, and
// pings, though the goroutine that read it evaluates it.
func TestConn_Handover(t *testing.T) {
	h := serve(t, nil)
	p := h.dial("/")
	spins := p.send(message.OpEval, "", "gremlin", "spin", "evaluationTimeout", value.Int(1_000_000))
	<-h.e.started
	p.wants(p.eval("a"), message.StatusSuccess)
	ponged := make(chan string, 1)
	p.ws.SetPongHandler(func(s string) error { ponged <- s; return nil })
	if err := p.ws.WriteControl(websocket.PingMessage, []byte("x"), time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	p.wants(p.eval("b"), message.StatusSuccess)
	if s := <-ponged; s != "x" {
		t.Errorf("pong %q", s)
	}
	h.set.Each(func(task *request.Task) { task.Stop(nil) })
	p.wants(spins, message.StatusTimeout)
	eventually(t, "the watch is over", func() bool { return h.set.Watched() == 0 })
	p.wants(p.eval("c"), message.StatusSuccess)
}

// Commits that lose are run again, those that win are answered; both without a reader.
func TestConn_Commits(t *testing.T) {
	h := serve(t, nil)
	p := h.dial("/")
	h.e.conflicts.Store(3)
	p.wants(p.eval("write"), message.StatusSuccess)
	if n := h.e.commits.Load(); n != 4 {
		t.Errorf("%d commits", n)
	}
	h.e.conflicts.Store(1000)
	p.wants(p.eval("write"), message.StatusTemporary)
	h.e.conflicts.Store(0)
	ids := map[uuid.UUID]bool{}
	for range 50 {
		ids[p.eval("write")] = true
	}
	for range 50 {
		delete(ids, p.next().ID)
	}
	if len(ids) != 0 {
		t.Errorf("%d are not answered", len(ids))
	}
}

// A client that takes nothing pauses its requests, and is cut off when it goes on so.
func TestConn_SlowClient(t *testing.T) {
	h := serve(t, func(o *request.Options) { o.Limits.SendBytes, o.Limits.InFlight = 1<<10, 1 })
	p := h.dial("/")
	const n, size = 40, "1000000"
	for range n {
		p.eval("long " + size)
	}
	var backlog, writing int
	eventually(t, "the server waits for the client", func() bool {
		backlog, writing = h.set.Backlog()
		return writing == 1
	})
	if backlog > 3<<20 {
		t.Errorf("%d bytes wait for a client that may let %d wait", backlog, h.desk.Limits().SendBytes)
	}
	now := time.Now()
	h.set.Inspect(now) // looks for the first time
	h.set.Inspect(now.Add(h.desk.Limits().StallTimeout - time.Second))
	if h.set.Count() != 1 {
		t.Error("cut off too early")
	}
	for range n {
		p.ws.SetReadDeadline(time.Now().Add(patience))
		if _, _, err := p.ws.ReadMessage(); err != nil {
			t.Fatal(err)
		}
	}
	for range n {
		p.eval("long " + size)
	}
	eventually(t, "the server waits for the client again, and cuts it off", func() bool {
		now = now.Add(time.Minute)
		h.set.Inspect(now)
		return h.set.Count() == 0
	})
}

// Messages have a limit, come in pieces, and in text that is UTF-8.
func TestConn_Messages(t *testing.T) {
	h := serve(t, func(o *request.Options) { o.Limits.MessageBytes = 100 << 10 })
	p := h.dial("/")
	p.wants(p.eval(strings.Repeat("a", 90<<10)), message.StatusSuccess)
	p.wants(p.eval("b"), message.StatusSuccess)
	p.eval(strings.Repeat("a", 101<<10))
	p.closed(websocket.CloseMessageTooBig, "request exceeds maxContentLength (102400)")

	p = h.dial("/")
	p.ws.WriteMessage(websocket.TextMessage, []byte("\xff"))
	p.closed(websocket.CloseInvalidFramePayloadData, "text is not UTF-8")

	h = serve(t, func(o *request.Options) { o.Limits.ConnectionBytes, o.Limits.MessageBytes = 64<<10, 1<<20 })
	p = h.dial("/")
	p.eval(strings.Repeat("a", 200<<10))
	p.ws.SetReadDeadline(time.Now().Add(patience))
	if _, _, err := p.ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseTryAgainLater) || !strings.Contains(err.Error(), "connectionMemory") {
		t.Errorf("a message beyond the connection's memory: %v", err)
	}
}

// A message comes in fragmentsMax pieces and one more for each 64 bytes, and in no more.
func TestConn_Fragments(t *testing.T) {
	most := fragmentsMax // of one byte each
	for most+1-(most+1)/64 <= fragmentsMax {
		most++
	}
	h := serve(t, nil)
	p := h.dial("/")
	p.wants(p.evalInPieces(most), message.StatusSuccess)
	p.evalInPieces(most + 1)
	p.closed(websocket.ClosePolicyViolation, "too many fragments")
}

// A client that has said goodbye is hung up on: else it, or a proxy, would keep the socket.
func TestConn_ClosedByTheServer(t *testing.T) {
	h := serve(t, nil)
	p := h.dial("/")
	p.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(patience))
	p.closed(websocket.CloseNormalClosure, "")
	if n, err := p.ws.NetConn().Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("behind the goodbye: %d bytes, %v", n, err)
	}
}

func TestConn_Pings(t *testing.T) {
	h := serve(t, func(o *request.Options) { o.Limits.PingsPerSecond = 3 })
	p := h.dial("/")
	for range 4 {
		p.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(patience))
	}
	p.closed(websocket.ClosePolicyViolation, "too many pings")
}

// A quiet connection is pinged once in a while, and ends when it is idle for long.
func TestConn_Quiet(t *testing.T) {
	h := serve(t, func(o *request.Options) { o.Limits.KeepAlive, o.Limits.ConnectionIdle = time.Minute, time.Hour })
	p := h.dial("/")
	pinged := make(chan struct{}, 100)
	p.ws.SetPingHandler(func(string) error { pinged <- struct{}{}; return nil })
	now := time.Now()
	p.wants(p.eval("a"), message.StatusSuccess)
	h.set.Inspect(now.Add(59 * time.Second))
	for range 3 {
		h.set.Inspect(now.Add(61 * time.Second))
	}
	eventually(t, "a ping came", func() bool { p.wants(p.eval("b"), message.StatusSuccess); return len(pinged) > 0 })
	if n := len(pinged); n != 1 {
		t.Errorf("%d pings", n)
	}
	blocks := p.eval("block")
	<-h.e.started
	h.set.Inspect(now.Add(2 * time.Hour)) // not idle: a request runs
	h.set.Each(func(task *request.Task) { task.Stop(nil) })
	p.wants(blocks, message.StatusTimeout)
	eventually(t, "nothing runs", func() bool { n := 0; h.set.Each(func(*request.Task) { n++ }); return n == 0 })
	h.set.Inspect(now.Add(3 * time.Hour))
	p.closed(websocket.CloseNormalClosure, "idle")
}

// When the server ends, what runs is told so before the connection closes, and nobody new
// gets in.
func TestSet_ShutDown(t *testing.T) {
	h := serve(t, nil)
	p := h.dial("/")
	blocks := p.eval("block")
	<-h.e.started
	h.desk.Drain()
	p.wants(p.eval("a"), message.StatusTemporary)
	h.dial("/").closed(websocket.CloseTryAgainLater, "the server is shutting down")
	h.set.ShutDown()
	p.wants(blocks, message.StatusTemporary)
	p.closed(websocket.CloseGoingAway, "the server is shutting down")
	h.set.Wait(nil)
}

// A request that waits for its turn is told, too.
func TestConn_Abandoned(t *testing.T) {
	h := serve(t, func(o *request.Options) { o.Limits.InFlight = 1 })
	p := h.dial("/")
	waiting := map[uuid.UUID]bool{p.eval("block"): true}
	<-h.e.started
	waiting[p.eval("a")] = true
	eventually(t, "it waits", func() bool { return h.desk.AdmittedNow() == 2 })
	h.set.ShutDown()
	for range 2 {
		if r := p.next(); r.Code != message.StatusTemporary || !waiting[r.ID] {
			t.Errorf("%d %s", r.Code, r.Message)
		} else {
			delete(waiting, r.ID)
		}
	}
}

// Requests that a quota refuses wait for their answer; others of the connection do not wait for
// them, and all are answered when the server begins to stop.
func TestConn_RefusedLater(t *testing.T) {
	h := serve(t, nil)
	p := h.dial("/")
	refused := map[uuid.UUID]bool{}
	for range 5 {
		refused[p.eval("full")] = true
		p.wants(p.eval("a"), message.StatusSuccess)
	}
	eventually(t, "none of them counts as running or waiting", func() bool { return h.desk.AdmittedNow() == 0 })
	h.desk.Drain()
	for range 5 {
		if r := p.next(); !refused[r.ID] || r.Message != "full" {
			t.Errorf("%d %s", r.Code, r.Message)
		}
	}
}

// Who leaves is waited for by nobody, and nothing is kept of what he asked: the end of the test
// looks.
func TestConn_RefusedAndGone(t *testing.T) {
	h := serve(t, nil)
	p := h.dial("/")
	for range 5 {
		p.eval("full")
	}
	p.wants(p.eval("a"), message.StatusSuccess)
	p.ws.Close()
}
