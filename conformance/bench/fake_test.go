package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// fakeConn is the server's end of a connection, byte by byte.
type fakeConn struct {
	net.Conn
	t *testing.T
}

// serve runs a server whose every connection is handled by a function and returns its
// address. The test ends when all handlers have.
func serve(t *testing.T, handle func(c fakeConn)) (url string) {
	t.Helper()
	var wg sync.WaitGroup
	t.Cleanup(wg.Wait)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wg.Add(1)
		defer wg.Done()
		ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer ws.Close()
		handle(fakeConn{ws.NetConn(), t})
	}))
	t.Cleanup(srv.Close)
	return "ws" + strings.TrimPrefix(srv.URL, "http")
}

// frame reads a client's frame; ok is false when the client is gone.
func (c fakeConn) frame() (op byte, payload []byte, ok bool) {
	head := make([]byte, 2, 10)
	if _, err := io.ReadFull(c, head); err != nil {
		return 0, nil, false
	}
	switch head[1] &^ maskBit {
	case length16:
		head = head[:4]
	case length64:
		head = head[:10]
	}
	io.ReadFull(c, head[2:])
	_, n, _ := frameHeader(head)
	b := make([]byte, 4+n)
	if _, err := io.ReadFull(c, b); err != nil || b[0]|b[1]|b[2]|b[3] != 0 {
		c.t.Errorf("a frame of %d bytes with mask %x: %v", n, b[:4], err)
		return 0, nil, false
	}
	return head[0] & opMask, b[4:], true
}

// request reads a frame that must be a request, or the end.
func (c fakeConn) request() (payload []byte, ok bool) {
	op, payload, ok := c.frame()
	if ok && op != opBinary {
		c.t.Errorf("a frame of kind %x, want a request", op)
	}
	return payload, ok
}

// ping sends a ping; what the client sends next must be its pong, as nothing else is
// due.
func (c fakeConn) ping(payload string) {
	c.say(serverFrame(finBit|opPing, []byte(payload)))
	if op, got, ok := c.frame(); !ok || op != opPong || string(got) != payload {
		c.t.Errorf("a frame of kind %x with %.20q, want the pong with %q", op, got, payload)
	}
}

func (c fakeConn) say(b []byte) {
	if _, err := c.Write(b); err != nil {
		c.t.Error(err)
	}
}

// numbered is a load whose request i is the byte i.
func numbered(n int) *load {
	l := &load{}
	for i := range n {
		l.frames = append(l.frames, appendFrame(nil, opBinary, []byte{byte(i)}))
	}
	l.join()
	return l
}

// runRaw has clients carry a load and returns their latencies.
func runRaw(t *testing.T, url string, l *load, depth, clients int, length time.Duration) ([][]time.Duration, error) {
	t.Helper()
	c, err := connectRaw(url, l, depth, clients)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	found := make([][]time.Duration, clients)
	if err := c.run(found, length); err != nil {
		return found, fmt.Errorf("run: %w", err)
	}
	return found, nil
}
