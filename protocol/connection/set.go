package connection

import (
	"runtime"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/protocol/session"
)

// Set is all WebSocket connections of a server.
type Set struct {
	desk     *request.Desk
	sessions *session.Set
	watch    watch
	many     int64 // busy connections from which on one lets others go first

	mu   sync.Mutex
	by   map[*Conn]struct{}
	done sync.WaitGroup
}

// NewSet returns a Set without connections.
func NewSet(d *request.Desk, s *session.Set) *Set {
	return &Set{desk: d, sessions: s, by: map[*Conn]struct{}{}, many: int64(manyBusy * runtime.GOMAXPROCS(0))}
}

// add takes a connection in; false when the server ends.
func (s *Set) add(c *Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.desk.IsDraining() {
		return false
	}
	s.by[c] = struct{}{}
	s.done.Add(1)
	return true
}

func (s *Set) remove(c *Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.by, c)
	s.done.Done()
}

func (s *Set) list() []*Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*Conn, 0, len(s.by))
	for c := range s.by {
		list = append(list, c)
	}
	return list
}

// Count is how many there are.
func (s *Set) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.by)
}

// Backlog is how many bytes wait for clients, and to how many clients somebody is
// writing who waits.
func (s *Set) Backlog() (bytes, writing int) {
	for _, c := range s.list() {
		bytes += c.out.pendingBytes()
		writing += int(c.out.writes.Load() % 2)
	}
	return bytes, writing
}

// Watched is how many the watch looks at.
func (s *Set) Watched() int {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	return len(s.watch.conns)
}

// Each calls fn for the requests that run or wait. None of them ends meanwhile.
func (s *Set) Each(fn func(*request.Task)) {
	for _, c := range s.list() {
		c.inFlight.each(fn)
	}
}

// ShutDown ends all connections because the server ends.
func (s *Set) ShutDown() {
	for _, c := range s.list() {
		c.shutDown(websocket.CloseGoingAway, "the server is shutting down", answer.ErrDraining)
	}
}

// Wait returns when all connections are over; those that are not when cut is closed are
// closed without a word.
func (s *Set) Wait(cut <-chan struct{}) {
	gone := make(chan struct{})
	go func() { s.done.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-cut:
		for _, c := range s.list() {
			c.ws.Close()
		}
		<-gone
	}
}

// Renew gives every connection the rights that its user has now; false when the users
// could not be read.
func (s *Set) Renew() bool {
	whole := true
	for _, c := range s.list() {
		whole = c.renew() && whole
	}
	return whole
}

// Inspect ends connections that stand still.
func (s *Set) Inspect(now time.Time) {
	for _, c := range s.list() {
		c.inspect(now)
	}
}
