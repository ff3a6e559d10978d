package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Owner is the connection that sessions belong to.
type Owner interface {
	// Ready waits until the client has taken most of the earlier answers; false when the
	// connection has ended first.
	Ready() bool
	// Abandon answers a task that never ran because the connection or the server ends.
	Abandon(t *request.Task)
	// Flush sends what waits for the client.
	Flush()
	// Context ends with the connection.
	Context() context.Context
	// Running are the goroutines that work for the connection.
	Running() *sync.WaitGroup
	// Holder is who the connection belongs to.
	Holder() *quota.Holder
}

// session is a client's conversation: variables and an open transaction that live from
// request to request. It belongs to one connection, and its requests run one by one.
type session struct {
	desk   *request.Desk
	id     string
	remote string
	owner  *Owned
	holder *quota.Holder
	work   contract.Work
	// memory is charged for what the variables keep.
	memory account.Account

	mu      sync.Mutex
	queue   []*request.Task
	running bool
	closed  bool
	ended   bool      // work is closed
	over    bool      // the client has closed it, which frees it when others need the room
	used    time.Time // when the last request ended
	began   time.Time // when the open transaction was first left open; zero without one
	// lost is set when a transaction was rolled back behind the client's back: its next
	// request must hear of it, or a commit would promise what is gone.
	lost bool
}

func errSessionClosed(id string) error {
	return &message.StatusError{Code: message.StatusServerError, Class: message.ClassIllegalState,
		Message: fmt.Sprintf("Session %s is no longer accepting requests as it has been closed", value.Brief(id))}
}

func errTransactionExpired(after time.Duration) error {
	return &message.StatusError{Code: message.StatusTimeout, Class: message.ClassTransactionException,
		Message: fmt.Sprintf("the transaction was rolled back after %d ms without a request [TX_TIMEOUT] (transactionTimeout)", after.Milliseconds())}
}

// loop runs what is queued, in order, and ends with the queue.
func (s *session) loop() {
	defer s.owner.owner.Running().Done()
	for {
		t := s.next()
		if t == nil {
			return
		}
		s.run(t)
		s.desk.Leave()
	}
}

func (s *session) next() *request.Task {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = time.Now()
	if len(s.queue) == 0 {
		s.running = false
		return nil
	}
	t := s.queue[0]
	s.queue = s.queue[1:]
	return t
}

func (s *session) run(t *request.Task) {
	c := s.owner.owner
	if !c.Ready() || !s.desk.Acquire(c.Context(), t) {
		c.Abandon(t)
		return
	}
	s.answer(t.Begin(c.Context(), time.Now()), t)
	c.Flush()
}

// answer evaluates a task that has a slot, and gives that back.
func (s *session) answer(ctx context.Context, t *request.Task) {
	defer s.desk.Release(t)
	defer t.Over()
	err := t.Guarded(func() error { return s.serve(ctx, t) })
	s.work.Rest() // before the task ends, whose account is another request's then
	if err != nil {
		s.recover(t, err)
		t.Fail(ctx, err)
	} else {
		t.Finish()
	}
	s.track()
}

// serve evaluates one request of the session and commits what must not stay open.
func (s *session) serve(ctx context.Context, t *request.Task) error {
	if t.Req.Op == message.OpClose {
		s.mu.Lock()
		s.over = true
		s.mu.Unlock()
		return nil
	}
	if t.IsBytecode() {
		if op, ok := request.TransactionOp(t.Query.Code()); ok {
			return s.graphOp(ctx, t, op)
		}
	}
	if err := t.Evaluate(ctx, s.work); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return traversal.ErrTimeout
	}
	t.Commits(s.work)
	return s.work.Commit(context.WithoutCancel(ctx), t.Managed)
}

// graphOp commits or rolls back, as g.tx() of a driver asks.
func (s *session) graphOp(ctx context.Context, t *request.Task, op string) error {
	t.Reply.Begin(true)
	t.Query.Request = t.Req.ID
	t.Commits(s.work)
	err := s.work.GraphOp(context.WithoutCancel(ctx), &t.Query, op)
	if err == nil && s.desk.CloseSessionAfterGraphOp {
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
	}
	return err
}

// recover leaves the session fit for its next request: the transaction of a failed
// managed request is rolled back, and one that lost a conflict is over already.
func (s *session) recover(t *request.Task, err error) {
	if errors.Is(err, storage.ErrConflict) {
		s.work.Rollback(true)
		return
	}
	s.work.Rollback(t.Managed)
}

// track notes since when a transaction stands open.
func (s *session) track() {
	open := s.work.Open()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !open:
		s.began = time.Time{}
	case s.began.IsZero():
		s.began = time.Now()
	}
}

// expire ends an idle session, or rolls back a transaction left open for too long. It
// reports whether the session is over, and whether its client must hear of that: one
// that held a transaction.
func (s *session) expire(now time.Time, l *quota.Limits) (over, told bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.running:
		return false, false
	case s.closed:
		s.end()
		return true, true
	case now.Sub(s.used) >= l.SessionIdle:
		s.end()
		return true, !s.began.IsZero() || s.lost
	}
	if !s.began.IsZero() && now.Sub(s.began) >= l.TransactionIdle && now.Sub(s.used) >= l.TransactionIdle {
		s.work.Rollback(true)
		s.began = time.Time{}
		s.lost = true
		s.desk.Log.Info("idle transaction rolled back", "session", s.id, "remote", s.remote)
	}
	return false, false
}

// end rolls back and forgets everything, once. s.mu is held, and no request runs.
func (s *session) end() {
	s.closed = true
	if s.ended {
		return
	}
	s.ended = true
	s.work.Close()
	s.memory.Clear()
}

// yields reports whether the session may end for the sake of others, and ends it.
func (s *session) yields() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over || s.running || s.lost || !s.began.IsZero() {
		return false
	}
	s.end()
	return true
}
