package protocol

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/iotest"
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

// TestHostReaderPassesBytes gives requests in pieces and wants them back unchanged, but
// for the Host of those that have none.
func TestHostReaderPassesBytes(t *testing.T) {
	const without, with = "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab\r\n\r", "Host: localhost\r\n"
	mended := "POST / HTTP/1.1\r\nHost:\r\nContent-Length: 5\r\n\r\nab\r\n\r"
	for in, want := range map[string]string{
		"":                        "",
		"GET":                     "GET",
		without + without:         mended + mended,
		without + "garbage\n\r\n": mended + "garbage\n\r\n",
		"GET / HTTP/1.1\r\n" + with + "\r\n" + without:   "GET / HTTP/1.1\r\n" + with + "\r\n" + without,
		"GET / HTTP/1.0\r\n\r\n" + without:               "GET / HTTP/1.0\r\n\r\n" + without,
		"GET / HTTP/1.1\r\n\r\n":                         "GET / HTTP/1.1\r\nHost:\r\n\r\n",
		"\r\n\r\n" + without:                             "\r\n\r\n" + without,
		strings.Repeat("x", 20000):                       strings.Repeat("x", 20000),
		"POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\nx": "POST / HTTP/1.1\r\nHost:\r\nContent-Length: 99\r\n\r\nx",
		"\x16\x03\x01 a hello of TLS":                    "\x16\x03\x01 a hello of TLS",
	} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(in), "bytes": iotest.OneByteReader(strings.NewReader(in)), "late error": iotest.DataErrReader(strings.NewReader(in)),
		} {
			got, err := io.ReadAll(iotest.OneByteReader(&hostReader{r: r, max: 8192}))
			if err != nil || string(got) != want {
				t.Errorf("%s: %.60q: got %q %v", name, in, got, err)
			}
		}
	}
}

// TestHostReaderOutlivesTimeouts is interrupted as net/http interrupts its own reads.
func TestHostReaderOutlivesTimeouts(t *testing.T) {
	h := &hostReader{r: &interruptedReader{strings.NewReader("GET / HTTP/1.1\r\n\r\n"), 0}, max: 8192}
	var got []byte
	timeouts := 0
	for p := make([]byte, 7); ; {
		n, err := h.Read(p)
		got = append(got, p[:n]...)
		if err == io.EOF {
			break
		}
		if err != nil {
			timeouts++
		}
	}
	if timeouts != 1 || string(got) != "GET / HTTP/1.1\r\nHost:\r\n\r\n" {
		t.Errorf("%d timeouts, %q", timeouts, got)
	}
}

// interruptedReader times out at its second byte.
type interruptedReader struct {
	r     io.Reader
	reads int
}

func (r *interruptedReader) Read(p []byte) (int, error) {
	if r.reads++; r.reads == 2 {
		return 0, os.ErrDeadlineExceeded
	}
	return r.r.Read(p[:1])
}
