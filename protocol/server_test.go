package protocol

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"),
		goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"))
}

func TestBatches(t *testing.T) {
	c := start(t, nil).dial()
	for _, tc := range []struct{ results, batch, frames int }{
		{0, 64, 1}, {1, 64, 1}, {64, 64, 1}, {65, 64, 2}, {128, 64, 2}, {129, 64, 3}, {3, 2, 2}, {3, 1, 3},
	} {
		r := eval("count "+value.Int(int32(tc.results)).JavaString(), "batchSize", tc.batch)
		c.send(r)
		n := 0
		for frame := 1; frame <= tc.frames; frame++ {
			a := c.next()
			want := int32(message.StatusPartialContent)
			if frame == tc.frames {
				want = message.StatusSuccess
				if tc.results == 0 {
					want = message.StatusNoContent
				}
				if got := attribute(a.Response, "host").Str(); got != "/"+c.ws.LocalAddr().String() {
					t.Errorf("host is %q", got)
				}
			}
			if a.Code != want {
				t.Errorf("%+v: frame %d has code %d, want %d", tc, frame, a.Code, want)
			}
			for _, v := range a.data.Elems() {
				if v.Int64() != int64(n) {
					t.Errorf("%+v: result %d is %v", tc, n, v)
				}
				n++
			}
		}
		if n != tc.results {
			t.Errorf("%+v: %d results", tc, n)
		}
	}
}

func TestBatchesCutByBytes(t *testing.T) {
	c := start(t, func(o *Options) { o.Limits.BatchBytes = 100 }).dial()
	c.send(eval("count 64"))
	frames := 1
	for c.next().Code == message.StatusPartialContent {
		frames++
	}
	if frames < 3 {
		t.Errorf("%d frames for 384 bytes of results, want more than 2", frames)
	}
}

func TestEvalExpandsBulkAndBytecodeSendsIt(t *testing.T) {
	c := start(t, nil).dial()
	if _, all := c.do(eval("bulk 3")); len(all) != 3 || all[0].Int64() != 7 {
		t.Errorf("eval: %v", all)
	}
	r := requestOf(message.OpBytecode, "traversal", args("gremlin", bytecode("bulk", value.Int(3)), "aliases", args("g", "g")))
	_, all := c.do(r)
	if len(all) != 1 || all[0].Traverser() == nil || all[0].Traverser().Bulk != 3 {
		t.Errorf("bytecode: %v", all)
	}
}

func TestRequestsOfOneConnectionRunConcurrently(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	slow := c.send(eval("block", "evaluationTimeout", 400))
	if a, _ := c.do(eval("count 1")); a.Code != message.StatusSuccess {
		t.Errorf("beside a slow request: %d %s", a.Code, a.Message)
	}
	if a := c.next(); a.ID != slow || a.Code != message.StatusTimeout {
		t.Errorf("slow request: %d %s", a.Code, a.Message)
	}
	c.healthy()
}

func TestPingIsAnsweredWhileARequestRuns(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	pong := make(chan string, 1)
	c.ws.SetPongHandler(func(s string) error {
		pong <- s
		h.srv.Kill("") // what runs ends after the pong
		return nil
	})
	c.send(eval("block", "evaluationTimeout", 60000))
	if err := c.ws.WriteControl(websocket.PingMessage, []byte("now"), time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if a := c.next(); a.Code != message.StatusTimeout {
		t.Errorf("got %d", a.Code)
	}
	select {
	case s := <-pong:
		if s != "now" {
			t.Errorf("pong %q", s)
		}
	default:
		t.Error("the pong did not come before the answer")
	}
}

func TestFragmentedRequest(t *testing.T) {
	h := start(t, nil)
	dialer := websocket.Dialer{WriteBufferSize: 16}
	ws, _, err := dialer.Dial("ws://"+h.addr+"/gremlin", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	c := &client{t, ws}
	w, err := ws.NextWriter(websocket.BinaryMessage)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range frameOf(t, eval("count 2")) {
		if _, err := w.Write([]byte{b}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if a := c.next(); a.Code != message.StatusSuccess {
		t.Errorf("got %d %s", a.Code, a.Message)
	}
}

// TestResponsesAreOneFrame reads the raw stream: no response may use a continuation
// frame, which the Java driver cannot read.
func TestResponsesAreOneFrame(t *testing.T) {
	h := start(t, nil)
	raw, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	dialer := websocket.Dialer{NetDial: func(string, string) (net.Conn, error) { return &recorder{Conn: raw}, nil }, EnableCompression: true}
	ws, resp, err := dialer.Dial("ws://"+h.addr+"/gremlin", nil)
	if err != nil {
		t.Fatal(err)
	}
	if ext := resp.Header.Get("Sec-WebSocket-Extensions"); ext != "" {
		t.Errorf("compression was accepted: %s", ext)
	}
	rec := ws.NetConn().(*recorder)
	rec.buf.Reset()
	c := &client{t, ws}
	if a, _ := c.do(eval("text 300000")); a.Code != message.StatusSuccess {
		t.Fatalf("got %d", a.Code)
	}
	b := rec.buf.Bytes()
	if b[0] != 0x82 {
		t.Errorf("first frame byte %#x, want 0x82: final, binary", b[0])
	}
}

type recorder struct {
	net.Conn
	buf bytes.Buffer
}

func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.Conn.Read(p)
	r.buf.Write(p[:n])
	return n, err
}

func TestWritesAreAnsweredAfterTheirCommit(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	a, all := c.do(eval("write 200"))
	if a.Code != message.StatusSuccess || len(all) != 200 || h.engine.commits.Load() != 1 {
		t.Errorf("code %d, %d results, %d commits", a.Code, len(all), h.engine.commits.Load())
	}
}

func TestLostConflictsAreRunAgain(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	a, all := c.do(eval("lose 3"))
	if a.Code != message.StatusSuccess || len(all) != 1 {
		t.Errorf("after 3 losses: %d %s, %d results", a.Code, a.Message, len(all))
	}
	if h.engine.alone == 0 {
		t.Error("never ran alone")
	}
	a = c.want(eval("lose 100"), message.StatusTemporary, "Conflict: element modified in another transaction")
	if !attribute(a.Response, "retryable").Bool() {
		t.Error("not marked retryable")
	}
}

func TestTimeoutsAndTheirTexts(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	r := eval("block", "evaluationTimeout", 20)
	c.want(r, message.StatusTimeout, "Evaluation exceeded the configured 'evaluationTimeout' threshold of 20 ms or evaluation was otherwise cancelled directly for request [block]")
	c.want(requestOf(message.OpBytecode, "traversal", args("gremlin", bytecode("block"), "aliases", args("g", "g"), "evaluationTimeout", 20)),
		message.StatusTimeout, "A timeout occurred during traversal evaluation of [RequestMessage{")
	c.want(eval(`block g.with("evaluationTimeout", 30)`, "evaluationTimeout", 60000), message.StatusTimeout, "threshold of 30 ms")
	eventually(t, "engine stopped", func() bool { return h.engine.blocked.Load() == 0 })
	c.healthy()
}

func TestPanicIsAnswered(t *testing.T) {
	c := start(t, nil).dial()
	c.want(eval("panic"), message.StatusServerError, "internal error")
	c.healthy()
}

func TestClosedConnectionStopsItsRequests(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	c.send(eval("block", "evaluationTimeout", 60000))
	eventually(t, "request runs", func() bool { return h.engine.blocked.Load() == 1 })
	c.ws.Close()
	eventually(t, "request stopped", func() bool { return h.engine.blocked.Load() == 0 && h.srv.desk.AdmittedNow() == 0 })
}

func TestRequestIDInUse(t *testing.T) {
	c := start(t, nil).dial()
	r := eval("block", "evaluationTimeout", 300)
	c.send(r)
	again := eval("count 1")
	again.ID = r.ID
	c.send(again)
	if a := c.next(); a.Code != message.StatusInvalidArguments || a.Message != "requestId already in use" {
		t.Errorf("got %d %s", a.Code, a.Message)
	}
	if a := c.next(); a.Code != message.StatusTimeout {
		t.Errorf("the first got %d", a.Code)
	}
	if a, _ := c.do(again); a.Code != message.StatusSuccess {
		t.Errorf("reused after its answer: %d %s", a.Code, a.Message)
	}
}

func TestManyConcurrentClients(t *testing.T) {
	h := start(t, nil)
	var wg sync.WaitGroup
	for range 20 {
		c := h.dial()
		wg.Add(1)
		go func() {
			defer wg.Done()
			pending := map[uuid.UUID]bool{}
			for range 50 {
				pending[c.send(eval("count 5"))] = true
			}
			for len(pending) > 0 {
				a := c.next()
				if !pending[a.ID] || a.Code != message.StatusSuccess {
					t.Errorf("unexpected %d for %v", a.Code, a.ID)
					return
				}
				delete(pending, a.ID)
			}
		}()
	}
	wg.Wait()
	eventually(t, "all requests left", func() bool { return h.srv.desk.AdmittedNow() == 0 })
}

func TestStatusAndKill(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	id := c.send(eval("block", "evaluationTimeout", 60000))
	eventually(t, "request runs", func() bool { return h.engine.blocked.Load() == 1 })
	list := h.srv.Status()
	if len(list) != 1 || list[0].ID != id.String() || list[0].State != "running" || list[0].Query != "block" {
		t.Fatalf("status: %+v", list)
	}
	if n := h.srv.Kill(id.String()); n != 1 {
		t.Errorf("killed %d", n)
	}
	if a := c.next(); a.ID != id || a.Code != message.StatusTimeout || a.Message != "Evaluation was stopped by an administrator for request ["+id.String()+"]" {
		t.Errorf("got %d %s", a.Code, a.Message)
	}
}

// TestDrain wants a final frame for every request and then the close frame.
func TestDrain(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.InFlight = 2 })
	c := h.dial()
	c.healthy()
	pending := map[uuid.UUID]bool{}
	for i := range 10 {
		r := eval("block", "evaluationTimeout", 60000)
		if i%2 == 0 {
			r = inSession("s", "block", "evaluationTimeout", 60000)
		}
		pending[c.send(r)] = true
	}
	eventually(t, "requests run", func() bool { return h.engine.blocked.Load() == 3 && h.srv.desk.AdmittedNow() == 10 })
	go func() {
		// Ends what still runs at once.
		ctx, cancel := contextDone()
		defer cancel()
		_ = h.srv.Shutdown(ctx)
	}()
	for range 10 {
		a := c.next()
		if !pending[a.ID] || a.Code != message.StatusTemporary || a.Message != shuttingDown {
			t.Errorf("%v: %d %s", a.ID, a.Code, a.Message)
		}
		delete(pending, a.ID)
	}
	if code := c.closed(); code != websocket.CloseGoingAway {
		t.Errorf("closed with %d", code)
	}
}

func TestNewRequestsWhileDraining(t *testing.T) {
	h := start(t, nil)
	c := h.dial()
	running := c.send(eval("block", "evaluationTimeout", 60000))
	eventually(t, "request runs", func() bool { return h.engine.blocked.Load() == 1 })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = h.srv.Shutdown(context.Background())
	}()
	eventually(t, "drain", h.srv.Draining)
	c.send(eval("count 1"))
	if a := c.next(); a.Code != message.StatusTemporary || a.Message != shuttingDown {
		t.Errorf("while draining: %d %s", a.Code, a.Message)
	}
	// What ran before may finish.
	if n := h.srv.Kill(running.String()); n != 1 {
		t.Errorf("%d killed", n)
	}
	if a := c.next(); a.ID != running || a.Code != message.StatusTimeout {
		t.Errorf("the running request: %d", a.Code)
	}
	if code := c.closed(); code != websocket.CloseGoingAway {
		t.Errorf("closed with %d", code)
	}
	<-ended
}

func TestUpgradeOnlyAtItsPath(t *testing.T) {
	h := start(t, nil)
	_, resp, err := websocket.DefaultDialer.Dial("ws://"+h.addr+"/other", nil)
	if err == nil || resp.StatusCode != http.StatusNotFound {
		t.Errorf("got %v", resp)
	}
}

func TestAuditAndSlowQueryLog(t *testing.T) {
	var log safeBuffer
	h := start(t, func(o *Options) {
		o.Audit, o.SlowQuery = true, 500*time.Millisecond
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	c := h.dial()
	quick, slow := eval("count 1"), eval("block", "evaluationTimeout", 600)
	begin := time.Now()
	c.do(quick)
	took := time.Since(begin)
	c.do(slow)
	// The answer goes out before the line.
	eventually(t, "the slow query in the log", func() bool { return strings.Contains(log.String(), "code=598") })
	text := log.String()
	for _, want := range []string{
		"msg=audit user=\"\" remote=" + c.ws.LocalAddr().String() + " session=\"\" request=" + quick.ID.String() + " op=eval query=\"count 1\"",
		"msg=\"slow query\" request=" + slow.ID.String(), "code=598",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in the log:\n%s", want, text)
		}
	}
	if took < 500*time.Millisecond && strings.Contains(text, "msg=\"slow query\" request="+quick.ID.String()) {
		t.Error("a quick query was logged as slow")
	}
}

type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// shuttingDown is what clients read that ask too late.
const shuttingDown = "the server is shutting down [SHUTTING_DOWN]"
