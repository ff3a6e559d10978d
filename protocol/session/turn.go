package session

import (
	"context"
	"time"

	"github.com/gremlind/gremlind/protocol/request"
)

// Turn is the right to run one task of a session on the goroutine that has it: whatever comes
// for the session meanwhile waits.
type Turn struct{ s *session }

// Take takes the turn of a session for t, a task that StaysOpen. It is not taken when t must wait, or be
// refused, or begins a transaction: then t is for Run.
func (ss *Set) Take(of *Owned, t *request.Task) Turn {
	s := ss.of(of, t.Session)
	if s == nil {
		return Turn{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running || s.closed || s.lost || s.began.IsZero() {
		return Turn{}
	}
	s.running, s.over = true, false
	of.owner.Running().Add(1)
	return Turn{s}
}

// of returns the session of a connection that has a name, nil when it has none.
func (ss *Set) of(c *Owned, name string) *session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return c.by[name]
}

// Taken reports whether the turn was taken.
func (u Turn) Taken() bool { return u.s != nil }

// Answer evaluates the task, which has begun and has a slot, and gives that back.
func (u Turn) Answer(ctx context.Context, t *request.Task) { u.s.answer(ctx, t) }

// End gives the turn back: to what has come meanwhile, which a worker runs.
func (u Turn) End() {
	s := u.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) > 0 {
		s.desk.Work.Run(s.loop)
		return
	}
	s.used, s.running = time.Now(), false
	s.owner.owner.Running().Done()
}
