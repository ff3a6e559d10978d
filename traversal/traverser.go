package traversal

import "github.com/gremlind/gremlind/storage/value"

// Traverser is one walker: where it is, how many equal walkers it stands for, and,
// behind one pointer, what only some plans need. It is passed by value; an Extra is
// immutable and shared, so copying a Traverser is always safe.
type Traverser struct {
	value.Value
	Bulk int64
	X    *Extra
}

// Extra is the rare part of a traverser. It is never changed in place: With*
// methods copy it.
type Extra struct {
	Path  *PathNode
	Loops *LoopFrame
	Sack  value.Value
}

// PathNode is one step of a path, newest first. Paths share their prefixes.
type PathNode struct {
	Parent *PathNode
	Object value.Value
	Labels []string
}

// LoopFrame counts the passes of one repeat(); nested repeats stack.
type LoopFrame struct {
	Parent *LoopFrame
	Name   string // as given to repeat(name, ...), or ""
	Count  int
	Owner  any // the running step that pushed the frame
}

// NewTraverser returns a walker at v with bulk 1.
func NewTraverser(v value.Value) Traverser { return Traverser{Value: v, Bulk: 1} }

// extra returns a copy of t's rare part to be changed.
func (t *Traverser) extra() *Extra {
	if t.X == nil {
		return &Extra{}
	}
	x := *t.X
	return &x
}

// At returns t moved to v, with path and all else unchanged: what a step uses that
// replaces the object without making history. Most steps want Run.Split.
func (t *Traverser) At(v value.Value) Traverser { return Traverser{Value: v, Bulk: t.Bulk, X: t.X} }

// WithBulk returns t standing for n equal traversers.
func (t *Traverser) WithBulk(n int64) Traverser { return Traverser{Value: t.Value, Bulk: n, X: t.X} }

// History returns the newest node of the path, nil when none is tracked.
func (t *Traverser) History() *PathNode {
	if t.X == nil {
		return nil
	}
	return t.X.Path
}

// WithPath returns t with another path.
func (t *Traverser) WithPath(p *PathNode) Traverser {
	x := t.extra()
	x.Path = p
	return Traverser{Value: t.Value, Bulk: t.Bulk, X: x}
}

// Sack returns the traverser's sack, Null when it has none.
func (t *Traverser) Sack() value.Value {
	if t.X == nil {
		return value.Null
	}
	return t.X.Sack
}

// WithSack returns t with another sack.
func (t *Traverser) WithSack(s value.Value) Traverser {
	x := t.extra()
	x.Sack = s
	return Traverser{Value: t.Value, Bulk: t.Bulk, X: x}
}

// Loops returns the innermost frame, nil outside any repeat().
func (t *Traverser) Loops() *LoopFrame {
	if t.X == nil {
		return nil
	}
	return t.X.Loops
}

// WithLoops returns t with another innermost frame.
func (t *Traverser) WithLoops(f *LoopFrame) Traverser {
	if f == t.Loops() {
		return *t
	}
	x := t.extra()
	x.Loops = f
	return Traverser{Value: t.Value, Bulk: t.Bulk, X: x}
}

// step is an Extra with the newest node of its path: one allocation for both.
type step struct {
	extra Extra
	node  PathNode
}

// steps hands out steps, a few to an allocation: what remains in use keeps no more
// than a few others.
type steps struct{ free []step }

func (p *steps) next() *step {
	if len(p.free) == 0 {
		p.free = make([]step, stepsAtOnce)
	}
	s := &p.free[0]
	p.free = p.free[1:]
	return s
}

const stepsAtOnce = 16

// extend returns t at v with a path that continues t's by an object.
func (t *Traverser) extend(v, object value.Value, labels []string) Traverser {
	return t.extendBy(&step{}, v, object, labels)
}

func (t *Traverser) extendBy(s *step, v, object value.Value, labels []string) Traverser {
	s.node = PathNode{Object: object, Labels: labels}
	if t.X != nil {
		s.extra = *t.X
		s.node.Parent = t.X.Path
	}
	s.extra.Path = &s.node
	return Traverser{Value: v, Bulk: t.Bulk, X: &s.extra}
}

// Extend returns the path that continues p with an object.
func (p *PathNode) Extend(v value.Value, labels []string) *PathNode {
	return &PathNode{Parent: p, Object: v, Labels: labels}
}

// AddLabels returns p with more labels on its newest object.
func (p *PathNode) AddLabels(labels []string) *PathNode {
	merged := make([]string, 0, len(p.Labels)+len(labels))
	merged = append(merged, p.Labels...)
	own := namesOf(p.Labels)
	for _, l := range labels {
		if !own.has(l) {
			merged = append(merged, l)
		}
	}
	return &PathNode{Parent: p.Parent, Object: p.Object, Labels: merged}
}

// Has reports whether this node, not its ancestors, carries the label.
func (p *PathNode) Has(label string) bool {
	for _, l := range p.Labels {
		if l == label {
			return true
		}
	}
	return false
}

// retain returns the path with only the given labels and without the objects that lose
// all of theirs; p itself when nothing changes.
func (p *PathNode) retain(labels names) *PathNode {
	if p == nil {
		return nil
	}
	parent := p.Parent.retain(labels)
	kept := 0
	for _, l := range p.Labels {
		if labels.has(l) {
			kept++
		}
	}
	switch {
	case kept == 0:
		return parent
	case kept == len(p.Labels) && parent == p.Parent:
		return p
	}
	n := &PathNode{Parent: parent, Object: p.Object, Labels: p.Labels}
	if kept < len(p.Labels) {
		n.Labels = make([]string, 0, kept)
		for _, l := range p.Labels {
			if labels.has(l) {
				n.Labels = append(n.Labels, l)
			}
		}
	}
	return n
}

// Len returns the number of objects of the path.
func (p *PathNode) Len() int {
	n := 0
	for ; p != nil; p = p.Parent {
		n++
	}
	return n
}

// Last returns the newest object with the label.
func (p *PathNode) Last(label string) (value.Value, bool) {
	for ; p != nil; p = p.Parent {
		if p.Has(label) {
			return p.Object, true
		}
	}
	return value.Null, false
}

// First returns the oldest object with the label.
func (p *PathNode) First(label string) (value.Value, bool) {
	var v value.Value
	found := false
	for ; p != nil; p = p.Parent {
		if p.Has(label) {
			v, found = p.Object, true
		}
	}
	return v, found
}

// All returns the objects with the label, oldest first.
func (p *PathNode) All(label string) []value.Value {
	var vs []value.Value
	for ; p != nil; p = p.Parent {
		if p.Has(label) {
			vs = append(vs, p.Object)
		}
	}
	for i, j := 0, len(vs)-1; i < j; i, j = i+1, j-1 {
		vs[i], vs[j] = vs[j], vs[i]
	}
	return vs
}

// PathValue returns the path as a value, oldest first.
func (p *PathNode) PathValue() *value.Path {
	n := p.Len()
	path := newPath(n)
	for ; p != nil; p = p.Parent {
		n--
		path.Labels[n], path.Objects[n] = p.Labels, p.Object
	}
	return path
}

// shortPath is a path of few objects in one piece.
type shortPath struct {
	path    value.Path
	labels  [4][]string
	objects [4]value.Value
}

func newPath(n int) *value.Path {
	if n > len(shortPath{}.objects) {
		return &value.Path{Labels: make([][]string, n), Objects: make([]value.Value, n)}
	}
	p := &shortPath{}
	p.path.Labels, p.path.Objects = p.labels[:n:n], p.objects[:n:n]
	return &p.path
}

// equal reports whether two paths have identical objects and labels.
func (p *PathNode) equal(q *PathNode) bool {
	for p != q {
		if p == nil || q == nil || len(p.Labels) != len(q.Labels) || !value.Identical(p.Object, q.Object) {
			return false
		}
		if !sameLabels(p.Labels, q.Labels) {
			return false
		}
		p, q = p.Parent, q.Parent
	}
	return true
}

// Mergeable reports whether t and u may become one traverser with their bulks added:
// same object, path, loops and sack.
func (t *Traverser) Mergeable(u *Traverser) bool {
	if !value.Identical(t.Value, u.Value) {
		return false
	}
	if t.X == u.X {
		return true
	}
	return t.mergeableBut(u) && value.Identical(t.Sack(), u.Sack())
}

// mergeableBut is Mergeable for equal objects, whatever their sacks.
func (t *Traverser) mergeableBut(u *Traverser) bool {
	return t.History().equal(u.History()) && t.Loops().equal(u.Loops())
}

func (f *LoopFrame) equal(g *LoopFrame) bool {
	for f != g {
		if f == nil || g == nil || f.Count != g.Count || f.Name != g.Name || f.Owner != g.Owner {
			return false
		}
		f, g = f.Parent, g.Parent
	}
	return true
}
