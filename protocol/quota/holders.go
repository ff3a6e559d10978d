package quota

import (
	"cmp"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gremlind/gremlind/storage/account"
)

// Holder is who a connection or a request belongs to: a user, or an address where
// nobody is asked for a name. What all its connections make the server keep is charged
// to one account, and its sessions are counted together.
type Holder struct {
	key      holderKey
	Account  account.Account
	Pace     account.Pace // of what limits of his refuse
	Running  atomic.Int64 // requests that are evaluated, of a user with a limit of them
	refs     int          // of connections and requests; guarded by holders.mu
	Sessions int          // guarded by sessions.mu
}

// holderKey names a holder. A stranger is an address before login.
type holderKey struct {
	kind HolderKind
	name string
}

// HolderKind is what is known of a holder.
type HolderKind uint8

const (
	// AddressHolder is an address of a server that asks nobody for a name.
	AddressHolder HolderKind = iota
	// UserHolder is a user who has authenticated.
	UserHolder
	// StrangerHolder is an address before login.
	StrangerHolder
)

// Holders are those with a connection or a request.
type Holders struct {
	memory *account.Account // of all
	limits func() *Limits

	mu sync.Mutex
	by map[holderKey]*Holder
}

// Init has all holders charged to memory, within the limits of the moment.
func (s *Holders) Init(memory *account.Account, l func() *Limits) {
	s.memory, s.limits, s.by = memory, l, map[holderKey]*Holder{}
}

// Held is what one holder keeps.
type Held struct {
	Kind  string `json:"kind"` // user, address, or stranger: an address before login
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// kinds are the names of the kinds of holders.
var kinds = [...]string{AddressHolder: "address", UserHolder: "user", StrangerHolder: "stranger"}

// List returns what each holder keeps, who keeps most first.
func (s *Holders) List() []Held {
	s.mu.Lock()
	list := make([]Held, 0, len(s.by))
	for key, h := range s.by {
		list = append(list, Held{kinds[key.kind], key.name, h.Account.Used()})
	}
	s.mu.Unlock()
	slices.SortFunc(list, func(a, b Held) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Name, b.Name))
	})
	return list
}

// None reports whether nobody has a connection or a request.
func (s *Holders) None() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.by) == 0
}

// Enter counts one more connection or request of a holder; exit must follow.
func (s *Holders) Enter(kind HolderKind, name string) *Holder {
	key := holderKey{kind, name}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.by[key]
	if c == nil {
		c = &Holder{key: key}
		if kind == StrangerHolder {
			c.Account.Init(s.memory, "loginBytesPerAddress", s.limits().LoginBytesPerAddress)
		} else {
			c.Account.Init(s.memory, "userMemory", s.limits().userMemory())
			c.Account.SetPace(&c.Pace)
		}
		s.by[key] = c
	}
	c.refs++
	return c
}

// Exit takes note that one connection or request of a holder is over.
func (s *Holders) Exit(c *Holder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.refs--; c.refs == 0 {
		delete(s.by, c.key)
	}
}

// HostOf is an address without its port.
func HostOf(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	return host
}
