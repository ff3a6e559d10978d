package protocol

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// session is a client's conversation: variables and an open transaction that live from
// request to request. It belongs to one connection, and its requests run one by one.
type session struct {
	id     string
	owner  *conn
	holder *holder
	work   Work
	// memory is charged for what the variables keep.
	memory account.Account

	mu      sync.Mutex
	queue   []*task
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

// runInSession queues a task in its session, which begins with its first request.
func (c *conn) runInSession(t *task) {
	s, err := c.srv.sessions.find(c, t)
	if err != nil {
		c.srv.leave()
		c.refuse(t, err)
		return
	}
	if s == nil { // closing what never was
		c.srv.leave()
		t.end(t.reply.finish(t))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		c.srv.leave()
		go c.refuse(t, errSessionClosed(s.id))
		return
	}
	if s.lost {
		s.lost = false
		c.srv.leave()
		go c.refuse(t, errTransactionExpired(c.srv.limits.TransactionIdle))
		return
	}
	s.queue, s.over = append(s.queue, t), false
	if !s.running {
		s.running = true
		c.running.Add(1)
		c.srv.work.run(s.loop)
	}
}

func errSessionClosed(id string) error {
	return &StatusError{Code: statusServerError, Class: classIllegalState,
		Message: fmt.Sprintf("Session %s is no longer accepting requests as it has been closed", value.Brief(id))}
}

func errTransactionExpired(after time.Duration) error {
	return &StatusError{Code: statusTimeout, Class: classTransactionException,
		Message: fmt.Sprintf("the transaction was rolled back after %d ms without a request [TX_TIMEOUT] (transactionTimeout)", after.Milliseconds())}
}

// loop runs what is queued, in order, and ends with the queue.
func (s *session) loop() {
	defer s.owner.running.Done()
	for {
		t := s.next()
		if t == nil {
			return
		}
		s.run(t)
		s.owner.srv.leave()
	}
}

func (s *session) next() *task {
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

func (s *session) run(t *task) {
	c := s.owner
	if !c.ready() || !c.srv.acquire(c.ctx, t) {
		c.abandon(t)
		return
	}
	defer c.flush()
	defer c.srv.release(t)
	ctx := t.begin(c.ctx, time.Now())
	defer t.eval.finish()
	if err := t.guarded(func() error { return s.serve(ctx, t) }); err != nil {
		s.recover(t, err)
		t.end(t.reply.fail(t, failureOf(ctx, t, err)))
	} else {
		t.end(t.reply.finish(t))
	}
	s.track()
}

// serve evaluates one request of the session and commits what must not stay open.
func (s *session) serve(ctx context.Context, t *task) error {
	if t.req.Op == opClose {
		s.mu.Lock()
		s.over = true
		s.mu.Unlock()
		return nil
	}
	if t.isBytecode() {
		if op, ok := transactionOp(t.query.Code()); ok {
			return s.graphOp(ctx, t, op)
		}
	}
	if err := t.evaluate(ctx, s.work); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return traversal.ErrTimeout
	}
	return s.work.Commit(context.WithoutCancel(ctx), t.managed)
}

// graphOp commits or rolls back, as g.tx() of a driver asks.
func (s *session) graphOp(ctx context.Context, t *task, op string) error {
	t.reply.begin(true)
	err := s.work.GraphOp(context.WithoutCancel(ctx), t.query.Source, op)
	if err == nil && t.srv.opts.CloseSessionAfterGraphOp {
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
	}
	return err
}

// recover leaves the session fit for its next request: the transaction of a failed
// managed request is rolled back, and one that lost a conflict is over already.
func (s *session) recover(t *task, err error) {
	if errors.Is(err, storage.ErrConflict) {
		s.work.Rollback(true)
		return
	}
	s.work.Rollback(t.managed)
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
func (s *session) expire(now time.Time, l *Limits) (over, told bool) {
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
		s.owner.srv.log.Info("idle transaction rolled back", "session", s.id, "remote", s.owner.remote)
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

// sessions are the sessions of all connections by name.
type sessions struct {
	mu sync.Mutex
	by map[string]*session
}

// find returns the session of a task, making it when it is new. It is nil for a close
// of an unknown session.
func (ss *sessions) find(c *conn, t *task) (*session, error) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s, ok := ss.by[t.session]
	if ok && s.owner != c {
		return nil, &StatusError{Code: statusServerError, Class: classIllegalState,
			Message: fmt.Sprintf("Session %s is not bound to the connecting client", value.Brief(t.session))}
	}
	if ok {
		return s, nil
	}
	if t.req.Op == opClose {
		return nil, nil
	}
	if _, gone := c.gone[t.session]; gone {
		delete(c.gone, t.session) // the client has heard of it then, and may begin anew
		return nil, errSessionClosed(t.session)
	}
	if err := ss.room(c); err != nil {
		return nil, err
	}
	s = &session{id: t.session, owner: c, holder: c.holder, used: time.Now()}
	s.memory.Init(&c.holder.account, "sessionMemory", c.srv.limits.SessionBytes)
	s.work = c.srv.engine.Open(WorkOptions{Session: true, Identity: t.identity, Account: &s.memory})
	ss.by[t.session] = s
	c.sessions[t.session] = s
	c.holder.sessions++
	return s, nil
}

// room makes room for one more session of a connection, if need be by ending one that
// its client has closed.
func (ss *sessions) room(c *conn) error {
	l := &c.srv.limits
	for _, limit := range []struct {
		setting string
		have    int
		max     int
		same    func(*session) bool
	}{
		{"sessionsPerConnection", len(c.sessions), l.SessionsPerConnection, func(s *session) bool { return s.owner == c }},
		{"sessionsPerUser", c.holder.sessions, l.SessionsPerUser, func(s *session) bool { return s.holder == c.holder }},
		{"sessions", len(ss.by), l.Sessions, func(*session) bool { return true }},
	} {
		if limit.have < limit.max || ss.evict(limit.same) {
			continue
		}
		c.srv.metrics.rejected.WithLabelValues(limit.setting).Inc()
		return &StatusError{Code: statusTooManyRequests, Message: fmt.Sprintf("%d sessions are open already (%s)", limit.have, limit.setting)}
	}
	return nil
}

// evict ends one of the sessions that their clients have closed.
func (ss *sessions) evict(choose func(*session) bool) bool {
	for _, s := range ss.by {
		if choose(s) && s.yields() {
			ss.drop(s)
			return true
		}
	}
	return false
}

func (ss *sessions) remove(s *session) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.drop(s)
}

// drop forgets a session that has ended.
func (ss *sessions) drop(s *session) {
	if ss.by[s.id] != s {
		return
	}
	delete(ss.by, s.id)
	delete(s.owner.sessions, s.id)
	s.holder.sessions--
}

// goneMax bounds the sessions of a connection whose end its client has not heard of.
const goneMax = 1024

// bury forgets a session whose client must hear of its end.
func (ss *sessions) bury(s *session) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.drop(s)
	if c := s.owner; len(c.gone) < goneMax {
		if c.gone == nil {
			c.gone = map[string]struct{}{}
		}
		c.gone[s.id] = struct{}{}
	}
}

// expire ends idle sessions.
func (ss *sessions) expire(now time.Time, l *Limits) {
	for _, s := range ss.all() {
		switch over, told := s.expire(now, l); {
		case over && told:
			ss.bury(s)
		case over:
			ss.remove(s)
		}
	}
}

func (ss *sessions) all() []*session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	list := make([]*session, 0, len(ss.by))
	for _, s := range ss.by {
		list = append(list, s)
	}
	return list
}

// endSessions rolls back and forgets the sessions of a connection that has ended, each
// as soon as its running request has noticed.
func (c *conn) endSessions() {
	ss := &c.srv.sessions
	ss.mu.Lock()
	mine := make([]*session, 0, len(c.sessions))
	for _, s := range c.sessions {
		mine = append(mine, s)
	}
	ss.mu.Unlock()
	for _, s := range mine {
		s.mu.Lock()
		s.closed = true
		dropped := s.queue
		s.queue = nil
		s.mu.Unlock()
		for range dropped {
			c.srv.leave()
		}
	}
	c.running.Wait()
	for _, s := range mine {
		s.mu.Lock()
		s.end()
		s.mu.Unlock()
		ss.remove(s)
	}
}

// transactionOp recognises the bytecode by which drivers commit and roll back.
func transactionOp(b *traversal.Bytecode) (string, bool) {
	if len(b.Steps) != 0 || len(b.Source) != 1 || b.Source[0].Name != "tx" {
		return "", false
	}
	if a := b.Source[0].Args; len(a) == 1 && a[0].Kind() == value.KindString {
		return a[0].Str(), true
	}
	return "", true
}
