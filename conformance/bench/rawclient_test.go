package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRawClients has clients go round a load. Each begins at its own place and has one
// latency a request, or a transaction of all.
func TestRawClients(t *testing.T) {
	answer := serverFrame(finBit|opBinary, answerOf(t, 200, 10))
	part := serverFrame(finBit|opBinary, answerOf(t, 206, 10))
	const size = 10
	for _, r := range []struct {
		name           string
		clients, depth int
		transaction    bool
		first          []byte // comes before an answer and is none
	}{
		{name: "one", clients: 1, depth: 1},
		{name: "three", clients: 3, depth: 1},
		{name: "many", clients: 64, depth: 1},
		{name: "deep", clients: 2, depth: deep},
		{name: "transaction", clients: 1, depth: 1, transaction: true, first: part},
	} {
		t.Run(r.name, func(t *testing.T) {
			heard := make(chan []byte, r.clients)
			url := serve(t, func(c fakeConn) {
				var all []byte
				for ok := true; ok; {
					var b []byte
					for range r.depth { // all come before the first is answered
						if b, ok = c.request(); ok {
							all = append(all, b...)
						}
					}
					if ok {
						c.say(r.first)
						c.ping("no more than that is under way")
						c.say(bytes.Repeat(answer, r.depth))
					}
				}
				heard <- all
			})
			l := numbered(size)
			l.transaction = r.transaction
			c, err := connectRaw(url, l, r.depth, r.clients)
			if err != nil {
				t.Fatal(err)
			}
			found := make([][]time.Duration, r.clients)
			if err := c.run(found, 20*time.Millisecond); err != nil {
				t.Error(err)
			}
			c.close()
			each := 1 // requests a latency
			if r.transaction {
				each = size
			}
			checkHeard(t, heard, found, size, each)
			for c, took := range found {
				if len(took)%r.depth != 0 {
					t.Errorf("client %d: %d latencies", c, len(took))
				}
			}
		})
	}
}

// checkHeard compares what was heard on each connection with the latencies that clients
// found, of which each is for so many requests of a load of size.
func checkHeard(t *testing.T, heard <-chan []byte, found [][]time.Duration, size, each int) {
	t.Helper()
	var got, want [][]byte
	for c, took := range found {
		var requests []byte
		for i := range each * len(took) {
			requests = append(requests, byte((firstRequest(c, len(found), size)+i)%size))
		}
		got, want = append(got, <-heard), append(want, requests)
		if len(took) == 0 || slices.Min(took) <= 0 {
			t.Errorf("client %d: latencies %v", c, took)
		}
	}
	slices.SortFunc(got, bytes.Compare)
	slices.SortFunc(want, bytes.Compare)
	if !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("heard %v, want %v", got, want)
	}
}

func TestRawClients_WaitForTheLastFrame(t *testing.T) {
	answer := answerOf(t, 200, 1000)
	atLeast := make(chan time.Duration, 1)
	url := serve(t, func(c fakeConn) {
		c.request()
		begin := time.Now()
		c.say(serverFrame(finBit|opBinary, answerOf(t, 206, 10)))
		first := serverFrame(opBinary, answer[:500])
		c.say(first[:3])
		c.say(first[3:])
		c.ping("between two frames")
		atLeast <- time.Since(begin)
		c.say(serverFrame(finBit, answer[500:]))
		c.frame()
	})
	found, err := runRaw(t, url, numbered(1), 1, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if limit := <-atLeast; len(found[0]) != 1 || found[0][0] < limit {
		t.Errorf("latencies %v, want one of at least %v", found[0], limit)
	}
}

// TestRawClients_LargeRequest sends more than sockets hold, so that it goes in parts; a
// pong that falls due meanwhile comes behind it.
func TestRawClients_LargeRequest(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789abcdef"), 2<<20)
	url := serve(t, func(c fakeConn) {
		head := make([]byte, 14)
		if _, err := io.ReadFull(c, head); err != nil {
			t.Error(err)
		}
		c.say(serverFrame(finBit|opPing, []byte("there?")))
		got := make([]byte, len(large))
		if _, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, large) {
			t.Errorf("the request is not what was sent: %v", err)
		}
		if op, _, ok := c.frame(); !ok || op != opPong {
			t.Errorf("a frame of kind %x, want the pong", op)
		}
		c.say(serverFrame(finBit|opBinary, answerOf(t, 204, 0)))
		c.frame()
	})
	l := &load{frames: [][]byte{appendFrame(nil, opBinary, large)}}
	l.wire, l.at = l.frames[0], []int{0, len(l.frames[0])} // join would copy it often
	if found, err := runRaw(t, url, l, 1, 1, 0); err != nil || len(found[0]) != 1 {
		t.Errorf("%d latencies, %v", len(found[0]), err)
	}
}

// TestRawClients_Failures has the second of three clients fail: its error is reported,
// and the others finish.
func TestRawClients_Failures(t *testing.T) {
	good := serverFrame(finBit|opBinary, answerOf(t, 200, 100))
	for _, f := range []struct {
		name string
		says []byte
		want string
	}{
		{"status", serverFrame(finBit|opBinary, answerOf(t, 500, 5)), "status 500"},
		{"close", serverFrame(finBit|opClose, []byte("\x03\xf1bye")), "1009 bye"},
		{"middle of a frame", good[:60], io.EOF.Error()},
		{"nothing", nil, io.EOF.Error()},
	} {
		t.Run(f.name, func(t *testing.T) {
			url := serve(t, func(c fakeConn) {
				r, ok := c.request()
				if !ok {
					t.Error("no request")
					return
				}
				if r[0] != 1 {
					c.say(good)
					c.frame()
					return
				}
				c.say(f.says)
			})
			found, err := runRaw(t, url, numbered(3), 1, 3, 0)
			if err == nil || !strings.Contains(err.Error(), f.want) {
				t.Errorf("got %v, want %s", err, f.want)
			}
			if len(found[0]) != 1 || len(found[1]) != 0 || len(found[2]) != 1 {
				t.Errorf("latencies %v", found)
			}
		})
	}
}

func TestRawClients_AllocateNothing(t *testing.T) {
	answer := serverFrame(finBit|opBinary, answerOf(t, 200, 200))
	l := numbered(2000)
	l.transaction = true
	url := serve(t, func(c fakeConn) {
		from, request := io.Reader(c), make([]byte, len(l.frames[0]))
		for {
			if _, err := io.ReadFull(from, request); err != nil {
				return
			}
			c.say(answer)
		}
	})
	c, err := connectRaw(url, l, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	found := [][]time.Duration{make([]time.Duration, 0, 10)}
	if n := testing.AllocsPerRun(1, func() {
		if err := c.run(found, 0); err != nil {
			t.Error(err)
		}
	}); n > 100 {
		t.Errorf("%v allocations for %d requests", n, len(l.frames))
	}
}

func TestAppendFrame_IsUnderstood(t *testing.T) {
	for _, n := range []int{0, 125, 126, 65_535, 65_536} {
		got := make(chan int, 1)
		url := serve(t, func(c fakeConn) {
			b, _ := c.request()
			got <- bytes.Count(b, []byte{7})
		})
		l := &load{frames: [][]byte{appendFrame(nil, opBinary, bytes.Repeat([]byte{7}, n))}}
		l.join()
		if _, err := runRaw(t, url, l, 1, 1, 0); err == nil || !strings.Contains(err.Error(), io.EOF.Error()) {
			t.Errorf("got %v when the server went away", err)
		}
		if m := <-got; m != n {
			t.Errorf("%d bytes arrived of %d", m, n)
		}
	}
}
