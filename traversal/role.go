package traversal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// Right is how far somebody may go with a graph. Each includes those before it.
type Right string

// The rights.
const (
	NoRight    Right = ""
	ReadRight  Right = "read"
	WriteRight Right = "write"
	AdminRight Right = "admin" // makes, changes, empties and drops graphs
)

// AllRights are the rights that can be given, the least first.
var AllRights = []Right{ReadRight, WriteRight, AdminRight}

// rank orders rights: 0 is none, which is also what a right that nobody knows is.
func (r Right) rank() int { return slices.Index(AllRights, r) + 1 }

const (
	readRank  = 1
	writeRank = 2
	adminRank = 3
)

// Role is what its holders may do, and in which graphs. It does not change.
type Role struct {
	Name string `json:"name" yaml:"-"`
	// Graphs are the names of graphs that the role is about; one that ends in * means all
	// that begin so, and none means all.
	Graphs []string `json:"graphs,omitempty" yaml:"graphs"`
	// Sources are the only traversal sources by which the role leads to these graphs,
	// written likewise; none means all.
	Sources []string `json:"sources,omitempty" yaml:"sources"`
	Allow   Right    `json:"allow" yaml:"allow"`
	// Denied is not there for the holders of the role, whatever other roles they have.
	blueprints.Denied `yaml:",inline"`
	// Past says whether the role lets read the past of these graphs, which it does unless it says
	// false.
	Past *bool `json:"past,omitempty" yaml:"past"`
	// Steps are the only steps that the role allows; with a ! those that it does not.
	Steps []string `json:"steps,omitempty" yaml:"steps"`
}

// The roles that are always there.
var (
	ReadRole  = Role{Name: "read", Allow: ReadRight}
	WriteRole = Role{Name: "write", Allow: WriteRight}
	AdminRole = Role{Name: "admin", Allow: AdminRight} // also what the admin address offers
)

// BuiltinRoles are the roles that are always there.
var BuiltinRoles = []Role{ReadRole, WriteRole, AdminRole}

// GrantsPast reports whether the role lets read the past.
func (r *Role) GrantsPast() bool { return r.Past == nil || *r.Past }

// Equal reports whether both are the same role.
func (r *Role) Equal(o *Role) bool {
	return r.Name == o.Name && r.Allow == o.Allow && r.GrantsPast() == o.GrantsPast() && slices.Equal(r.Graphs, o.Graphs) &&
		slices.Equal(r.Sources, o.Sources) && slices.Equal(r.Steps, o.Steps) && r.Denied.Equal(&o.Denied)
}

// matches reports whether a name is one of the patterns; none of them are all names.
func matches(patterns []string, name string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		beginning, many := strings.CutSuffix(p, "*")
		return name == p || many && strings.HasPrefix(name, beginning)
	})
}

// Rights are what somebody may do with one graph: what all roles together allow, without
// what any of them denies. They do not change.
type Rights struct {
	graph   string
	all     bool // they are the same in every graph
	reached bool // to who does not reach it, there is no such graph
	rank    int  // of the right
	past    bool // may be read, too
	// sources are by which the graph is reached, nil for all.
	sources []string
	denied  *blueprints.Restriction // nil for nothing
	steps   *stepRule               // nil: all steps
}

// Denied is what of the graph is not there, nil for nothing.
func (r *Rights) Denied() *blueprints.Restriction { return r.denied }

// LimitsSteps reports whether there are steps that are not permitted.
func (r *Rights) LimitsSteps() bool { return r.steps != nil }

// Permits reports whether a step may be used; modulator says that it only says more of
// another.
func (r *Rights) Permits(step string, modulator bool) bool {
	return r.steps == nil || r.steps.permits(step, modulator)
}

// Seen is what somebody sees of a transaction, and how he changes it.
type Seen interface {
	blueprints.View
	blueprints.Mutator
	value.Resolver
}

// See returns a transaction without what is denied to the user. Whatever reads elements for
// him reads through it.
func (id *Identity) See(tx *blueprints.Tx) Seen {
	if d := id.On(tx.Graph().Name()).denied; d != nil {
		return tx.Restrict(d)
	}
	return tx
}

// deny keeps what is denied from a user in the graph of r.
func (r *Rights) deny(denied blueprints.Denied, user string) {
	if !denied.Empty() {
		r.denied = &blueprints.Restriction{Denied: denied, Refuse: func(what, name string) error {
			return fmt.Errorf("%w: user %s may not write %s %.64s in graph %s", ErrUnauthorized, user, what, name, r.graph)
		}}
	}
}

// stepRule says which steps may be used.
type stepRule struct {
	only   []string // nil: all
	denied []string
}

func (s *stepRule) permits(step string, modulator bool) bool {
	return !slices.Contains(s.denied, step) && (s.only == nil || modulator || slices.Contains(s.only, step))
}

// rightsOn finds out what the roles of a user come to in one graph.
func rightsOn(roles []Role, user, graph string) *Rights {
	r := &Rights{graph: graph, all: !slices.ContainsFunc(roles, func(r Role) bool { return len(r.Graphs) > 0 })}
	var denied blueprints.Denied
	rule, anyStep, anySource := stepRule{}, false, false
	for i := range roles {
		role := &roles[i]
		if !matches(role.Graphs, graph) || role.Allow.rank() < readRank {
			continue
		}
		r.reached = true
		r.rank = max(r.rank, role.Allow.rank())
		r.past = r.past || role.GrantsPast()
		anySource = anySource || len(role.Sources) == 0
		r.sources = append(r.sources, role.Sources...)
		denied = denied.And(&role.Denied)
		free := true
		for _, s := range role.Steps {
			if name, no := strings.CutPrefix(s, "!"); no {
				rule.denied = append(rule.denied, name)
			} else {
				rule.only, free = append(rule.only, name), false
			}
		}
		anyStep = anyStep || free
	}
	if anySource {
		r.sources = nil
	}
	if anyStep {
		rule.only = nil
	}
	r.deny(denied, user)
	if rule.only != nil || rule.denied != nil {
		r.steps = &rule
	}
	return r
}
