package connection

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
)

// TestFlushNow fills a connection whose other end reads nothing, then reads all. One
// that is no socket takes nothing at once.
func TestFlushNow(t *testing.T) {
	for _, veil := range []bool{false, true} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		flushNow(t, l, veil)
	}
}

// flushNow does so over a socket, or over a connection that hides that it is one.
func flushNow(t *testing.T, l net.Listener, veil bool) {
	defer l.Close()
	far, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	near, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	// Buffers of a fixed size: the kernel lets others grow.
	if err := errors.Join(far.(*net.TCPConn).SetReadBuffer(64<<10), near.(*net.TCPConn).SetWriteBuffer(64<<10)); err != nil {
		t.Fatal(err)
	}
	if veil {
		near = struct{ net.Conn }{near}
	}
	o := newOutbox(near)
	var sent []byte
	put := func() {
		chunk := bytes.Repeat([]byte{byte(len(sent) >> 16)}, 100_000)
		sent = append(sent, chunk...)
		if _, err := o.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if veil && o.now != nil {
		t.Fatal("a connection that is no socket is written to as one")
	}
	for put(); o.FlushNow(); put() {
		if len(sent) > 1<<30 {
			t.Fatal("the socket takes everything")
		}
	}
	// The kernel may move on what it has, but not make room for any amount.
	for range 200 {
		put()
	}
	if o.FlushNow() {
		t.Fatal("a full socket took more")
	}
	left := o.pendingBytes()
	got := make(chan []byte)
	go func() {
		b, err := io.ReadAll(io.LimitReader(far, int64(len(sent))))
		if err != nil {
			t.Error(err)
		}
		got <- b
	}()
	o.Flush()
	if b := <-got; !bytes.Equal(b, sent) || left == 0 || o.pendingBytes() != 0 {
		t.Errorf("%d of %d bytes came, %d were left", len(b), len(sent), left)
	}
	near.Close()
	if put(); o.now == nil {
		o.Flush()
	}
	if !o.FlushNow() {
		t.Error("something is left for a closed connection")
	}
	if _, err := o.Write(nil); !errors.Is(err, net.ErrClosed) {
		t.Errorf("write to a closed connection: %v", err)
	}
}
