package traversal

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
)

// ErrUnauthorized is wrapped by errors about missing rights.
var ErrUnauthorized = errors.New("Failed to authorize")

// Role is what a user may do. Each includes those before it: read, write, admin.
type Role string

// The roles.
const (
	ReadRole  Role = "read"
	WriteRole Role = "write"
	AdminRole Role = "admin" // also what the admin address offers
)

// Identity is who asks: it goes with every request from authentication to evaluation,
// and whatever is decided about rights is decided by its methods. A nil Identity is
// nobody, who may do nothing. Its fields do not change; when the rights of a user do,
// Supersede makes all who hold it see the new ones. It is safe for concurrent use.
type Identity struct {
	// Name is the user's; empty where nobody is asked for one.
	Name  string
	Roles []Role
	// Authorizations are the labels of visibility that the user holds.
	Authorizations []string
	// Graphs are the names of the graphs that the user reaches; one that ends in * means all
	// that begin so, and none means all. To the user there are no others.
	Graphs []string
	// Proof stands for the password that the user was authenticated with. It changes
	// with the password, and tells nothing about it.
	Proof string

	next atomic.Pointer[Identity]
}

// Anyone is who asks where no authentication is configured: everybody may do
// everything.
var Anyone = &Identity{Roles: []Role{AdminRole}}

// User is the name for messages and logs.
func (id *Identity) User() string {
	if id == nil {
		return ""
	}
	return id.Name
}

// Owner tells users apart, for what is kept for each: another who gets the same name
// later is another owner.
func (id *Identity) Owner() string {
	if id == nil || id.Proof == "" {
		return id.User()
	}
	return id.Name + "\x00" + id.Proof
}

// Reaches reports whether a graph is there for the user, whatever he may do with it.
func (id *Identity) Reaches(graph string) bool {
	now := id.current()
	return now != nil && now.reaches(graph)
}

// ReachesAll reports whether every graph is there for the user.
func (id *Identity) ReachesAll() bool {
	now := id.current()
	return now != nil && len(now.Graphs) == 0
}

// MayRead reports whether the user may read a graph.
func (id *Identity) MayRead(graph string) bool {
	now := id.current()
	return now != nil && now.reaches(graph) && (slices.Contains(now.Roles, ReadRole) || now.writes())
}

// MayWrite reports whether the user may change a graph, or files through it.
func (id *Identity) MayWrite(graph string) bool {
	now := id.current()
	return now != nil && now.reaches(graph) && now.writes()
}

// Administers reports whether the user may watch and steer the server.
func (id *Identity) Administers() bool {
	now := id.current()
	return now != nil && now.administers()
}

func (id *Identity) writes() bool {
	return slices.Contains(id.Roles, WriteRole) || id.administers()
}

func (id *Identity) administers() bool { return slices.Contains(id.Roles, AdminRole) }

func (id *Identity) reaches(graph string) bool {
	return len(id.Graphs) == 0 || slices.ContainsFunc(id.Graphs, func(name string) bool {
		beginning, many := strings.CutSuffix(name, "*")
		return name == graph || many && strings.HasPrefix(graph, beginning)
	})
}

// Supersede replaces the rights of id, also for what is under way: by those of next,
// or by none when next is nil.
func (id *Identity) Supersede(next *Identity) {
	if next == nil {
		next = &Identity{Name: id.Name}
	}
	id.next.Store(next)
}

// current is the identity whose rights hold now.
func (id *Identity) current() *Identity {
	if id == nil {
		return nil
	}
	for next := id.next.Load(); next != nil; next = id.next.Load() {
		id = next
	}
	return id
}

// Equal reports whether both are the same user with the same rights.
func (id *Identity) Equal(other *Identity) bool {
	return id.Name == other.Name && id.Proof == other.Proof && slices.Equal(id.Roles, other.Roles) &&
		slices.Equal(id.Authorizations, other.Authorizations) && slices.Equal(id.Graphs, other.Graphs)
}
