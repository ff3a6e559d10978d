package traversal

import "github.com/gremlind/gremlind/storage/value"

// Pipe is a child traversal that runs: starts go in with Add, results come out of
// Next. Its state lasts until Reset.
type Pipe struct {
	r      *Run
	starts starts
	tail   Source
	out    Batch
	ahead  Batch // what HasNext looked at
	err    error // found behind the traverser that HasNext or One returned
}

// starts is the head of a Pipe: a queue that merges equal traversers.
type starts struct {
	set TraverserSet
}

func (s *starts) Next(b *Batch, max int) error {
	if err := s.set.Err(); err != nil {
		return err
	}
	s.set.Pop(b, max)
	return nil
}

func (s *starts) Reset() { s.set.Clear() }

// OpenChild builds the running steps of a child plan.
func (r *Run) OpenChild(p *Plan) (*Pipe, error) {
	pipe := &Pipe{r: r}
	pipe.starts.set = r.NewSet()
	tail, err := r.openNodes(p.Nodes, &pipe.starts, true)
	if err != nil {
		return nil, err
	}
	pipe.tail = tail
	return pipe, nil
}

// Add queues a start.
func (p *Pipe) Add(t Traverser) { p.starts.set.Add(t) }

// Len returns the number of distinct starts that wait.
func (p *Pipe) Len() int { return p.starts.set.Len() }

// Next appends up to max results to b; none means that all starts are used up.
func (p *Pipe) Next(b *Batch, max int) error {
	if p.ahead.Len() > 0 {
		b.Add(p.ahead.At(0))
		p.ahead.Clear()
		return nil
	}
	if p.err != nil {
		err := p.err
		p.err = nil
		return err
	}
	return p.tail.Next(b, max)
}

// HasNext reports whether there is another result, which Next will give first.
func (p *Pipe) HasNext() (bool, error) {
	if p.ahead.Len() > 0 {
		return true, nil
	}
	err := p.Next(&p.ahead, 1)
	if p.ahead.Len() > 0 {
		p.err = err
		return true, nil
	}
	return false, err
}

// Reset forgets starts and the state of the steps.
func (p *Pipe) Reset() {
	p.tail.Reset()
	p.starts.Reset()
	p.ahead.Clear()
	p.err = nil
}

// One resets the pipe, runs it on t with bulk 1, and returns its first result.
func (p *Pipe) One(t *Traverser) (Traverser, bool, error) {
	p.Reset()
	p.starts.set.Append(t.WithBulk(1))
	return p.take()
}

func (p *Pipe) take() (Traverser, bool, error) {
	p.out.Clear()
	err := p.Next(&p.out, 1)
	if p.out.Len() > 0 {
		p.err = err
		return p.out.At(0), true, nil
	}
	return Traverser{}, false, err
}

// Take returns the next result; false at the end.
func (p *Pipe) Take() (Traverser, bool, error) { return p.take() }

// Has resets the pipe, runs it on t, and reports whether it has a result.
func (p *Pipe) Has(t *Traverser) (bool, error) {
	_, ok, err := p.One(t)
	return ok, err
}

// All resets the pipe, runs it on t with bulk 1 and calls fn for every result.
func (p *Pipe) All(t *Traverser, fn func(*Traverser) error) error {
	p.Reset()
	p.starts.set.Append(t.WithBulk(1))
	return p.Drain(fn)
}

// Drain calls fn for every result that the starts still give.
func (p *Pipe) Drain(fn func(*Traverser) error) error {
	var b Batch
	var t Traverser
	want := p.r.Demand(64)
	for {
		b.Clear()
		err := p.Next(&b, want)
		for i := range b.Len() {
			t = b.At(i)
			if ferr := fn(&t); ferr != nil {
				return ferr
			}
		}
		if err != nil || b.Len() == 0 {
			return err
		}
	}
}

// ChildFunc returns a child plan as a function of a traverser: its first result. The
// common children (by("name"), out().count()) become direct calls without a Pipe.
func (r *Run) ChildFunc(p *Plan) (Func, error) {
	if len(p.Nodes) == 0 {
		return func(t *Traverser) (value.Value, bool, error) { return t.Value, true, nil }, nil
	}
	if f, err := r.direct(p); f != nil || err != nil {
		return f, err
	}
	pipe, err := r.OpenChild(p)
	if err != nil {
		return nil, err
	}
	return func(t *Traverser) (value.Value, bool, error) {
		u, ok, err := pipe.One(t)
		return u.Value, ok, err
	}, nil
}

// direct chains the functions of a plan's steps; nil when one of them is none, or gives
// more or less than one result for one traverser where the next would see that.
//
// Tolerates: unproductive steps, behind which nothing runs; side effects and effects of its
// steps, which see the traverser as in a pipe. Not labels within, profile(), or a split
// operator of a sack over several steps.
func (r *Run) direct(p *Plan) (Func, error) {
	if r.Profile != nil || len(p.Nodes) > 1 && r.splitSack != nil {
		return nil, nil
	}
	fs := make([]Func, len(p.Nodes))
	for i, n := range p.Nodes {
		switch kind := n.Spec.Kind; {
		case len(n.Labels) > 0, kind == FlatMapStep && i+1 < len(p.Nodes), i > 0 && kind != FlatMapStep && kind != MapStep && kind != FilterStep:
			return nil, nil
		}
		var err error
		if fs[i], err = n.direct(r); fs[i] == nil || err != nil {
			return nil, err
		}
	}
	if len(fs) == 1 {
		return fs[0], nil
	}
	return func(t *Traverser) (v value.Value, ok bool, err error) {
		was := t.Value
		for _, f := range fs {
			if v, ok, err = f(t); !ok || err != nil {
				break
			}
			t.Value = v
		}
		t.Value = was
		return v, ok, err
	}, nil
}

// direct returns the step as a function, nil when it is none; a test gives the object.
func (n *Node) direct(r *Run) (Func, error) {
	switch {
	case n.Spec.Test != nil:
		passes, err := n.Spec.Test(n, r)
		if err != nil {
			return nil, err
		}
		return func(t *Traverser) (value.Value, bool, error) {
			ok, err := passes(t)
			return t.Value, ok, err
		}, nil
	case n.Spec.Direct != nil:
		return n.Spec.Direct(n, r)
	}
	return nil, nil
}

// ChildTest returns a child plan as a predicate: whether it has a result.
func (r *Run) ChildTest(p *Plan) (Predicate, error) {
	if len(p.Nodes) == 1 && r.Profile == nil {
		if n := p.Nodes[0]; n.Spec.Test != nil && len(n.Labels) == 0 {
			return n.Spec.Test(n, r)
		}
	}
	f, err := r.ChildFunc(p)
	if err != nil {
		return nil, err
	}
	return func(t *Traverser) (bool, error) {
		_, ok, err := f(t)
		return ok, err
	}, nil
}
