package session

import (
	"fmt"
	"sync"
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/value"
)

// Set is the sessions of all connections, by name.
type Set struct {
	desk *request.Desk
	mu   sync.Mutex
	by   map[string]*session
}

// NewSet returns a Set without sessions.
func NewSet(d *request.Desk) *Set { return &Set{desk: d, by: map[string]*session{}} }

// Owned are the sessions of one connection.
type Owned struct {
	owner Owner
	// What follows is guarded by the Set.
	by   map[string]*session
	gone map[string]struct{} // those that ended unheard of
}

// Own returns the sessions of a connection, which are none yet.
func Own(o Owner) *Owned { return &Owned{owner: o, by: map[string]*session{}} }

// Run queues a task in its session, which begins with its first request.
func (ss *Set) Run(of *Owned, t *request.Task) {
	s, err := ss.find(of, t)
	if err != nil {
		ss.desk.Leave()
		t.Refuse(err)
		return
	}
	if s == nil { // closing what never was
		ss.desk.Leave()
		t.Finish()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		ss.desk.Leave()
		go t.Refuse(errSessionClosed(s.id))
		return
	}
	if s.lost {
		s.lost = false
		ss.desk.Leave()
		go t.Refuse(errTransactionExpired(ss.desk.Limits().TransactionIdle))
		return
	}
	s.queue, s.over = append(s.queue, t), false
	if !s.running {
		s.running = true
		of.owner.Running().Add(1)
		ss.desk.Work.Run(s.loop)
	}
}

// find returns the session of a task, making it when it is new. It is nil for a close
// of an unknown session.
func (ss *Set) find(c *Owned, t *request.Task) (*session, error) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s, ok := ss.by[t.Session]
	if ok && s.owner != c {
		return nil, &message.StatusError{Code: message.StatusServerError, Class: message.ClassIllegalState,
			Message: fmt.Sprintf("Session %s is not bound to the connecting client", value.Brief(t.Session))}
	}
	if ok {
		return s, nil
	}
	if t.Req.Op == message.OpClose {
		return nil, nil
	}
	if _, gone := c.gone[t.Session]; gone {
		delete(c.gone, t.Session) // the client has heard of it then, and may begin anew
		return nil, errSessionClosed(t.Session)
	}
	if err := ss.makeRoom(c); err != nil {
		return nil, err
	}
	h := c.owner.Holder()
	s = &session{desk: ss.desk, id: t.Session, remote: t.Remote, owner: c, holder: h, used: time.Now()}
	s.memory.Init(&h.Account, "sessionMemory", ss.desk.Limits().SessionBytes)
	s.work = ss.desk.Engine.Open(contract.WorkOptions{Session: true, Identity: t.Identity, Account: &s.memory})
	ss.by[t.Session] = s
	c.by[t.Session] = s
	h.Sessions++
	return s, nil
}

// makeRoom makes room for one more session of a connection, if need be by ending one that
// its client has closed.
func (ss *Set) makeRoom(c *Owned) error {
	l, h := ss.desk.Limits(), c.owner.Holder()
	for _, limit := range []struct {
		setting string
		have    int
		max     int
		same    func(*session) bool
	}{
		{"sessionsPerConnection", len(c.by), l.SessionsPerConnection, func(s *session) bool { return s.owner == c }},
		{"sessionsPerUser", h.Sessions, l.SessionsPerUser, func(s *session) bool { return s.holder == h }},
		{"sessions", len(ss.by), l.Sessions, func(*session) bool { return true }},
	} {
		if limit.have < limit.max || ss.evict(limit.same) {
			continue
		}
		ss.desk.Reject(limit.setting)
		return &message.StatusError{Code: message.StatusTooManyRequests, Message: fmt.Sprintf("%d sessions are open already (%s)", limit.have, limit.setting)}
	}
	return nil
}

// evict ends one of the sessions that their clients have closed.
func (ss *Set) evict(choose func(*session) bool) bool {
	for _, s := range ss.by {
		if choose(s) && s.yields() {
			ss.drop(s)
			return true
		}
	}
	return false
}

func (ss *Set) remove(s *session) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.drop(s)
}

// drop forgets a session that has ended.
func (ss *Set) drop(s *session) {
	if ss.by[s.id] != s {
		return
	}
	delete(ss.by, s.id)
	delete(s.owner.by, s.id)
	s.holder.Sessions--
}

// goneMax bounds the sessions of a connection whose end its client has not heard of.
const goneMax = 1024

// bury forgets a session whose client must hear of its end.
func (ss *Set) bury(s *session) {
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

// Count is how many there are.
func (ss *Set) Count() int {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return len(ss.by)
}

// Busy is how many have requests that run or wait.
func (ss *Set) Busy() int {
	n := 0
	for _, s := range ss.all() {
		s.mu.Lock()
		if s.running {
			n++
		}
		s.mu.Unlock()
	}
	return n
}

// Expire ends idle sessions.
func (ss *Set) Expire(now time.Time) {
	for _, s := range ss.all() {
		switch over, told := s.expire(now, ss.desk.Limits()); {
		case over && told:
			ss.bury(s)
		case over:
			ss.remove(s)
		}
	}
}

func (ss *Set) all() []*session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	list := make([]*session, 0, len(ss.by))
	for _, s := range ss.by {
		list = append(list, s)
	}
	return list
}

// End rolls back and forgets the sessions of a connection that has ended, each
// as soon as its running request has noticed.
func (ss *Set) End(c *Owned) {
	ss.mu.Lock()
	mine := make([]*session, 0, len(c.by))
	for _, s := range c.by {
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
			ss.desk.Leave()
		}
	}
	c.owner.Running().Wait()
	for _, s := range mine {
		s.mu.Lock()
		s.end()
		s.mu.Unlock()
		ss.remove(s)
	}
}
