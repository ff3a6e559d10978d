// Package strategy rewrites plans. A strategy is one file that begins with its table
// of before => after lines; a test runs those very lines. order.go lists them all in
// the order in which they apply. Names, categories and effects are TinkerPop's, with
// ours beside them.
//
// Strategies know a step by its registered name, its Spec and the typed arguments of
// traversal/nodes.go, never by a Go type of package steps.
package strategy

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Category orders strategies, as TinkerPop's five interfaces do.
type Category byte

// The categories, in the order in which they apply.
const (
	Decoration   Category = 'D'
	Optimization Category = 'O'
	Provider     Category = 'P'
	Finalization Category = 'F'
	Verification Category = 'V'
)

// Strategy is one rewriting of plans.
type Strategy struct {
	Name     string
	Category Category
	// Default strategies apply unless withoutStrategies() names them; the others
	// only when withStrategies() does.
	Default bool
	// On names the steps without which the strategy has nothing to do; nil means that
	// it always looks.
	On []string
	// Rewrite returns p or a new plan. It is called for every plan of a traversal,
	// children first.
	Rewrite func(c *Context, p *traversal.Plan) (*traversal.Plan, error)
	// Whole, when set, is called once with the root instead.
	Whole func(c *Context, p *traversal.Plan) (*traversal.Plan, error)
}

// Context is what a strategy works with.
type Context struct {
	Registry *traversal.Registry
	Options  *traversal.SourceOptions
	// Config holds the client's settings of this strategy; nil for none.
	Config *value.Map
	// Graph says which indexes are complete; nil for none.
	Graph Indexes
	root  rootFacts
	meter *traversal.Meter
	// gather is the barrier that LazyBarrierStrategy and its like put in.
	gather *traversal.Node
}

// Indexes tells which indexes there are that look-ups may use.
type Indexes interface {
	// IndexVersion stands for all that is listed here, nil for any; see blueprints.View.
	IndexVersion() *keyindex.Definitions
	// VertexIndexes and EdgeIndexes list the properties that a key index covers.
	VertexIndexes() []string
	EdgeIndexes() []string
	// DeclaredIndexes lists the declared indexes of a class; it is the same list until one
	// of them changes.
	DeclaredIndexes(c blueprints.ElementClass) []*blueprints.IndexDefinition
}

// Error is a refusal by a verification strategy.
type Error struct{ Message string }

// Error returns the message in the words of the reference.
func (e Error) Error() string { return e.Message }

// Apply returns the plan that runs. It takes as long as p is large, and m, which may be
// nil, bounds it.
func Apply(m *traversal.Meter, reg *traversal.Registry, p *traversal.Plan, g Indexes) (*traversal.Plan, error) {
	return apply(m, reg, p, g, func(Strategy, *traversal.Plan) error { return nil })
}

// Explain applies the strategies and records the plan after each. Those that leave it as it
// was share its texts.
func Explain(m *traversal.Meter, reg *traversal.Registry, p *traversal.Plan, g Indexes) (*traversal.Explanation, error) {
	x := &traversal.Explanation{}
	var err error
	if x.Original, err = stepStrings(m, p, (*traversal.Node).Original); err != nil {
		return nil, err
	}
	var shown *traversal.Plan
	var texts []string
	show := func(p *traversal.Plan) (err error) {
		if p != shown {
			shown = p
			texts, err = stepStrings(m, p, (*traversal.Node).Explained)
		}
		return err
	}
	final, err := apply(m, reg, p, g, func(s Strategy, p *traversal.Plan) error {
		err := show(p)
		x.Intermediate = append(x.Intermediate, traversal.ExplainedStrategy{
			Strategy: s.Name, Category: string(s.Category), Traversal: texts,
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	err = show(final)
	x.Final = texts
	return x, err
}

// IndexedKeys is a fixed Indexes.
type IndexedKeys struct {
	Vertex, Edge []string
	Declared     []*blueprints.IndexDefinition
}

// IndexVersion is nil: the keys have none.
func (k IndexedKeys) IndexVersion() *keyindex.Definitions { return nil }

// VertexIndexes returns the vertex keys.
func (k IndexedKeys) VertexIndexes() []string { return k.Vertex }

// EdgeIndexes returns the edge keys.
func (k IndexedKeys) EdgeIndexes() []string { return k.Edge }

// DeclaredIndexes returns those of a class.
func (k IndexedKeys) DeclaredIndexes(c blueprints.ElementClass) []*blueprints.IndexDefinition {
	var of []*blueprints.IndexDefinition
	for _, d := range k.Declared {
		if d.Class == c {
			of = append(of, d)
		}
	}
	return of
}

// stepStrings prints the steps of p; every copy of the text lasts as long as the answer.
func stepStrings(m *traversal.Meter, p *traversal.Plan, text func(*traversal.Node) string) ([]string, error) {
	out := make([]string, len(p.Nodes))
	for i, n := range p.Nodes {
		out[i] = text(n)
		if err := m.Work(1 + len(out[i])/64); err != nil {
			return nil, err
		}
		if err := m.Keep(len(out[i])); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func apply(m *traversal.Meter, reg *traversal.Registry, p *traversal.Plan, g Indexes, done func(Strategy, *traversal.Plan) error) (*traversal.Plan, error) {
	chosen, err := choose(p.Options)
	if err != nil {
		return nil, err
	}
	present := stepNames(p)
	for _, ch := range chosen {
		if !ch.concerns(present) {
			if err := done(*ch.Strategy, p); err != nil {
				return nil, err
			}
			continue
		}
		c := &Context{Registry: reg, Options: p.Options, Config: ch.config, Graph: g, root: rootFacts{plan: p}, meter: m}
		before := p
		if ch.Whole != nil {
			p, err = ch.Whole(c, p)
		} else {
			p, err = c.eachPlan(p, func(q *traversal.Plan) (*traversal.Plan, error) { return ch.Rewrite(c, q) })
		}
		if err != nil {
			return nil, err
		}
		if p != before {
			present = stepNames(p)
		}
		if err := done(*ch.Strategy, p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// eachPlan rewrites p and all plans below it, as the meter lets it.
func (c *Context) eachPlan(p *traversal.Plan, fn func(*traversal.Plan) (*traversal.Plan, error)) (*traversal.Plan, error) {
	return p.MapPlans(func(q *traversal.Plan) (*traversal.Plan, error) {
		if err := c.meter.Work(1 + len(q.Nodes)); err != nil {
			return nil, err
		}
		r, err := fn(q)
		if err == nil && len(r.Nodes) > len(q.Nodes) {
			err = c.meter.Grown(len(r.Nodes) - len(q.Nodes))
		}
		return r, err
	})
}

// stepNames lists the steps of a plan and its children.
func stepNames(p *traversal.Plan) map[string]bool {
	names := make(map[string]bool, 8)
	p.Walk(func(n *traversal.Node) { names[n.Name()] = true })
	return names
}

// concerns reports whether one of the steps that the strategy is about is present.
func (s *Strategy) concerns(present map[string]bool) bool {
	if s.On == nil {
		return true
	}
	for _, name := range s.On {
		if present[name] {
			return true
		}
	}
	return false
}

type chosen struct {
	*Strategy
	config *value.Map
}

// choose picks the strategies of a traversal in the order of application.
func choose(o *traversal.SourceOptions) ([]chosen, error) {
	var asked map[string]*traversal.StrategySpec
	for _, s := range o.Strategies {
		if asked == nil {
			asked = map[string]*traversal.StrategySpec{}
		}
		if !Known(s.SimpleName()) {
			return nil, fmt.Errorf("the strategy %s is not known to this server", value.Brief(s.Class))
		}
		if err := unfollowed(s); err != nil {
			return nil, err
		}
		asked[s.SimpleName()] = s
	}
	out := make([]chosen, 0, len(order))
	for i := range order {
		s := &order[i]
		spec := asked[s.Name]
		if o.Without[s.Name] || !s.Default && spec == nil {
			continue
		}
		ch := chosen{Strategy: s}
		if spec != nil {
			ch.config = spec.Config
		}
		out = append(out, ch)
	}
	return out, nil
}

// unfollowed is an error for a strategy that changes nothing here, and should as it is
// configured.
func unfollowed(s *traversal.StrategySpec) error {
	if s.SimpleName() != "ElementIdStrategy" {
		return nil
	}
	if key, ok := s.Config.Get(value.String("idPropertyKey")); ok && key.JavaString() != "__id" {
		return fmt.Errorf("ElementIdStrategy cannot take ids for the property %.100s: elements have the ids that they are given, has(key, id) finds them by a property", key.Brief())
	}
	return nil
}

// Known reports whether there is a strategy of that simple name.
func Known(name string) bool {
	for _, s := range order {
		if s.Name == name {
			return true
		}
	}
	return accepted[name]
}

// Names returns the simple names of all strategies that are known, in order.
func Names() []string {
	names := slices.Collect(maps.Keys(accepted))
	for _, s := range order {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// setting returns one entry of the client's configuration.
func (c *Context) setting(key string) (value.Value, bool) {
	if c.Config == nil {
		return value.Null, false
	}
	return c.Config.Get(value.String(key))
}

// child compiles a traversal of the configuration; nil when it is not set.
func (c *Context) child(key string) (*traversal.Plan, error) {
	v, ok := c.setting(key)
	if !ok || v.IsNull() {
		return nil, nil
	}
	b, ok := v.Object().(*traversal.Bytecode)
	if !ok {
		return nil, fmt.Errorf("the setting %s takes a traversal, not %s", key, v.Brief())
	}
	return c.Registry.CompileChild(c.meter, b, c.Options)
}

// node makes a prepared node.
func (c *Context) node(name string, args ...traversal.Arg) (*traversal.Node, error) {
	return c.Registry.NewNode(name, args...)
}
