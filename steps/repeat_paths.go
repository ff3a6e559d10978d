package steps

import (
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/steps/walk"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// pathWalk is a repeat() of one hop, and tests behind it, whose traversers carry their
// paths:
//
//	repeat(out().simplePath()).until(hasId(1)).path()
//	repeat(both()).emit().times(3).path()
//
// It gives what the repeater gives, in the same order, but what waits for its next
// pass are places of a walk.Trail, not traversers. Only what leaves becomes a traverser
// with a path.
//
// Tolerates: effects behind it that do not conflict with reading. In the loop nothing has
// an effect, a side effect or a label, or looks at more of a traverser than its object and
// its passes. PathWalkStrategy says what else must hold.
type pathWalk struct {
	r           *traversal.Run
	in          traversal.Input
	h           *traversal.Hop
	syms        labelSymbols
	tests       []placeTest
	until, emit traversal.Predicate
	frames      frames

	// One start is under way at a time.
	start traversal.Traverser
	trail *walk.Trail
	// at stands for the place that is tested; passed and left are the rare parts of a
	// traverser after so many passes and after the last.
	at           traversal.Traverser
	passes       int
	passed, left *traversal.Extra
	// from is a traverser at the place fromHead of the trail, made when something leaves.
	from     traversal.Traverser
	fromHead int

	// For TakeEdges: where what leaves goes, and how long that may get.
	out *traversal.Batch
	end int
}

// placeTest is a filter in the body: a test of a vertex reached from head, or
// simplePath() when nil.
type placeTest traversal.Predicate

// pathWalkSpec is what PathWalkStrategy puts in place of repeat().
var pathWalkSpec = traversal.Spec{
	Name: "~pathWalk", Class: "PathWalkStep", Kind: traversal.BranchStep, HoldsChildren: true,
	Doc:     "Runs a repeat() whose paths are asked for, and keeps where each walk came from once for all.",
	Prepare: preparePathWalk, Open: openPathWalk,
	Print: func(n *traversal.Node) string {
		return "PathWalkStep" + strings.TrimPrefix(printRepeat(n), "RepeatStep")
	},
}

// preparePathWalk refuses a repeat() whose traversers must be made.
func preparePathWalk(n *traversal.Node) error {
	if err := prepareRepeat(n); err != nil {
		return err
	}
	if l := n.Data.(*loop); l.untilFirst || l.emitFirst || !l.walkable() {
		return traversal.ErrUnfit
	}
	return nil
}

func openPathWalk(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	l := n.Data.(*loop)
	h := l.body.Nodes[0].Data.(*traversal.Hop)
	w := &pathWalk{r: r, in: r.Input(up), h: h, trail: walk.NewTrail(r), syms: labelSymbols{labels: h.Labels, none: h.None}}
	w.frames.owner, w.frames.name = w, l.name
	for _, n := range l.body.Nodes[1:] {
		if n.Name() == "simplePath" {
			w.tests = append(w.tests, nil)
			continue
		}
		t, err := n.Spec.Test(n, r)
		if err != nil {
			return nil, err
		}
		w.tests = append(w.tests, placeTest(t))
	}
	var err error
	if w.until, err = l.until.open(r); err != nil {
		return nil, err
	}
	w.emit, err = l.emit.open(r)
	return w, err
}

// walkable reports whether the body is a hop between vertices with tests behind it, and
// nothing in the loop looks at more of a traverser than its object and its passes.
func (l *loop) walkable() bool {
	if len(l.body.Nodes) == 0 || !l.until.ofPlace() || !l.emit.ofPlace() {
		return false
	}
	for i, n := range l.body.Nodes {
		if n.HasLabels() || n.Keep != nil {
			return false
		}
		if i == 0 {
			if h, ok := n.Data.(*traversal.Hop); !ok || h.Edge {
				return false
			}
			continue
		}
		if s, ok := n.Data.(stretch); ok && n.Name() == "simplePath" && s == (stretch{}) && len(n.By) == 0 {
			continue
		}
		if n.Spec.Test == nil || !ofPlace(&traversal.Plan{Nodes: []*traversal.Node{n}}) {
			return false
		}
	}
	return true
}

func (c *condition) ofPlace() bool {
	return c == nil || c.always || c.byTime || c.on != nil && ofPlace(c.on)
}

func ofPlace(p *traversal.Plan) bool {
	return p.Needs() == 0 && p.Effects()&^traversal.ReadsGraph == 0
}

func (w *pathWalk) Next(b *traversal.Batch, max int) error {
	from := b.Len()
	w.out, w.end = b, from+max
	for b.Len() < w.end {
		if w.trail.Waits() {
			if err := w.goOn(); err != nil {
				return err
			}
			continue
		}
		if b.Len() > from && w.in.Buffered() == 0 {
			return nil
		}
		t, ok, err := w.in.Take(w.r.Demand(max))
		if !ok || err != nil {
			return err
		}
		if err := w.begin(t); err != nil {
			return err
		}
	}
	return nil
}

// begin puts a new start on its first place.
func (w *pathWalk) begin(t traversal.Traverser) error {
	if t.Kind() != value.KindVertex {
		return step.NotVertex(t.Value)
	}
	w.trail.Forget()
	if !t.IsStored() || !simple(t.History()) && w.onlySimple() {
		return w.r.Poll()
	}
	w.start, w.passes, w.fromHead = t, 0, -1
	w.trail.Begin(blueprints.VertexID(t.Ref()), t.Bulk, t.History())
	w.left = &traversal.Extra{Loops: t.Loops()}
	return w.r.Poll()
}

func (w *pathWalk) onlySimple() bool {
	for _, t := range w.tests {
		if t == nil {
			return true
		}
	}
	return false
}

// goOn goes along the next edges.
func (w *pathWalk) goOn() error {
	syms, ok := w.syms.resolve(w.r)
	if !ok {
		w.trail.Forget()
		return w.r.Poll()
	}
	w.trail.Along(w.h.Dir, syms)
	return w.trail.Go(w)
}

// TakeEdges goes along edges from the head of the trail, until there is enough.
func (w *pathWalk) TakeEdges(_ int, edges []blueprints.Adjacent) (int, error) {
	if n := w.trail.Passes(); n != w.passes {
		w.passes = n
		w.passed = &traversal.Extra{Loops: w.frames.frame(w.start.Loops(), n)}
	}
	bulk := w.trail.Walkers()
	for i := range edges {
		if w.out.Len() >= w.end {
			return i, walk.ErrEnough
		}
		if err := w.r.Poll(); err != nil {
			return i, err
		}
		to := edges[i].Other
		w.at = traversal.Traverser{Value: value.VertexRef(uint64(to)), Bulk: bulk, X: w.passed}
		ok, err := w.stays(to)
		if err != nil {
			return i, err
		}
		if ok {
			if err := w.arrive(to); err != nil {
				return i, err
			}
		}
	}
	if w.out.Len() >= w.end {
		return len(edges), walk.ErrEnough
	}
	return len(edges), nil
}

// stays applies the filters of the body to a vertex reached from head.
func (w *pathWalk) stays(to blueprints.VertexID) (bool, error) {
	for _, t := range w.tests {
		if t == nil {
			if w.trail.Been(to) {
				return false, nil
			}
			continue
		}
		if ok, err := t(&w.at); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// arrive lets what reached a vertex leave, or wait for its next pass.
func (w *pathWalk) arrive(to blueprints.VertexID) error {
	if w.until != nil {
		done, err := w.until(&w.at)
		if err != nil {
			return err
		}
		if done {
			w.out.Add(w.leave())
			return nil
		}
	}
	w.trail.Add(to)
	if w.emit == nil {
		return nil
	}
	ok, err := w.emit(&w.at)
	if ok {
		w.out.Add(w.leave())
	}
	return err
}

// leave makes a traverser of what reached a vertex.
func (w *pathWalk) leave() traversal.Traverser {
	if head := w.trail.Head(); head != w.fromHead {
		x := *w.left
		x.Path = w.trail.Path()
		w.from, w.fromHead = traversal.Traverser{Bulk: w.trail.Walkers(), X: &x}, head
	}
	return w.r.Split(&w.from, w.at.Value)
}

func (w *pathWalk) Reset() {
	w.trail.Reset()
	w.in.Reset()
}
