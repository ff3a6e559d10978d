package protocol

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
)

// TestEveryLimitIsSet keeps DefaultLimits complete: zero has a meaning for three only.
func TestEveryLimitIsSet(t *testing.T) {
	v := reflect.ValueOf(quota.DefaultLimits())
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if v.Field(i).IsZero() && name != "ConnectionIdle" && name != "KeepAlive" && name != "UserBytes" {
			t.Errorf("%s has no default", name)
		}
	}
}

func TestMessageBytes(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.MessageBytes = 1000 })
	c := h.dial()
	c.healthy()
	c.raw(websocket.BinaryMessage, make([]byte, 1001))
	if code := c.closed(); code != websocket.CloseMessageTooBig {
		t.Errorf("closed with %d", code)
	}
	resp, err := http.Post("http://"+h.addr+"/gremlin", "", strings.NewReader(strings.Repeat("x", 1001)))
	if err != nil {
		t.Fatal(err)
	}
	if b := body(t, resp); resp.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(b, "request exceeds maxContentLength (1000)") {
		t.Errorf("HTTP: %d %s", resp.StatusCode, b)
	}
}

// TestResponseBytes sends one result that is larger than any buffer.
func TestResponseBytes(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.ResponseBytes = 12 << 20 })
	c := h.dial()
	if a, all := c.do(eval("text 11534336")); a.Code != message.StatusSuccess || len(all) != 1 || len(all[0].Str()) != 11<<20 {
		t.Errorf("11 MiB: %d %s", a.Code, a.Message)
	}
	c.want(eval("text 13631488"), message.StatusSerialization, "(responseBytes)")
	c.healthy()
}

func body(t testing.TB, r *http.Response) string {
	t.Helper()
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestFragments(t *testing.T) {
	c := start(t, nil).dial()
	// Every fragment has one byte.
	frames := []byte{0x02, 0x81, 0, 0, 0, 0, 0}
	for range 1 << 16 {
		frames = append(frames, 0x00, 0x81, 0, 0, 0, 0, 0)
	}
	go c.ws.NetConn().Write(frames)
	if code := c.closed(); code != websocket.ClosePolicyViolation {
		t.Errorf("closed with %d", code)
	}
}

func TestPingsPerSecond(t *testing.T) {
	c := start(t, nil).dial()
	ping := []byte{0x89, 0x80, 0, 0, 0, 0}
	var many []byte
	for range 200 {
		many = append(many, ping...)
	}
	if _, err := c.ws.NetConn().Write(many); err != nil {
		t.Fatal(err)
	}
	if code := c.closed(); code != websocket.ClosePolicyViolation {
		t.Errorf("closed with %d", code)
	}
}

func TestMessageTimeout(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.MessageTimeout = 50 * time.Millisecond })
	c := h.dial()
	// The first fragments of a message that never ends.
	if _, err := c.ws.NetConn().Write([]byte{0x02, 0x81, 0, 0, 0, 0, 1, 0x00, 0x81, 0, 0, 0, 0, 1, 0x00, 0x81, 0, 0, 0, 0, 1}); err != nil {
		t.Fatal(err)
	}
	c.closed()
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "POST /gremlin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
	conn.SetReadDeadline(time.Now().Add(patience))
	b, _ := io.ReadAll(conn)
	if !strings.Contains(string(b), "408") {
		t.Errorf("slow body: %s", b)
	}
}

func TestHandshakeTimeout(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.HandshakeTimeout = 50 * time.Millisecond })
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "GET /gremlin HTTP/1.1\r\nHo")
	conn.SetReadDeadline(time.Now().Add(patience))
	if _, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection stays open")
	}
}

func TestQueue(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.Queue = 2 })
	c := h.dial()
	for range 2 {
		c.send(eval("block", "evaluationTimeout", 60000))
	}
	c.want(eval("count 1"), message.StatusTooManyRequests, message.RateLimiting)
	if n := h.srv.Kill(""); n != 2 {
		t.Errorf("%d killed", n)
	}
	for range 2 {
		if a := c.next(); a.Code != message.StatusTimeout {
			t.Errorf("got %d", a.Code)
		}
	}
	c.healthy()
}

func TestRunningAndInFlight(t *testing.T) {
	for name, change := range map[string]func(*quota.Limits){
		"running":  func(l *quota.Limits) { l.Running = 1 },
		"inFlight": func(l *quota.Limits) { l.InFlight = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			h := start(t, func(o *Options) { change(&o.Limits) })
			c := h.dial()
			first := c.send(eval("block", "evaluationTimeout", 100))
			eventually(t, "runs", func() bool { return h.engine.blocked.Load() == 1 })
			second := c.send(eval("count 1"))
			if a := c.next(); a.ID != first {
				t.Error("the second did not wait")
			}
			if a := c.next(); a.ID != second || a.Code != message.StatusSuccess {
				t.Errorf("got %d", a.Code)
			}
		})
	}
}

func TestConnections(t *testing.T) {
	for name, change := range map[string]func(*quota.Limits){
		"connections":           func(l *quota.Limits) { l.Connections = 1 },
		"connectionsPerAddress": func(l *quota.Limits) { l.ConnectionsPerAddress = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			h := start(t, func(o *Options) { change(&o.Limits) })
			c := h.dial()
			if _, _, err := websocket.DefaultDialer.Dial("ws://"+h.addr+"/gremlin", nil); err == nil {
				t.Error("a second connection was accepted")
			}
			c.healthy()
			c.ws.Close()
			eventually(t, "room again", func() bool {
				ws, _, err := websocket.DefaultDialer.Dial("ws://"+h.addr+"/gremlin", nil)
				if err == nil {
					ws.Close()
				}
				return err == nil
			})
		})
	}
}

func TestSessionLimits(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.Sessions, o.Limits.SessionsPerConnection = 3, 2 })
	a, b := h.dial(), h.dial()
	a.do(inSession("a1", "set 1"))
	a.do(inSession("a2", "set 1"))
	a.want(inSession("a3", "set 1"), message.StatusTooManyRequests, "sessionsPerConnection")
	b.do(inSession("b1", "set 1"))
	b.want(inSession("b2", "set 1"), message.StatusTooManyRequests, "3 sessions are open already (sessions)")
}

func TestResultsMax(t *testing.T) {
	c := start(t, func(o *Options) { o.Limits.ResultsMax = 100 }).dial()
	c.want(eval("count 100"), message.StatusSuccess, "")
	c.want(eval("count 101"), message.StatusServerError, "resultsMax")
	c.want(eval("bulk 1000000000"), message.StatusServerError, "resultsMax")
}

func TestHeldBytes(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.HeldBytes = 10 })
	c := h.dial()
	if a, all := c.do(eval("write 200")); a.Code != message.StatusSuccess || len(all) != 200 {
		t.Errorf("got %d, %d results", a.Code, len(all))
	}
}

func TestEvaluationTimeoutMax(t *testing.T) {
	c := start(t, func(o *Options) { o.Limits.EvaluationTimeoutMax = 30 * time.Millisecond }).dial()
	for _, script := range []string{"block", "poll"} {
		c.want(eval(script, "evaluationTimeout", 3_600_000), message.StatusTimeout, "threshold of 30 ms")
		c.want(eval(script, "evaluationTimeout", 0), message.StatusTimeout, "threshold of 30 ms")
	}
}

func TestConnectionIdleAndKeepAlive(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.ConnectionIdle = 20 * time.Millisecond })
	if code := h.dial().closed(); code != websocket.CloseNormalClosure {
		t.Errorf("closed with %d", code)
	}
	h = start(t, func(o *Options) { o.Limits.KeepAlive = 20 * time.Millisecond })
	c := h.dial()
	pinged := make(chan struct{})
	c.ws.SetPingHandler(func(string) error { close(pinged); return io.EOF })
	c.ws.SetReadDeadline(time.Now().Add(patience))
	c.ws.ReadMessage()
	select {
	case <-pinged:
	default:
		t.Error("no ping")
	}
}

func TestSlowClientIsPausedAndDropped(t *testing.T) {
	h := start(t, func(o *Options) {
		o.Limits.StallTimeout, o.Limits.SendBytes, o.Limits.Running = 500*time.Millisecond, 64<<10, 1
	})
	slow := h.dial()
	slow.send(eval("count 9000000", "batchSize", 65536))
	// Its slot is free while it waits.
	h.dial().healthy()
	eventually(t, "slow client dropped", func() bool { return h.srv.conns.Count() == 1 })
	eventually(t, "its request ended", func() bool { return h.srv.desk.AdmittedNow() == 0 })
}

// TestPendingAnswersAreBounded has a client ask for much and take nothing: what waits
// for it stays near the limit, whatever it asks for.
func TestPendingAnswersAreBounded(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.SendBytes, o.Limits.InFlight = 64<<10, 4 })
	c := h.dial()
	for range 200 {
		c.send(eval("text 1000000"))
	}
	eventually(t, "the connection is known", func() bool { return h.srv.conns.Count() == 1 })
	waiting := func() int { n, _ := h.srv.conns.Backlog(); return n }
	eventually(t, "answers wait", func() bool { return waiting() > 64<<10 })
	for range 100 {
		if n := waiting(); n > 6_000_000 {
			t.Fatalf("%d bytes wait", n)
		}
	}
	for range 200 {
		if a := c.next(); a.Code != message.StatusSuccess {
			t.Fatalf("got %d", a.Code)
		}
	}
}

func TestHTTPHeadLimits(t *testing.T) {
	h := start(t, nil)
	get := func(url string, header http.Header) int {
		r, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = header
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if code := get("http://"+h.addr+"/?gremlin="+strings.Repeat("x", 4<<10), nil); code != http.StatusRequestURITooLong {
		t.Errorf("long URI: %d", code)
	}
	many := http.Header{}
	for range 200 {
		many.Add("X-Many", "1")
	}
	if code := get("http://"+h.addr+"/?gremlin=count+1", many); code != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("many headers: %d", code)
	}
	if code := get("http://"+h.addr+"/", http.Header{"X-Long": {strings.Repeat("x", 20<<10)}}); code != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("long header: %d", code)
	}
}
