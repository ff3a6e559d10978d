package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// ledger keeps which requests each connection sent.
type ledger struct {
	mu    sync.Mutex
	heard [][]byte
}

func (l *ledger) add(requests []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = append(l.heard, requests)
}

// check compares with the latencies that clients found: each goes round the load from
// its own beginning and has one latency a request.
func (l *ledger) check(t *testing.T, found [][]time.Duration, size int) {
	t.Helper()
	var want [][]byte
	for c, took := range found {
		var requests []byte
		for i := range took {
			requests = append(requests, byte((firstRequest(c, len(found), size)+i)%size))
		}
		want = append(want, requests)
		if len(took) == 0 || slices.Min(took) <= 0 {
			t.Errorf("client %d: latencies %v", c, took)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	slices.SortFunc(l.heard, bytes.Compare)
	slices.SortFunc(want, bytes.Compare)
	if !slices.EqualFunc(l.heard, want, bytes.Equal) {
		t.Errorf("heard %v, want %v", l.heard, want)
	}
}

func TestRawClients_OneAtATime(t *testing.T) {
	answer := serverFrame(finBit|opBinary, answerOf(t, 200, 10))
	for _, clients := range []int{1, 3, 64} {
		t.Run("", func(t *testing.T) {
			var heard ledger
			var wg sync.WaitGroup
			wg.Add(clients)
			url := serve(t, func(c fakeConn) {
				defer wg.Done()
				var all []byte
				for {
					r, ok := c.request()
					if !ok {
						break
					}
					all = append(all, r...)
					c.ping("nothing else is under way")
					c.say(answer)
				}
				heard.add(all)
			})
			c, err := connectRaw(url, numbered(10), 1, clients)
			if err != nil {
				t.Fatal(err)
			}
			found := make([][]time.Duration, clients)
			if err := c.run(found, 20*time.Millisecond); err != nil {
				t.Error(err)
			}
			c.close()
			wg.Wait()
			heard.check(t, found, 10)
		})
	}
}

func TestRawClients_Deep(t *testing.T) {
	answer := serverFrame(finBit|opBinary, answerOf(t, 200, 10))
	var heard ledger
	done := make(chan struct{}, 2)
	url := serve(t, func(c fakeConn) {
		var all []byte
		for ok := true; ok; {
			var r []byte
			for range deep { // all come before the first is answered
				if r, ok = c.request(); ok {
					all = append(all, r...)
				}
			}
			if ok {
				c.ping("no more than that")
				c.say(bytes.Repeat(answer, deep))
			}
		}
		heard.add(all)
		done <- struct{}{}
	})
	c, err := connectRaw(url, numbered(10), deep, 2)
	if err != nil {
		t.Fatal(err)
	}
	found := make([][]time.Duration, 2)
	if err := c.run(found, 10*time.Millisecond); err != nil {
		t.Error(err)
	}
	c.close()
	<-done
	<-done
	heard.check(t, found, 10)
	for c, took := range found {
		if len(took)%deep != 0 {
			t.Errorf("client %d: %d latencies", c, len(took))
		}
	}
}

func TestRawClients_Transaction(t *testing.T) {
	part := serverFrame(finBit|opBinary, answerOf(t, 206, 10))
	answer := serverFrame(finBit|opBinary, answerOf(t, 200, 10))
	heard := make(chan []byte, 1)
	url := serve(t, func(c fakeConn) {
		var all []byte
		for {
			r, ok := c.request()
			if !ok {
				break
			}
			all = append(all, r...)
			c.say(part)
			c.ping("the next waits for the answer")
			c.say(answer)
		}
		heard <- all
	})
	l := numbered(10)
	l.transaction = true
	c, err := connectRaw(url, l, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	found := make([][]time.Duration, 1)
	if err := c.run(found, 10*time.Millisecond); err != nil {
		t.Error(err)
	}
	c.close()
	once := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	if all := <-heard; len(found[0]) == 0 || !bytes.Equal(all, bytes.Repeat(once, len(found[0]))) {
		t.Errorf("%d transactions, heard %v", len(found[0]), all)
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
