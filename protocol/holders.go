package protocol

import (
	"net/http"
	"sync"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// holder is who a connection or a request belongs to: a user, or an address where
// nobody is asked for a name. What all its connections make the server keep is charged
// to one account, and its sessions are counted together.
type holder struct {
	key      holderKey
	account  account.Account
	refs     int // of connections and requests; guarded by holders.mu
	sessions int // guarded by sessions.mu
}

// holderKey names a holder. A stranger is an address before login.
type holderKey struct {
	kind holderKind
	name string
}

type holderKind uint8

const (
	addressHolder holderKind = iota
	userHolder
	strangerHolder
)

// holders are those with a connection or a request.
type holders struct {
	mu sync.Mutex
	by map[holderKey]*holder
}

// enter counts one more connection or request of a holder; exit must follow.
func (s *Server) enter(kind holderKind, name string) *holder {
	key := holderKey{kind, name}
	s.holders.mu.Lock()
	defer s.holders.mu.Unlock()
	c := s.holders.by[key]
	if c == nil {
		c = &holder{key: key}
		if kind == strangerHolder {
			c.account.Init(s.memory, "loginBytesPerAddress", s.limits.LoginBytesPerAddress)
		} else {
			c.account.Init(s.memory, "userMemory", s.limits.userMemory())
		}
		s.holders.by[key] = c
	}
	c.refs++
	return c
}

// exit takes note that one connection or request of a holder is over.
func (s *Server) exit(c *holder) {
	s.holders.mu.Lock()
	defer s.holders.mu.Unlock()
	if c.refs--; c.refs == 0 {
		delete(s.holders.by, c.key)
	}
}

// holderOf returns the holder of an HTTP request whose user is known.
func (s *Server) holderOf(r *http.Request, user *traversal.Identity) *holder {
	if s.auth != nil {
		return s.enter(userHolder, user.User())
	}
	return s.enter(addressHolder, hostOf(r.RemoteAddr))
}
