package traversal

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// Plan is a compiled traversal: an immutable list of nodes. Strategies return new
// plans that share the nodes they did not touch.
type Plan struct {
	Nodes []*Node
	// Options of the traversal source; children share their root's.
	Options *SourceOptions
	// Root is false for child traversals.
	Root bool
	// Global is set for the branches of union(), choose() and branch() and for the body
	// of repeat(), whose steps keep their state from one traverser to the next.
	Global bool
	// Function is set when the first result of a child is found by calling its steps, which
	// are functions then: ChildFunctionStrategy sees to that.
	Function bool
	// Guards hide parts of the graph from all steps of a root.
	Guards []*Guard
	// facts is what Effects and Needs answer; nil for plans that were not sealed.
	facts *facts
}

type facts struct {
	effects Effects
	needs   Needs
}

// Sealed returns a copy of p that knows its effects and needs. They stay those of its
// copies, but for With.
func (p *Plan) Sealed() *Plan {
	c := *p
	c.facts = &facts{effects: p.Effects(), needs: p.Needs()}
	return &c
}

// Node is one step of a plan. It is immutable once the plan is compiled; With*
// methods copy.
type Node struct {
	Spec *Spec
	// At numbers the step among the instructions of the bytecode that was compiled, each
	// before those of its children, from 1; 0 for what a strategy made.
	At     int
	Args   []Arg
	Labels []string // as()
	By     []*Modulator
	Mods   []Mod // the other modulators, in order
	// Keep, when not nil, lists the labels that stay on the path behind the step.
	Keep []string
	// Data is the step's typed form of its arguments, made by Spec.Prepare. Types
	// that strategies look into are in nodes.go.
	Data any
}

// Arg is an argument: a value, or a child traversal when Child is not nil.
type Arg struct {
	Value value.Value
	Child *Plan
}

// Mod is a modulator call that is not as() or by(): from, to, with, option, times,
// until, emit, read, write.
type Mod struct {
	Name string
	Args []Arg
	// Before is set for until, emit and times that come ahead of their repeat().
	Before bool
}

// SourceOptions is what the source instructions configured.
type SourceOptions struct {
	Sack        *SackOptions
	SideEffects []SideEffectOption
	// With holds what with(key, value) and OptionsStrategy ask of the graph (see Option);
	// needs are those and the ones of steps.
	With  map[string]value.Value
	needs []*Option
	// Strategies are those added by withStrategies and withComputer, in order.
	Strategies []*StrategySpec
	// Without names the strategies removed by withoutStrategies, by simple name.
	Without map[string]bool
	// Bulk is false after withBulk(false); Path is true after withPath().
	Bulk, Path bool
	Computer   bool
}

// SackOptions is withSack(initial, split or merge operator).
type SackOptions struct {
	Initial      value.Value
	Split, Merge value.Value // an operator, a lambda, or Null
}

// SideEffectOption is withSideEffect(key, initial, operator).
type SideEffectOption struct {
	Key     string
	Initial value.Value
	Reducer value.Value
}

// Name returns the step's registered name.
func (n *Node) Name() string { return n.Spec.Name }

// Value returns the i-th argument's value, Null beyond the end.
func (n *Node) Value(i int) value.Value {
	if i >= len(n.Args) {
		return value.Null
	}
	return n.Args[i].Value
}

// Child returns the i-th argument's child traversal or nil.
func (n *Node) Child(i int) *Plan {
	if i >= len(n.Args) {
		return nil
	}
	return n.Args[i].Child
}

// HasLabels reports whether as() named the step.
func (n *Node) HasLabels() bool { return len(n.Labels) > 0 }

// WithLabels returns a copy with other labels.
func (n *Node) WithLabels(labels []string) *Node {
	c := *n
	c.Labels = labels
	return &c
}

// WithData returns a copy with other typed arguments.
func (n *Node) WithData(data any) *Node {
	c := *n
	c.Data = data
	return &c
}

// WithKeep returns a copy behind which only these labels stay on the path.
func (n *Node) WithKeep(labels []string) *Node {
	c := *n
	c.Keep = labels
	return &c
}

// ModsNamed returns the modulators of one name, in order.
func (n *Node) ModsNamed(name string) []Mod {
	var ms []Mod
	for _, m := range n.Mods {
		if m.Name == name {
			ms = append(ms, m)
		}
	}
	return ms
}

// Children calls fn for each child plan of n: arguments, by() and other modulators.
func (n *Node) Children(fn func(*Plan)) {
	visit := func(args []Arg) {
		for _, a := range args {
			if a.Child != nil {
				fn(a.Child)
			}
		}
	}
	visit(n.Args)
	for _, m := range n.By {
		if m.Child != nil {
			fn(m.Child)
		}
	}
	for _, m := range n.Mods {
		visit(m.Args)
	}
}

// MapChildren returns a copy of n whose child plans are replaced by fn's answers.
// Spec.Prepare runs again on the copy, since Data may hold children.
func (n *Node) MapChildren(fn func(*Plan) *Plan) (*Node, error) {
	c := *n
	c.Args = mapArgs(n.Args, fn)
	c.By = make([]*Modulator, len(n.By))
	for i, m := range n.By {
		c.By[i] = m
		if m.Child != nil {
			mc := *m
			mc.Child = fn(m.Child)
			c.By[i] = &mc
		}
	}
	c.Mods = make([]Mod, len(n.Mods))
	for i, m := range n.Mods {
		c.Mods[i] = Mod{Name: m.Name, Args: mapArgs(m.Args, fn), Before: m.Before}
	}
	if c.Spec.Prepare != nil && c.Spec.HoldsChildren {
		if err := c.Spec.Prepare(&c); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

func mapArgs(args []Arg, fn func(*Plan) *Plan) []Arg {
	out := make([]Arg, len(args))
	for i, a := range args {
		out[i] = a
		if a.Child != nil {
			out[i].Child = fn(a.Child)
		}
	}
	return out
}

// Walk visits every node of p and of its children, parents first.
func (p *Plan) Walk(fn func(*Node)) {
	for _, n := range p.Nodes {
		fn(n)
		n.Children(func(c *Plan) { c.Walk(fn) })
	}
}

// Effects is the union of the effects of all nodes, children included.
func (p *Plan) Effects() Effects {
	if p.facts != nil {
		return p.facts.effects
	}
	var e Effects
	p.Walk(func(n *Node) { e |= n.Effects() })
	return e
}

// Effects returns what n itself does beyond moving traversers.
func (n *Node) Effects() Effects {
	e := n.Spec.Effects
	if n.Spec.EffectsOf != nil {
		e |= n.Spec.EffectsOf(n)
	}
	for _, a := range n.Args {
		if a.Value.Kind() == value.KindLambda || a.Value.Kind() == value.KindForeign {
			e |= Opaque
		}
	}
	for _, m := range n.By {
		if m.Kind == ByLambda {
			e |= Opaque
		}
	}
	return e
}

// String prints the plan as TinkerPop prints a traversal: [GraphStep(vertex,[]), ...].
func (p *Plan) String() string {
	parts := make([]string, len(p.Nodes))
	for i, n := range p.Nodes {
		parts[i] = n.String()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Explained is String with what the plan says of how children are evaluated.
func (n *Node) Explained() string {
	s, sep := n.String(), " calling "
	n.functions(func(p *Plan) {
		s += sep + p.String()
		sep = ", "
	})
	return s
}

// functions calls fn for the children that are functions, but not for those within them.
func (n *Node) functions(fn func(*Plan)) {
	n.Children(func(c *Plan) {
		if c.Function {
			fn(c)
			return
		}
		for _, m := range c.Nodes {
			m.functions(fn)
		}
	})
}

// String prints one step with its arguments and labels.
func (n *Node) String() string { return n.unlabelled() + n.labelText() }

// Original prints one step as it was before strategies were applied.
func (n *Node) Original() string {
	if !n.Spec.Placeholder {
		return n.String()
	}
	name, _, _ := strings.Cut(n.unlabelled(), "(")
	return name + "Placeholder" + n.labelText()
}

func (n *Node) unlabelled() string {
	if n.Spec.Print != nil {
		return n.Spec.Print(n)
	}
	return n.defaultString()
}

func (n *Node) labelText() string {
	if len(n.Labels) == 0 {
		return ""
	}
	return "@[" + strings.Join(n.Labels, ", ") + "]"
}

func (n *Node) defaultString() string {
	name := n.Spec.Class
	if name == "" {
		name = n.Spec.Name
	}
	var parts []string
	for _, a := range n.Args {
		if a.Child != nil {
			parts = append(parts, a.Child.String())
		} else {
			parts = append(parts, a.Value.JavaString())
		}
	}
	for _, m := range n.By {
		parts = append(parts, m.String())
	}
	if len(parts) == 0 {
		return name
	}
	return name + "(" + strings.Join(parts, ",") + ")"
}
