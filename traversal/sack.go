package traversal

import "github.com/gremlind/gremlind/storage/value"

// openSack prepares what withSack() asks of moving traversers.
func (r *Run) openSack() error {
	s := r.Plan.Options.Sack
	r.hasSack = s != nil
	if s == nil || s.Split.IsNull() {
		return nil
	}
	c, err := r.compileClosure(s.Split)
	if err != nil {
		return err
	}
	r.splitSack = func(v value.Value) (value.Value, error) { return c.Call(r.Ctx, v) }
	return nil
}

// splitWithSack is Split under a split operator. Split cannot fail: an error is kept
// and ends the run at its next result.
func (r *Run) splitWithSack(t *Traverser, v value.Value) Traverser {
	moved := r.split(t, v)
	if t.Sack().IsNull() { // from the start of the traversal, see Origin
		return moved.WithSack(r.initialSack())
	}
	sack, err := r.splitSack(t.Sack())
	if err != nil {
		if r.failed == nil {
			r.failed = err
		}
		return moved
	}
	return moved.WithSack(sack)
}

// Origin makes the traverser without a past that a start step replaces: the path begins
// with what the step makes of it, and the first sack is the initial one, not split.
func (r *Run) Origin(v value.Value) Traverser {
	t := NewTraverser(v)
	if r.hasSack {
		t.X = &Extra{}
		if r.splitSack == nil {
			t.X.Sack = r.initialSack()
		}
	}
	return t
}

// Copy is t as it goes on inside a child, which a split operator takes for a move.
func (r *Run) Copy(t *Traverser) Traverser {
	if r.splitSack == nil {
		return *t
	}
	sack, err := r.splitSack(t.Sack())
	if err != nil && r.failed == nil {
		r.failed = err
	}
	return t.WithSack(sack)
}
