package connection

import (
	"errors"
	"net"
	"testing"
	"time"

	"github.com/gremlind/gremlind/storage/account"
)

// takenWrites is a connection each of whose writes lasts until a value comes.
type takenWrites struct {
	net.Conn
	begun, taken chan struct{}
}

func (c *takenWrites) Write(p []byte) (int, error) {
	c.begun <- struct{}{}
	if _, ok := <-c.taken; !ok {
		return 0, errors.New("closed")
	}
	return len(p), nil
}

// An outbox is stalled when looks that are far enough apart see the same write.
func TestOutbox_Stalled(t *testing.T) {
	const limit = 10 * time.Second
	c := &takenWrites{begun: make(chan struct{}), taken: make(chan struct{})}
	o := newOutbox(c)
	now := time.Unix(1, 0)
	look := func(later time.Duration, want bool) {
		t.Helper()
		now = now.Add(later)
		if got := o.stalled(now, limit); got != want {
			t.Fatalf("stalled: %v", got)
		}
	}
	look(0, false)
	look(2*limit, false) // nothing is written
	if _, err := o.Write(make([]byte, 2*writeChunk)); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); o.Flush() }()
	<-c.begun
	look(2*limit, false) // it may have begun just now
	look(limit, false)
	look(1, true)
	c.taken <- struct{}{}
	<-c.begun
	look(2*limit, false) // the next write
	look(limit+1, true)
	close(c.taken)
	<-done
	look(2*limit, false)
}

// What waits is charged to whom the connection belongs to, and given back by whoever has taken
// it on; one who has no room for it is charged nothing, and gives nothing back.
func TestOutbox_Belong(t *testing.T) {
	o := newOutbox(&takenWrites{})
	first, second, poor := account.New(nil, "first", 1<<20), account.New(nil, "second", 1<<20), account.New(nil, "poor", 10)
	want := func(when string, a, b, c int64) {
		t.Helper()
		if first.Used() != a || second.Used() != b || poor.Used() != c {
			t.Errorf("%s: %d, %d and %d bytes are charged", when, first.Used(), second.Used(), poor.Used())
		}
	}
	o.belong(first)
	if err := o.reserve(freePending + 100); err != nil {
		t.Fatal(err)
	}
	want("reserved", freePending+100, 0, 0)
	o.belong(second)
	want("of another", 0, freePending+100, 0)
	o.belong(poor)
	want("of one without room", 0, 0, 0)
	o.belong(first)
	want("back", 0, 0, 0)
	if err := o.reserve(freePending + 1); err != nil {
		t.Fatal(err)
	}
	o.belong(nil)
	want("ended", 0, 0, 0)
}
