package connection

import (
	"errors"
	"net"
	"testing"
	"time"
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
