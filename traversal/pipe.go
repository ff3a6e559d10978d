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

// ChildFunc returns a child plan as a function of a traverser: its first result.
func (r *Run) ChildFunc(p *Plan) (Func, error) {
	switch {
	case len(p.Nodes) == 0:
		return identity, nil
	case p.Function:
		return r.composed(p)
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

// Composes reports whether the steps of a plan are functions that may be called one after
// the other: each gives one result for one traverser where the next would see another.
func (p *Plan) Composes() bool {
	for i, n := range p.Nodes {
		kind, more := n.Spec.Kind, i+1 < len(p.Nodes)
		switch {
		case n.Spec.Test == nil && n.Spec.Direct == nil, len(n.Labels) > 0, kind == FlatMapStep && more,
			i > 0 && kind != FlatMapStep && kind != MapStep && kind != FilterStep:
			return false
		}
	}
	return len(p.Nodes) > 0
}

// composed chains the functions of a plan's steps.
func (r *Run) composed(p *Plan) (Func, error) {
	fs := make([]Func, len(p.Nodes))
	for i, n := range p.Nodes {
		var err error
		if fs[i], err = n.function(r); err != nil {
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

// function returns the step as a function: a test gives the object.
func (n *Node) function(r *Run) (Func, error) {
	if n.Spec.Test == nil {
		return n.Spec.Direct(n, r)
	}
	passes, err := n.Spec.Test(n, r)
	if err != nil {
		return nil, err
	}
	return func(t *Traverser) (value.Value, bool, error) {
		ok, err := passes(t)
		return t.Value, ok, err
	}, nil
}

// ChildTest returns a child plan as a predicate: whether it has a result. A test that is
// the whole plan is one.
func (r *Run) ChildTest(p *Plan) (Predicate, error) {
	if p.Function && len(p.Nodes) == 1 && p.Nodes[0].Spec.Test != nil {
		return p.Nodes[0].Spec.Test(p.Nodes[0], r)
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
