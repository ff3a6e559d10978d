package steps

import (
	"errors"
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
// pass are places, not traversers: a place knows its vertex and the place it was
// reached from. Only what leaves becomes a traverser with a path.
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

	// One start is under way at a time. The places from behind on were reached in one pass
	// more than the head of the trail.
	start  traversal.Traverser
	trail  *walk.Trail
	paths  map[int]*traversal.PathNode // to places, made when something leaves
	behind int
	loops  int // passes that lie behind what is reached from the head
	// at stands for the place that is tested; passed and left are the rare parts of a
	// traverser after a pass and after the last.
	at           traversal.Traverser
	passed, left *traversal.Extra
	from         traversal.Traverser // a traverser at head, made when something leaves

	edges edgeReader

	// For Take: where what leaves goes, and how long that may get.
	out *traversal.Batch
	end int
}

// placeTest is a filter in the body: a test of a vertex reached from head, or
// simplePath() when nil.
type placeTest traversal.Predicate

// pathWalkSpec is what PathWalkStrategy puts in place of repeat().
var pathWalkSpec = traversal.Spec{
	Name: "~pathWalk", Class: "PathWalkStep", Kind: traversal.BranchStep, HoldsChildren: true,
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
	w := &pathWalk{r: r, in: traversal.Input{Up: up}, h: h, trail: walk.NewTrail(r), syms: labelSymbols{labels: h.Labels, none: h.None}}
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
	for end := b.Len() + max; b.Len() < end; {
		switch {
		case w.edges.pos < len(w.edges.buf):
			if err := w.expand(b, end); err != nil {
				return err
			}
		case w.edges.more || w.trail.Waits():
			if err := w.read(b, end); err != nil {
				return err
			}
		default:
			if b.Len() > end-max && w.in.Buffered() == 0 {
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
	}
	return nil
}

// begin puts a new start on its first place.
func (w *pathWalk) begin(t traversal.Traverser) error {
	if t.Kind() != value.KindVertex {
		return step.NotVertex(t.Value)
	}
	w.forget()
	if !t.IsStored() || !simple(t.History()) && w.onlySimple() {
		return w.r.Poll()
	}
	w.start = t
	w.trail.Begin(blueprints.VertexID(t.Ref()), t.Bulk)
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

func (w *pathWalk) forget() {
	w.trail.Forget()
	clear(w.paths)
	w.behind, w.loops = 0, 0
	w.edges.forget()
}

// read reads the edges of head or of the next places, and goes along them.
func (w *pathWalk) read(b *traversal.Batch, end int) error {
	syms, ok := w.syms.resolve(w.r)
	if !ok {
		w.forget()
		return w.r.Poll()
	}
	if err := w.r.PollNow(); err != nil {
		return err
	}
	if err := w.trail.Pay(); err != nil {
		return err
	}
	x := blueprints.Expansion{Dir: w.h.Dir, Labels: syms}
	if w.edges.more || w.edges.few() {
		if !w.edges.more {
			w.goOn()
		}
		v, _, _ := w.trail.At(w.trail.Head())
		return w.edges.read(w.r.View, v, x)
	}
	w.out, w.end = b, end
	w.edges.ids = w.trail.Ahead(w.edges.ids[:0])
	if err := w.r.View.Expand(w.edges.ids, x, w); !errors.Is(err, errEnough) {
		return err
	}
	return nil
}

// Take goes along the edges of the next place.
func (w *pathWalk) Take(_ int, e blueprints.Expanded) error {
	w.goOn()
	w.edges.buf, w.edges.pos = e.Edges, 0
	err := w.expand(w.out, w.end)
	w.edges.keep()
	if err == nil && w.out.Len() >= w.end {
		return errEnough
	}
	return err
}

// goOn makes the next place head.
func (w *pathWalk) goOn() {
	w.trail.Next()
	if w.trail.Head() == w.behind {
		w.behind = w.trail.Len()
		w.loops++
		w.passed = &traversal.Extra{Loops: w.frames.frame(w.start.Loops(), w.loops)}
	}
	w.from.X = nil
}

// expand goes from head along the edges that were read, until b is full.
func (w *pathWalk) expand(b *traversal.Batch, end int) error {
	e := &w.edges
	_, bulk, _ := w.trail.At(w.trail.Head())
	for e.pos < len(e.buf) && b.Len() < end {
		to := e.buf[e.pos].Other
		e.pos++
		if err := w.r.Poll(); err != nil {
			return err
		}
		w.at = traversal.Traverser{Value: value.VertexRef(uint64(to)), Bulk: bulk, X: w.passed}
		ok, err := w.passes(to)
		if err != nil {
			return err
		}
		if ok {
			if err := w.arrive(b, to); err != nil {
				return err
			}
		}
	}
	return nil
}

// passes applies the filters of the body to a vertex reached from head.
func (w *pathWalk) passes(to blueprints.VertexID) (bool, error) {
	for _, t := range w.tests {
		if t == nil {
			if w.been(to) {
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

// been reports whether the way to head, or the start's path before it, meets a vertex.
func (w *pathWalk) been(v blueprints.VertexID) bool {
	if w.trail.Been(v) {
		return true
	}
	for p := w.start.History(); p != nil; p = p.Parent {
		if value.Identical(p.Object, w.at.Value) {
			return true
		}
	}
	return false
}

// arrive lets what reached a vertex leave, or wait for its next pass.
func (w *pathWalk) arrive(b *traversal.Batch, to blueprints.VertexID) error {
	if w.until != nil {
		done, err := w.until(&w.at)
		if err != nil {
			return err
		}
		if done {
			b.Add(w.leave())
			return nil
		}
	}
	w.trail.Add(to)
	if w.emit == nil {
		return nil
	}
	ok, err := w.emit(&w.at)
	if ok {
		b.Add(w.leave())
	}
	return err
}

// leave makes a traverser of what reached a vertex.
func (w *pathWalk) leave() traversal.Traverser {
	if w.from.X == nil {
		x := *w.left
		head := w.trail.Head()
		_, bulk, _ := w.trail.At(head)
		x.Path = w.path(head)
		w.from = traversal.Traverser{Bulk: bulk, X: &x}
	}
	return w.r.Split(&w.from, w.at.Value)
}

// path returns the path to a place. A start in a test of another pathWalk has none.
func (w *pathWalk) path(i int) *traversal.PathNode {
	v, _, from := w.trail.At(i)
	if from < 0 {
		return w.start.History()
	}
	n := w.paths[i]
	if n == nil {
		n = w.path(from).Extend(value.VertexRef(uint64(v)), nil)
		if w.paths == nil {
			w.paths = map[int]*traversal.PathNode{}
		}
		w.paths[i] = n
	}
	return n
}

func (w *pathWalk) Reset() {
	w.forget()
	w.edges.piece = 0
	w.in.Reset()
}

// edgeReader reads the edges of a pathWalk's places: in growing pieces at first, so
// that a limit(1) behind a supernode stays cheap, then those of many vertices at once.
type edgeReader struct {
	buf   []blueprints.Adjacent
	pos   int
	more  bool // the vertex may have more edges behind buf
	piece int  // edges read last at once
	kept  []blueprints.Adjacent
	ids   []blueprints.VertexID
}

// pieceMax is from how many edges on vertices are read whole.
const pieceMax = 1024

func (e *edgeReader) few() bool { return e.piece < pieceMax }

func (e *edgeReader) forget() { e.buf, e.pos, e.more = nil, 0, false }

// read reads the first edges of a vertex, or those behind buf when it may have more.
func (e *edgeReader) read(v blueprints.View, id blueprints.VertexID, x blueprints.Expansion) error {
	e.piece = min(max(4*e.piece, hopPieceMin), hopKeepMax)
	x.Max = e.piece
	if e.more {
		x.After = e.buf[len(e.buf)-1]
	}
	e.buf, e.pos, e.more = nil, 0, false
	e.ids = append(e.ids[:0], id)
	return v.Expand(e.ids, x, e)
}

// Take keeps a piece.
func (e *edgeReader) Take(_ int, x blueprints.Expanded) error {
	e.kept = append(e.kept[:0], x.Edges...)
	e.buf, e.more = e.kept, len(x.Edges) >= e.piece
	return nil
}

// keep copies what is left of buf, which lasts no longer than a call: as much as is
// worth it, for the rest can be read again.
func (e *edgeReader) keep() {
	rest := e.buf[e.pos:]
	n := min(len(rest), hopKeepMax)
	e.kept = append(e.kept[:0], rest[:n]...)
	e.buf, e.pos, e.more = e.kept, 0, n < len(rest)
}
