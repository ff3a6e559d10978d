package steps

import "github.com/gremlind/gremlind/traversal"

// frames makes the loop counters of one repeat(). Traversers of the same pass share
// one counter, and one Extra when they carry nothing else, so that counting passes
// costs no memory per traverser.
type frames struct {
	owner any
	name  string
	// shared holds, for traversers outside any other repeat() and without path or
	// sack, what they carry after so many passes.
	shared []*traversal.Extra
	parent *traversal.LoopFrame // of nested
	nested []*traversal.LoopFrame
}

const framesMax = 1024 // passes whose counters are kept; later ones are made anew

// enter gives t a counter, unless it came back with one.
func (f *frames) enter(t *traversal.Traverser) traversal.Traverser {
	if l := t.Loops(); l != nil && l.Owner == f.owner {
		return *t
	}
	return f.with(t, t.Loops(), 0)
}

// next counts a pass. Behind a step that began a new history the counter starts again.
func (f *frames) next(t *traversal.Traverser) traversal.Traverser {
	l := t.Loops()
	if l == nil || l.Owner != f.owner {
		return f.with(t, l, 1)
	}
	return f.with(t, l.Parent, l.Count+1)
}

// leave takes the counter off.
func (f *frames) leave(t *traversal.Traverser) traversal.Traverser {
	l := t.Loops()
	if l == nil || l.Owner != f.owner {
		return *t
	}
	if t.X.Path == nil && t.X.Sack.IsNull() && l.Parent == nil {
		return traversal.Traverser{Value: t.Value, Bulk: t.Bulk}
	}
	return t.WithLoops(l.Parent)
}

func (f *frames) with(t *traversal.Traverser, parent *traversal.LoopFrame, count int) traversal.Traverser {
	if parent == nil && (t.X == nil || t.X.Path == nil && t.X.Sack.IsNull()) {
		return traversal.Traverser{Value: t.Value, Bulk: t.Bulk, X: f.bare(count)}
	}
	return t.WithLoops(f.frame(parent, count))
}

func (f *frames) frame(parent *traversal.LoopFrame, count int) *traversal.LoopFrame {
	if parent == nil {
		return f.bare(count).Loops
	}
	if f.parent != parent {
		f.parent, f.nested = parent, f.nested[:0]
	}
	for len(f.nested) <= count && len(f.nested) < framesMax {
		f.nested = append(f.nested, f.fresh(parent, len(f.nested)))
	}
	if count < len(f.nested) {
		return f.nested[count]
	}
	return f.fresh(parent, count)
}

func (f *frames) bare(count int) *traversal.Extra {
	for len(f.shared) <= count && len(f.shared) < framesMax {
		f.shared = append(f.shared, &traversal.Extra{Loops: f.fresh(nil, len(f.shared))})
	}
	if count < len(f.shared) {
		return f.shared[count]
	}
	return &traversal.Extra{Loops: f.fresh(nil, count)}
}

func (f *frames) fresh(parent *traversal.LoopFrame, count int) *traversal.LoopFrame {
	return &traversal.LoopFrame{Parent: parent, Name: f.name, Count: count, Owner: f.owner}
}
