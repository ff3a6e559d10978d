package traversal

import (
	"errors"
	"slices"
	"sync/atomic"
	"time"
)

// ErrUnauthorized is wrapped by errors about missing rights.
var ErrUnauthorized = errors.New("Failed to authorize")

// Identity is who asks: it goes with every request from authentication to evaluation,
// and whatever is decided about rights is decided by its methods. A nil Identity is
// nobody, who may do nothing. Its fields do not change; when the rights of a user do,
// Supersede makes all who hold it see the new ones. It is safe for concurrent use.
type Identity struct {
	// Name is the user's; empty where nobody is asked for one.
	Name string
	// Roles are what the user may do, all of them together.
	Roles []Role
	// Authorizations are the labels of visibility that the user holds.
	Authorizations []string
	// Graphs are the names of the graphs that the user reaches, of those that the roles are
	// about; one that ends in * means all that begin so, and none means all. To the user
	// there are no others.
	Graphs []string
	// Limits are the user's own; the server's and those of graphs hold besides.
	Limits UserLimits
	// Proof stands for the password that the user was authenticated with. It changes
	// with the password, and tells nothing about it.
	Proof string
	// Token is what the user showed in place of a password; nil for who has one.
	Token *Token

	// by is who sees as this user, nil mostly: then the name and the rights are the user's,
	// and all else is his.
	by *Identity

	next atomic.Pointer[Identity]
	// last are the rights that were asked for last, the newest first: a user mostly stays with
	// few graphs.
	last atomic.Pointer[[]*Rights]
}

// Token is what a token that somebody else made says of its user. It does not change.
type Token struct {
	// Roles are the names of the user's roles, and Graphs the only graphs that he reaches;
	// nil where the token says nothing about them.
	Roles, Graphs []string
	// Until is when it ends.
	Until time.Time
	// ID is its own, and Made when it was made; empty where it does not say.
	ID   string
	Made time.Time
	// Key stands for the key that it was signed with.
	Key string
}

// Ended reports whether the user showed a token that has ended.
func (id *Identity) Ended() bool {
	id = id.Asker()
	return id != nil && id.Token != nil && !time.Now().Before(id.Token.Until)
}

// Anyone is who asks where no authentication is configured: everybody may do
// everything.
var Anyone = &Identity{Roles: []Role{AdminRole}}

// User is the name for messages and logs.
func (id *Identity) User() string {
	switch {
	case id == nil:
		return ""
	case id.by != nil:
		return id.Name + " (seen by " + id.by.Name + ")"
	}
	return id.Name
}

// Owner tells users apart, for what is kept for each: another who gets the same name
// later is another owner.
func (id *Identity) Owner() string {
	if id != nil && id.by != nil {
		return id.by.Owner() + "\x00as\x00" + id.Name
	}
	if id == nil || id.Proof == "" {
		return id.User()
	}
	return id.Name + "\x00" + id.Proof
}

// nothing is what nobody may do, and everything what Anyone may, whatever the graph.
var (
	nothing    Rights
	everything = *rightsOn([]Role{AdminRole}, "", "")
)

// On returns what the user may do with a graph: nothing where it is out of reach.
func (id *Identity) On(graph string) *Rights {
	if id == Anyone {
		return &everything
	}
	now := id.current()
	if now == nil {
		return &nothing
	}
	last := now.last.Load()
	if last != nil {
		for _, r := range *last {
			if r.all || r.graph == graph {
				return r
			}
		}
	}
	return now.find(graph, last)
}

// rightsKept is in how many graphs a user's rights are kept, with what was looked up for them.
const rightsKept = 16

// find finds out the rights in a graph, and keeps them.
func (id *Identity) find(graph string, last *[]*Rights) *Rights {
	r := &Rights{graph: graph}
	if matches(id.Graphs, graph) {
		r = rightsOn(id.Roles, id.User(), graph)
		r.all = r.all && len(id.Graphs) == 0
		r.reached = r.reached || len(id.Roles) == 0 // he is told that he may not
	}
	kept := make([]*Rights, 1, rightsKept)
	if kept[0] = r; last != nil {
		kept = append(kept, (*last)[:min(len(*last), rightsKept-1)]...)
	}
	id.last.Store(&kept)
	return r
}

// Reaches reports whether a graph is there for the user, whatever he may do with it.
func (id *Identity) Reaches(graph string) bool { return id.On(graph).reached }

// Enters reports whether the user reaches a graph by a name: that of a traversal source, or
// its own.
func (id *Identity) Enters(source, graph string) bool {
	r := id.On(graph)
	return r.reached && (r.sources == nil || matches(r.sources, source))
}

// ReachesAll reports whether every graph is there for the user, by every name.
func (id *Identity) ReachesAll() bool {
	if id == Anyone {
		return true
	}
	now := id.current()
	return now != nil && len(now.Graphs) == 0 && (len(now.Roles) == 0 || slices.ContainsFunc(now.Roles, func(r Role) bool {
		return len(r.Graphs) == 0 && len(r.Sources) == 0 && r.Allow.rank() >= readRank
	}))
}

// May reports whether the user has a right in a graph.
func (id *Identity) May(right Right, graph string) bool {
	return right.rank() >= readRank && id.On(graph).rank >= right.rank()
}

// MayRead reports whether the user may read a graph.
func (id *Identity) MayRead(graph string) bool { return id.On(graph).rank >= readRank }

// MayReadPast reports whether the user may read a graph as it was, and what commits changed in it.
func (id *Identity) MayReadPast(graph string) bool { return id.On(graph).past }

// MayWrite reports whether the user may change a graph, or files through it.
func (id *Identity) MayWrite(graph string) bool { return id.On(graph).rank >= writeRank }

// Administers reports whether the user may watch and steer the server.
func (id *Identity) Administers() bool {
	now := id.current()
	return now != nil && slices.ContainsFunc(now.Roles, func(r Role) bool { return r.Allow.rank() == adminRank })
}

// AdministersAll reports whether the user administers every graph, and so may know what
// others do.
func (id *Identity) AdministersAll() bool {
	now := id.current()
	return now != nil && len(now.Graphs) == 0 && slices.ContainsFunc(now.Roles, func(r Role) bool {
		return r.Allow.rank() == adminRank && len(r.Graphs) == 0
	})
}

// PermitsEverywhere reports whether no role of the user keeps him from a step, for what
// belongs to no graph.
func (id *Identity) PermitsEverywhere(step string, modulator bool) bool {
	now := id.current()
	return now != nil && !slices.ContainsFunc(now.Roles, func(r Role) bool {
		return len(r.Steps) > 0 && !rightsOn([]Role{{Allow: ReadRight, Steps: r.Steps}}, "", "").Permits(step, modulator)
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
	if id == nil || id.by != nil && !id.by.MaySeeAs() {
		return nil
	}
	for next := id.next.Load(); next != nil; next = id.next.Load() {
		id = next
	}
	return id
}

// Equal reports whether both are the same user with the same rights.
func (id *Identity) Equal(other *Identity) bool {
	return id.Name == other.Name && id.Proof == other.Proof && id.Token == other.Token && id.Limits == other.Limits &&
		slices.EqualFunc(id.Roles, other.Roles, func(a, b Role) bool { return a.Equal(&b) }) &&
		slices.Equal(id.Authorizations, other.Authorizations) && slices.Equal(id.Graphs, other.Graphs)
}
