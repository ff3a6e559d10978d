package traversal

import (
	"context"
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// ErrTimeout is returned when the context of a run ends; protocol turns it into 598.
var ErrTimeout = errors.New("evaluation was stopped")

// Env is what a run may reach. It belongs to one request.
type Env struct {
	Ctx      context.Context
	Registry *Registry
	View     blueprints.View
	// Mutator is nil when the request may not write.
	Mutator blueprints.Mutator
	// Closures compiles lambdas; nil when they are switched off.
	Closures ClosureCompiler
	// Identity is who asks; nil is nobody.
	Identity *Identity
	// Host answers what lies beyond the graph: io(), call(). Nil refuses both.
	Host Host
	// Memory, when not nil, is the run's until it is released.
	Memory *Memory
	// Account is charged for what steps keep; nil means no limit.
	Account *account.Account
	// BatchMax caps demands, for tests; 0 means the default.
	BatchMax int
	// Measure has the steps measured, as profile() does, without a change of the plan.
	Measure bool
}

// Func evaluates something for one traverser; false means unproductive.
type Func func(t *Traverser) (value.Value, bool, error)

// Predicate reports whether a traverser passes.
type Predicate = func(t *Traverser) (bool, error)

// Closure is a compiled lambda. It is used by one goroutine.
type Closure interface {
	Call(ctx context.Context, args ...value.Value) (value.Value, error)
}

// ClosureCompiler turns lambdas (KindLambda and KindForeign values) into closures.
type ClosureCompiler interface {
	Compile(v value.Value) (Closure, error)
	// Wrap makes the object that a closure sees as `it`, for steps that hand the
	// traverser itself to a closure.
	Wrap(r *Run, t *Traverser) value.Value
}

// pathMode says how much history traversers carry.
type pathMode uint8

const (
	noPath pathMode = iota
	labelledPath
	fullPath
)

// Run is one execution of a plan. One goroutine uses it.
type Run struct {
	Env
	Plan        *Plan
	SideEffects *SideEffects
	effects     SideEffects
	// Strict runs one traverser at a time, because effects of the plan conflict.
	Strict bool
	// Writes is set when the plan may change the graph: what is walked then is read first.
	Writes bool

	paths   pathMode
	steps   steps // of paths, to be used
	OneBulk bool  // equal traversers that merge count once
	hasSack bool
	// splitSack makes the sack of a traverser that moved, with withSack()'s split
	// operator; failed is its first error, which ends the run.
	splitSack func(value.Value) (value.Value, error)
	failed    error
	guards    []*guardedView
	tail      Source
	polls     int
	worked    int // bytes of work since the context was looked at
	opened    int // steps made that were not charged
	// Profile, when not nil, measures steps; see profiler.go.
	Profile *Profiler
}

// Open builds the running steps of a root plan.
func Open(p *Plan, env Env) (*Run, error) {
	r := &Run{}
	return r, r.Open(p, env)
}

// Open makes r, whatever it was, the run of a root plan, or of an anonymous one.
func (r *Run) Open(p *Plan, env Env) error {
	if r.Plan != nil { // else it is as new
		*r = Run{} // by itself, or it is made elsewhere and copied
	}
	r.Env, r.Plan = env, p
	r.SideEffects = &r.effects
	needs := p.Needs()
	r.paths = p.pathMode()
	r.OneBulk = needs&NeedOneBulk != 0 || p.Options != nil && !p.Options.Bulk
	r.Strict = p.Conflicts()
	r.Writes = r.Strict && p.Effects()&(WritesGraph|Opaque) != 0
	if len(p.Guards) > 0 {
		if err := r.guard(); err != nil {
			return err
		}
	}
	if _, seeded := p.Options.seed(); seeded && r.View != nil {
		r.View = newReferenceOrder(r.View)
	}
	if p.Options != nil {
		if err := r.openSack(); err != nil {
			return err
		}
		for _, o := range p.Options.SideEffects {
			if err := r.SideEffects.Define(r, o); err != nil {
				return err
			}
		}
	}
	if env.Measure || p.profiles() {
		r.Profile = &Profiler{}
	}
	var up Source
	if !p.Root { // of an anonymous traversal: its first step begins nothing
		up = nowhere{}
	}
	var err error
	if r.tail, err = r.openNodes(p.Nodes, up, false); r.tail == nil {
		r.tail = nowhere{} // a source without steps
	}
	return err
}

// nowhere is what no step comes out of.
type nowhere struct{}

func (nowhere) Next(*Batch, int) error { return nil }

func (nowhere) Reset() {}

// pathMode says how much history the traversers of p carry.
func (p *Plan) pathMode() pathMode {
	switch needs := p.Needs(); {
	case needs&NeedFullPath != 0 || p.Options != nil && p.Options.Path:
		return fullPath
	case needs&NeedLabelledPath != 0:
		return labelledPath
	}
	return noPath
}

// Next appends up to max results to b; none means the end.
func (r *Run) Next(b *Batch, max int) error {
	err := r.tail.Next(b, max)
	if r.failed != nil {
		return r.failed
	}
	return err
}

// openNodes chains the running steps of nodes behind up, which are those of a child
// traversal or of the root.
func (r *Run) openNodes(nodes []*Node, up Source, child bool) (Source, error) {
	src := up
	if err := r.opening(len(nodes)); err != nil {
		return nil, err
	}
	if r.Profile != nil {
		r.Profile.begin()
	}
	for i, n := range nodes {
		var sp *StepProfile
		if r.Profile != nil {
			sp = r.Profile.enter(r, n)
		}
		open := n.Spec.Open
		if child && i == 0 && n.Spec.OpenFirst != nil {
			open = n.Spec.OpenFirst
		}
		s, err := open(n, r, src)
		if err != nil {
			return nil, err
		}
		if n.Keep != nil && r.paths == labelledPath && !r.OneBulk { // whose traversers keep labels in the reference
			s = &trimmer{up: s, keep: namesOf(n.Keep)}
		}
		if len(n.Labels) > 0 && r.paths != noPath {
			s = &labeller{r: r, up: s, labels: n.Labels, moved: n.moves(up)}
		}
		if r.Profile != nil {
			s = r.Profile.leave(sp, s)
		}
		src = s
	}
	return src, nil
}

// What steps are opened at a time without being charged, and what one takes then. A plan
// of many children has many.
const (
	openedAtOnce = 256
	openedBytes  = 400
)

// opening counts the running steps that are made.
func (r *Run) opening(n int) error {
	if r.opened += n; r.opened < openedAtOnce {
		return nil
	}
	n, r.opened = r.opened, 0
	if err := r.PollNow(); err != nil {
		return err
	}
	return r.Charge(n * openedBytes)
}

// Needs is the union of the needs of all nodes, children included.
func (p *Plan) Needs() Needs {
	if p.facts != nil {
		return p.facts.needs
	}
	var needs Needs
	p.Walk(func(n *Node) {
		needs |= n.Spec.Needs
		if n.Spec.NeedsOf != nil {
			needs |= n.Spec.NeedsOf(n)
		}
		if n.Effects()&Opaque != 0 {
			needs |= NeedFullPath
		}
		if n.HasLabels() {
			needs |= NeedLabelledPath // read or not, labels keep traversers from merging
		}
	})
	return needs
}

// Conflicts reports whether traversers must go one at a time: some step writes what
// another could see written, or a closure may do anything.
func (p *Plan) Conflicts() bool {
	return p.Effects()&(WritesGraph|WritesSideEffect|Randomised|Opaque|External) != 0
}

// Demand is how much a step may pull from upstream when it was asked for max.
func (r *Run) Demand(max int) int {
	if r.Strict {
		return 1
	}
	limit := batchMax
	if r.BatchMax > 0 {
		limit = r.BatchMax
	}
	return min(max, limit)
}

// ReadsNext tells the graph which elements a step has before it: a store elsewhere is asked
// once for all that are not in memory, see blueprints.View.Ahead.
func (r *Run) ReadsNext(objs []value.Value) {
	if r.readsElements(objs) {
		r.View.Ahead(objs)
	}
}

// ReadsWhole is ReadsNext of who reads all of each element.
func (r *Run) ReadsWhole(objs []value.Value) {
	if r.readsElements(objs) {
		r.View.AheadWhole(objs)
	}
}

func (r *Run) readsElements(objs []value.Value) bool {
	if r == nil || r.View == nil || len(objs) == 0 {
		return false
	}
	k := objs[0].Kind()
	return k == value.KindVertex || k == value.KindEdge
}

const pollEvery = 256 // traversers between two looks at the context

// Poll returns ErrTimeout soon after the request's context has ended. Every step
// calls it for each traverser it handles.
func (r *Run) Poll() error {
	r.polls++
	if r.polls < pollEvery {
		return nil
	}
	return r.PollNow()
}

// PollNow looks at the context at once: for loops whose turns are expensive.
func (r *Run) PollNow() error {
	r.polls = 0
	if r.Ctx != nil && r.Ctx.Err() != nil {
		return ErrTimeout
	}
	return nil
}

// Generate makes a traverser without a past: the start of a traversal, the result
// of a reducing barrier.
func (r *Run) Generate(v value.Value) Traverser {
	t := NewTraverser(v)
	if r.paths == fullPath || r.hasSack {
		x := &Extra{}
		if r.paths == fullPath {
			x.Path = &PathNode{Object: v}
		}
		if r.hasSack {
			x.Sack = r.initialSack()
		}
		t.X = x
	}
	return t
}

// Split moves t to v: the object a step made of it. The path grows when it is tracked.
func (r *Run) Split(t *Traverser, v value.Value) Traverser {
	if r.splitSack != nil {
		return r.splitWithSack(t, v)
	}
	return r.split(t, v)
}

func (r *Run) split(t *Traverser, v value.Value) Traverser {
	if r.paths == fullPath {
		return t.extendBy(r.steps.next(), v, v, nil)
	}
	return Traverser{Value: v, Bulk: t.Bulk, X: t.X}
}

// SplitMany makes traversers of the objects of b from a place on, which a step made of t
// and has just appended.
func (r *Run) SplitMany(b *Batch, from int, t *Traverser) {
	b.Fill(from, t.Bulk, t.X)
	if r.SplitsPlain() || from == b.Len() {
		return
	}
	b.widenRest(b.Len())
	for i := from; i < b.Len(); i++ {
		u := r.Split(t, b.Objects[i])
		b.rest[i] = u.X
	}
}

// SplitsPlain reports whether a plain traverser stays plain when it moves.
func (r *Run) SplitsPlain() bool { return r.splitSack == nil && r.paths != fullPath }

// Labelled returns t with labels on its present object, which a step handed on. Where
// only labelled objects are kept, the newest of them is that object if it is equal,
// wherever the traverser has been in between; the reference has it so. An object that a
// step made is always one more.
func (r *Run) Labelled(t *Traverser, labels []string) Traverser {
	p := t.History()
	if p == nil || r.paths == labelledPath && !value.Identical(p.Object, t.Value) {
		return t.extend(t.Value, t.Value, labels)
	}
	return t.WithPath(p.AddLabels(labels))
}

// NewSet returns an empty queue in which equal traversers merge as the source asks:
// under a merge operator of withSack() their sacks combine, otherwise none that has a sack
// merges.
func (r *Run) NewSet() TraverserSet {
	s := TraverserSet{oneBulk: r.OneBulk, account: r.Account}
	if r.Plan.Options != nil && r.Plan.Options.Sack != nil && !r.Plan.Options.Sack.Merge.IsNull() {
		s.mergeSacks, s.err = r.BinaryFunc(r.Plan.Options.Sack.Merge)
	}
	return s
}

// TracksPath reports whether traversers carry all objects of their history.
func (r *Run) TracksPath() bool { return r.paths == fullPath }

// Write returns the Mutator, or an error when the request may not write.
func (r *Run) Write() (blueprints.Mutator, error) {
	switch {
	case r.Mutator != nil:
	case !r.Plan.Root:
		return nil, errors.New("an anonymous traversal has no graph that it could write to: begin it with a traversal source")
	default:
		return nil, errors.New("this request may not write to the graph")
	}
	return r.Mutator, nil
}

// labeller puts a step's as() labels onto the paths of what leaves it.
type labeller struct {
	r      *Run
	up     Source
	labels []string
	moved  bool // the step makes objects of its own
}

// moves reports whether what leaves a step is an object of its own on the path, even if
// it is equal to the one before: filters, side effects and branches hand objects on.
func (n *Node) moves(up Source) bool {
	switch n.Spec.Kind {
	case MapStep, FlatMapStep:
		return n.Name() != "identity"
	case StartStep:
		return up != nil
	}
	return false
}

func (l *labeller) Next(b *Batch, max int) error {
	from := b.Len()
	err := l.up.Next(b, max)
	for i := from; i < b.Len(); i++ {
		t := b.At(i)
		if l.moved && l.r.paths == labelledPath {
			b.Set(i, t.extend(t.Value, t.Value, l.labels))
			continue
		}
		b.Set(i, l.r.Labelled(&t, l.labels))
	}
	return err
}

func (l *labeller) Reset() { l.up.Reset() }

// trimmer takes labels that nobody needs any more off the paths of what leaves a step,
// so that traversers that differ in them alone may merge.
type trimmer struct {
	up   Source
	keep names
}

func (s *trimmer) Next(b *Batch, max int) error {
	from := b.Len()
	err := s.up.Next(b, max)
	for i := from; i < b.Len(); i++ {
		t := b.At(i)
		if p := t.History(); p != nil {
			if q := p.retain(s.keep); q != p {
				b.Set(i, t.WithPath(q))
			}
		}
	}
	return err
}

func (s *trimmer) Reset() { s.up.Reset() }
