package protocol

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
)

// What clients do here they do from outside, on sockets. The harness checks after each
// test that nothing stays charged.

// deaf is a WebSocket connection whose client never reads, with little room on its way.
func (h *harness) deaf() *client {
	h.t.Helper()
	d := websocket.Dialer{NetDial: func(network, addr string) (net.Conn, error) {
		c, err := net.Dial(network, addr)
		if err == nil {
			_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
		}
		return c, err
	}}
	ws, _, err := d.Dial("ws://"+h.addr+"/gremlin", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { ws.Close() })
	return &client{h.t, ws}
}

// narrow gives what the server sends little room on its way.
type narrow struct{ net.Listener }

func (l narrow) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(4 << 10)
	}
	return c, err
}

// closing reads until the server closes and returns the close frame.
func (c *client) closing() *websocket.CloseError {
	c.t.Helper()
	for {
		c.ws.SetReadDeadline(time.Now().Add(patience))
		if _, _, err := c.ws.ReadMessage(); err != nil {
			e, _ := err.(*websocket.CloseError)
			if e == nil {
				c.t.Fatalf("closed by %v", err)
			}
			return e
		}
	}
}

// padded is a request whose message has about n bytes.
func padded(n int) *message.Request { return eval("count 1", "language", strings.Repeat("x", n)) }

func TestBeforeLogin_Large(t *testing.T) {
	h := start(t, withAuth)
	c := h.dial()
	_ = c.ws.WriteMessage(websocket.BinaryMessage, frameOf(t, padded(9<<20)))
	if e := c.closing(); e.Code != websocket.CloseMessageTooBig || !strings.Contains(e.Text, "loginBytes") {
		t.Errorf("closed with %v", e)
	}
	small := h.dial()
	small.challenge(small.send(padded(40 << 10)))
	small.send(login(plain("", "stephen", "pass:word")))
	if a := small.next(); a.Code != message.StatusSuccess {
		t.Errorf("40 KiB are logged in for: %d %s", a.Code, a.Message)
	}
	if a, _ := small.do(padded(9 << 20)); a.Code != message.StatusSuccess {
		t.Errorf("9 MiB after login: %d %s", a.Code, a.Message)
	}
}

func TestBeforeLogin_Many(t *testing.T) {
	h := start(t, withAuth)
	c := h.dial()
	for range 40 {
		if err := c.ws.WriteMessage(websocket.BinaryMessage, frameOf(t, padded(3<<10))); err != nil {
			break
		}
	}
	if e := c.closing(); e.Code != websocket.ClosePolicyViolation || !strings.Contains(e.Text, "loginBytes") {
		t.Errorf("closed with %v", e)
	}
}

// TestBeforeLogin_Address parks what one connection may park on many.
func TestBeforeLogin_Address(t *testing.T) {
	h := start(t, func(o *Options) { withAuth(o); o.Limits.LoginBytesPerAddress = 256 << 10 })
	refused := 0
	for range 20 {
		c := h.dial()
		_ = c.ws.WriteMessage(websocket.BinaryMessage, frameOf(t, padded(30<<10)))
		c.ws.SetReadDeadline(time.Now().Add(patience))
		_, _, err := c.ws.ReadMessage()
		if err == nil {
			continue // challenged
		}
		refused++
		if e, ok := err.(*websocket.CloseError); !ok || !strings.Contains(e.Text, "loginBytesPerAddress") {
			t.Errorf("closed by %v", err)
		}
	}
	if refused < 10 || refused > 14 {
		t.Errorf("%d of 20 connections refused", refused)
	}
	if used := h.srv.desk.Memory.Used(); used > 256<<10 {
		t.Errorf("%d bytes used", used)
	}
}

// TestBeforeLogin_Deaf has clients that nobody knows ask for challenges and read none.
func TestBeforeLogin_Deaf(t *testing.T) {
	transports(t, func(t *testing.T, l net.Listener) {
		if v, ok := l.(veiled); ok {
			l = veiled{narrow{v.Listener}}
		} else {
			l = narrow{l}
		}
		h := startOn(t, l, func(o *Options) {
			withAuth(o)
			o.Limits.StallTimeout = time.Hour // nobody is closed for being slow
			o.Limits.AuthenticationTimeout = 2 * time.Second
		})
		frame := frameOf(t, login("x"))
		eventually(t, "challenges wait", func() bool {
			if h.srv.conns.Count() == 0 { // the first, or the one before did not fill its socket in time
				c := h.deaf()
				go func() {
					for c.ws.WriteMessage(websocket.BinaryMessage, frame) == nil {
					}
				}()
			}
			_, writing := h.srv.conns.Backlog()
			return writing > 0
		})
		if code := h.dial().closed(); code != websocket.ClosePolicyViolation {
			t.Errorf("another connection was closed with %d", code)
		}
		// Nobody can tell the deaf one, but it goes too.
		eventually(t, "the deaf connection ends", func() bool { return h.srv.conns.Count() == 0 })
	})
}

// TestDeaf_WebSocket has clients that read nothing ask for more than fits anywhere:
// their slots are free for others.
func TestDeaf_WebSocket(t *testing.T) {
	transports(t, func(t *testing.T, l net.Listener) {
		h := startOn(t, l, func(o *Options) {
			o.Limits.Running = 2
			o.Limits.StallTimeout = time.Hour
		})
		for _, script := range []string{"text 16777216", "count 9000000", "write 9000000", "block count"} {
			h.deaf().send(eval(script, "evaluationTimeout", 600_000))
			h.deaf().send(inSession("deaf "+script, script, "evaluationTimeout", 600_000))
			if script == "block count" {
				continue // holds what it has: it evaluates
			}
			other := h.dial()
			for range 20 {
				other.healthy()
			}
		}
	})
}

func TestDeaf_HTTP(t *testing.T) {
	h := start(t, func(o *Options) {
		o.Limits.Running = 2
		o.Limits.StallTimeout = 2 * time.Second
	})
	for range 8 {
		conn, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
		io.WriteString(conn, "GET /gremlin?gremlin=text%2016777216 HTTP/1.1\r\nHost: localhost\r\n\r\n")
	}
	eventually(t, "answers are charged", func() bool { return h.srv.desk.Memory.Used() > 8*16<<20 })
	h.dial().healthy()
	eventually(t, "those who read nothing are given up", func() bool { return h.srv.desk.Memory.Used() == 0 })
}

// TestHTTP_BodyNotRead declares bodies that do not come: the answer does.
func TestHTTP_BodyNotRead(t *testing.T) {
	h := start(t, nil)
	for request, want := range map[string]int{
		"GET /gremlin?gremlin=count%201 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n":                          200,
		"POST /gremlin HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 99000000\r\n\r\n":              413,
		"POST /gremlin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99000000\r\n\r\n":                                      413,
		"PUT /gremlin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n":                                            405,
		"POST /gremlin HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nContent-Length: 100\r\n\r\n":            403,
		"POST /gremlin HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n":                 415,
		"GET /gremlin?gremlin=count%201 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n":                   200,
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n":                                            200,
		"GET /gremlin HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 1\r\n\r\n": 400,
	} {
		conn, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		io.WriteString(conn, request)
		conn.SetReadDeadline(time.Now().Add(patience)) // a body may take longer
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%.40q: %v", request, err)
			continue
		}
		if resp.StatusCode != want {
			t.Errorf("%.40q: %d, want %d", request, resp.StatusCode, want)
		}
		resp.Body.Close()
		if _, err := conn.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%.40q: the connection is not closed: %v", request, err)
		}
	}
}

// TestUnfinishedMessages begins many messages, over both transports, and ends none.
func TestUnfinishedMessages(t *testing.T) {
	h := start(t, func(o *Options) {
		o.Limits.MemoryBytes, o.Limits.ConnectionBytes = 32<<20, 16<<20
		o.Limits.MessageTimeout = 3 * time.Second
	})
	piece := make([]byte, 5<<20)
	for range 30 {
		c := h.dial()
		go func() {
			w, err := c.ws.NextWriter(websocket.BinaryMessage)
			if err == nil {
				_, _ = w.Write(piece)
			}
		}()
		conn, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		go func() {
			fmt.Fprintf(conn, "POST /gremlin HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", 9<<20, piece)
		}()
	}
	eventually(t, "much is charged", func() bool { return h.srv.desk.Memory.Used() > 8<<20 })
	for range 100 {
		if used := h.srv.desk.Memory.Used(); used > 24<<20 {
			t.Fatalf("%d bytes used", used)
		}
		h.dial().healthy()
	}
	eventually(t, "unfinished messages end", func() bool { return h.srv.desk.Memory.Used() == 0 })
}

// TestQueuedRequests sends many large requests on one connection while the first ones
// run: it is not read further, and all are answered in the end.
func TestQueuedRequests(t *testing.T) {
	h := start(t, func(o *Options) { o.Limits.InFlight, o.Limits.ConnectionBytes = 1, 32<<20 })
	c := h.dial()
	first := c.send(eval("block", "evaluationTimeout", 60_000))
	eventually(t, "the first runs", func() bool { return h.engine.blocked.Load() == 1 })
	const n = 30
	go func() {
		frame := frameOf(t, padded(4<<20))
		for i := range n {
			frame[len(message.MimeGraphBinary)+2] = byte(i) // of the id
			_ = c.ws.WriteMessage(websocket.BinaryMessage, frame)
		}
	}()
	eventually(t, "much is charged", func() bool { return h.srv.desk.Memory.Used() > 16<<20 })
	for range 20 {
		if used := h.srv.desk.Memory.Used(); used > 33<<20 {
			t.Fatalf("%d bytes used", used)
		}
		h.dial().healthy()
	}
	h.srv.Kill(first.String())
	for range n + 1 {
		if a := c.next(); a.ID != first && a.Code != message.StatusSuccess {
			t.Errorf("got %d %s", a.Code, a.Message)
		}
	}
}

// TestTooLarge says why it closes.
func TestTooLarge(t *testing.T) {
	var log safeBuffer
	h := start(t, func(o *Options) { o.Limits.MessageBytes = 1000; o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	c := h.dial()
	c.raw(websocket.BinaryMessage, make([]byte, 1001))
	if e := c.closing(); e.Code != websocket.CloseMessageTooBig || e.Text != "request exceeds maxContentLength (1000)" {
		t.Errorf("closed with %v", e)
	}
	if !strings.Contains(log.String(), "request exceeds maxContentLength (1000)") {
		t.Errorf("log: %s", log.String())
	}
}

// TestConnectionsPerAddress_Log says that connections are refused, once for many.
func TestConnectionsPerAddress_Log(t *testing.T) {
	var log safeBuffer
	h := start(t, func(o *Options) { o.Limits.ConnectionsPerAddress = 2; o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	for range 10 {
		conn, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	eventually(t, "a line in the log", func() bool { return strings.Contains(log.String(), "limit=connectionsPerAddress") })
	if n := strings.Count(log.String(), "connection refused"); n > 2 {
		t.Errorf("%d lines", n)
	}
}
