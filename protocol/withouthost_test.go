package protocol

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// rawConn opens a connection, and returns how to read the answers that come over it.
func (h *harness) rawConn() (net.Conn, func() (*http.Response, string)) {
	h.t.Helper()
	c, err := net.Dial("tcp", h.addr)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(patience))
	in := bufio.NewReader(c)
	return c, func() (*http.Response, string) {
		h.t.Helper()
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			h.t.Fatal(err)
		}
		return resp, body(h.t, resp)
	}
}

// TestRequestsWithoutHost speaks as TinkerPop's Java driver does over HTTP: no Host, and
// the connection is used again.
func TestRequestsWithoutHost(t *testing.T) {
	for _, loopback := range []bool{true, false} {
		h := start(t, func(o *Options) { o.Loopback = loopback })
		c, next := h.rawConn()
		for i := range 5 {
			text := fmt.Sprintf(`{"gremlin":"count %d"}`, i)
			fmt.Fprintf(c, "POST /gremlin HTTP/1.1\r\ncontent-type: application/json\r\naccept: application/json\r\ncontent-length: %d\r\n\r\n%s", len(text), text)
			resp, got := next()
			if resp.StatusCode != http.StatusOK || strings.Count(got, "g:Int32") != i {
				t.Errorf("request %d: %d %s", i, resp.StatusCode, got)
			}
		}
		fmt.Fprintf(c, "GET /gremlin?gremlin=invalid HTTP/1.1\r\naccept: application/vnd.graphbinary-v1.0\r\n\r\n")
		resp, got := next()
		checkErrorBody(t, resp, got)
		// Pipelined.
		io.WriteString(c, strings.Repeat("GET /gremlin?gremlin=count+1 HTTP/1.1\r\n\r\n", 3))
		for range 3 {
			if resp, got := next(); resp.StatusCode != http.StatusOK {
				t.Errorf("pipelined: %d %s", resp.StatusCode, got)
			}
		}
	}
}

// TestDoubtfulRequestsWithoutHost must not be mended: where their bodies end is not
// clear, or they are more than a plain request.
func TestDoubtfulRequestsWithoutHost(t *testing.T) {
	h := start(t, nil)
	for name, head := range map[string]string{
		"chunked":       "POST /gremlin HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"two lengths":   "POST /gremlin HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
		"signed length": "POST /gremlin HTTP/1.1\r\nContent-Length: +1\r\n\r\nx",
		"folded":        "POST /gremlin HTTP/1.1\r\nContent-Length: 1\r\n ,2\r\n\r\nx",
		"space":         "POST /gremlin HTTP/1.1\r\nContent-Length : 1\r\n\r\nx",
		"bare line":     "POST /gremlin HTTP/1.1\nContent-Length: 1\n\nx",
		"upgrade":       "GET /gremlin HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
		"host in value": "GET /gremlin HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"two hosts":     "GET /gremlin HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
	} {
		c, next := h.rawConn()
		io.WriteString(c, head)
		if resp, got := next(); resp.StatusCode/100 != 4 {
			t.Errorf("%s: %d %s", name, resp.StatusCode, got)
		}
	}
}
