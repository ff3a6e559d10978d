package protocol

import (
	"context"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/traversal"
)

// Authenticator knows the users. It is safe for concurrent use.
type Authenticator interface {
	// Authenticate checks a name and a password; nil when they are wrong. address is the
	// client's, without the port, for throttling; a client that is gone ends ctx.
	Authenticate(ctx context.Context, address, user, password string) *traversal.Identity
	// Changes counts what became of users: as long as it stays the same, Renew has
	// nothing new to say.
	Changes() uint64
	// Renew returns what an authenticated user is now: id itself when nothing changed,
	// nil when the user is gone or has another password.
	Renew(id *traversal.Identity) (*traversal.Identity, error)
}

// renewal is what the janitor remembers of the users.
type renewal struct{ seen uint64 }

// renew looks at everybody who is connected again when users have changed.
func (s *Server) renew() {
	if s.auth == nil {
		return
	}
	n := s.auth.Changes()
	if n == s.renewal.seen {
		return
	}
	whole := true
	for _, c := range s.connections() {
		whole = c.renew() && whole
	}
	s.mu.Lock()
	posts := make([]*task, 0, len(s.posts))
	for t := range s.posts {
		posts = append(posts, t)
	}
	s.mu.Unlock()
	for _, t := range posts {
		whole = t.renew() && whole
	}
	if whole { // otherwise users could not be read, and it is tried again
		s.renewal.seen = n
	}
}

// renewed makes what id may do now hold for all that runs for it. It is nil for a user
// who is gone.
func (s *Server) renewed(id *traversal.Identity) (*traversal.Identity, error) {
	now, err := s.auth.Renew(id)
	if err != nil {
		s.log.Error("users cannot be read", "error", err)
		return id, err
	}
	if now != id {
		id.Supersede(now)
	}
	return now, nil
}

// renew gives the connection the rights that its user has now. A connection whose user
// is gone, or has another password, ends.
func (c *conn) renew() bool {
	id := c.identity.Load()
	if id == nil || c.trusted { // not yet authenticated, or never asked
		return true
	}
	now, err := c.srv.renewed(id)
	switch {
	case err != nil:
		return false
	case now == nil:
		c.srv.log.Info("connection ended: its user is gone or has another password", "user", id.User(), "remote", c.remote)
		c.shutDown(websocket.ClosePolicyViolation, "the user is gone or has another password", errUserGone)
	case now != id:
		c.srv.log.Info("the rights of a connection have changed", "user", id.User(), "remote", c.remote)
		c.identity.CompareAndSwap(id, now)
	}
	return true
}

// renew does the same for a running HTTP request.
func (t *task) renew() bool {
	now, err := t.srv.renewed(t.identity)
	if now == nil {
		t.srv.cancelTask(t, errUserGone)
	}
	return err == nil
}
