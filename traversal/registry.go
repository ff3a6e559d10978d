package traversal

import "sort"

// StepKind is the family of a step, as TinkerPop's packages name them.
type StepKind uint8

// The families.
const (
	StartStep   StepKind = iota // V, E, inject, addV, ...: may begin a traversal
	FilterStep                  // keeps or drops
	MapStep                     // one for one
	FlatMapStep                 // one for many
	SideEffectStep
	BranchStep
	BarrierStep   // takes all before it gives any
	ReduceStep    // takes all, gives one
	ModulatorStep // changes the step before it: by, from, option, ...
	SourceStep    // a source instruction: withSack, with, ...
)

// Effects says what a step does beyond moving traversers.
type Effects uint16

// The effects. A plan in which they conflict runs one traverser at a time.
const (
	ReadsGraph Effects = 1 << iota
	WritesGraph
	ReadsSideEffect
	WritesSideEffect
	Randomised
	Opaque      // a closure: anything may happen
	External    // io(), call(): reaches beyond the graph
	Administers // makes, changes, empties or drops graphs
	ReadsPast   // tells what a graph was, or brings that back
)

// Needs says which rare parts of traversers a step uses.
type Needs uint8

// The needs. LabelledPath keeps only labelled objects, FullPath all.
const (
	NeedLabelledPath Needs = 1 << iota
	NeedFullPath
	NeedSack
	NeedOneBulk // equal traversers must not merge
)

// Spec is what one step declares about itself. Package steps fills a Registry with
// them; the compiler, strategies, the text parser, authorisation, explain() and the
// reference page take what they need from there.
type Spec struct {
	// Name is the Gremlin name; steps that only strategies make start with "~".
	Name string
	// Class is TinkerPop's step name in explain() and profile(): "VertexStep".
	Class string
	Kind  StepKind
	// Start is set when the step may begin a traversal (V, E, addV, inject, ...).
	Start bool
	// MaxBy is how many by() modulators the step takes; -1 for any number.
	MaxBy int
	// Mods names the other modulators that the step accepts.
	Mods      []string
	Effects   Effects
	EffectsOf func(n *Node) Effects // for effects that depend on arguments
	Needs     Needs
	NeedsOf   func(n *Node) Needs
	// Scope returns the labels that the step looks up on the path. trims is set when
	// labels that nobody needs any more may leave the path behind it.
	Scope func(n *Node) (labels []string, trims bool)
	// HoldsChildren is set when Data refers to child plans, so that Prepare must run
	// again when strategies rewrite them.
	HoldsChildren bool
	// Prepare checks the arguments and sets n.Data; n is not shared yet.
	Prepare func(n *Node) error
	// Append, when set, decides how a new node joins the plan: property() may become
	// part of the addV() before it. Nil appends the node.
	Append func(p *Plan, n *Node) error
	// Open makes the running step that pulls from up (nil at the start of a root).
	Open func(n *Node, r *Run, up Source) (Source, error)
	// OpenFirst, when set, takes Open's place where the step is the first of a child
	// traversal: then up gives the starts of that.
	OpenFirst func(n *Node, r *Run, up Source) (Source, error)
	// Direct, when set, evaluates the step as a function for child traversals of such
	// steps alone; false means unproductive.
	Direct func(n *Node, r *Run) (Func, error)
	// Test, when set, is the step as a predicate, and takes Direct's place: it changes
	// nothing of the traverser.
	Test func(n *Node, r *Run) (Predicate, error)
	// Print overrides the form in explain().
	Print func(n *Node) string
	// Placeholder is set when the step is shown without its arguments until strategies
	// are applied, as the reference shows what may hold variables of a script.
	Placeholder bool
	// Doc is one sentence for the reference page.
	Doc string
}

// Registry holds the specs by name. It is built once and read only.
type Registry struct{ byName map[string]*Spec }

// NewRegistry builds a Registry; a name listed twice is a programming error and the
// later one wins, which a test of package steps rules out.
func NewRegistry(specs ...*Spec) *Registry {
	r := &Registry{byName: make(map[string]*Spec, len(specs))}
	for _, s := range specs {
		r.byName[s.Name] = s
	}
	return r
}

// Lookup returns the spec of a name.
func (r *Registry) Lookup(name string) (*Spec, bool) {
	s, ok := r.byName[name]
	return s, ok
}

// Names returns all Gremlin names, sorted, without internal steps.
func (r *Registry) Names() []string {
	names := make([]string, 0, len(r.byName))
	for n := range r.byName {
		if n[0] != '~' {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	return names
}

// Map returns what fn makes of each spec, internal steps included.
func (r *Registry) Map(fn func(*Spec) *Spec) []*Spec {
	specs := make([]*Spec, 0, len(r.byName))
	for _, s := range r.byName {
		specs = append(specs, fn(s))
	}
	return specs
}

// Accepts reports whether the step takes the modulator.
func (s *Spec) Accepts(mod string) bool {
	for _, m := range s.Mods {
		if m == mod {
			return true
		}
	}
	return false
}
