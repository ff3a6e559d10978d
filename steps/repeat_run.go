package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/traversal"
)

const repeatDemandMax = 1 << 16 // traversers wanted from the body at once

// repeater is a running repeat().
type repeater struct {
	r           *traversal.Run
	l           *loop
	in          traversal.Input
	queue       traversal.TraverserSet // came back to be judged by until() or emit() first
	body        *traversal.Pipe
	until, emit traversal.Predicate
	barrier     bool // all traversers go in before anything comes out
	wide        bool // many may go in at once: only the last pass gives results
	running     bool // the body may still give something
	out         traversal.Batch
	pos         int
	results     traversal.Batch
	cur         traversal.Traverser // the one that is judged
	frames      frames
	waiting     queued
}

func openRepeat(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	l := n.Data.(*loop)
	s := &repeater{r: r, l: l, in: r.Input(up), queue: r.NewSet(), barrier: step.HasBarrier(l.body, true)}
	s.frames.owner, s.frames.name = s, l.name
	s.wide = l.until != nil && l.until.byTime && !l.untilFirst && l.emit == nil
	var err error
	if s.body, err = r.OpenChild(l.body); err != nil {
		return nil, err
	}
	if s.until, err = l.until.open(r); err != nil {
		return nil, err
	}
	s.emit, err = l.emit.open(r)
	return s, err
}

// open makes a condition's test; nil when there is none.
func (c *condition) open(r *traversal.Run) (traversal.Predicate, error) {
	switch {
	case c == nil:
		return nil, nil
	case c.always:
		return func(*traversal.Traverser) (bool, error) { return true, nil }, nil
	case c.byTime:
		return func(t *traversal.Traverser) (bool, error) { return int64(t.Loops().Count) >= c.times, nil }, nil
	case c.on != nil:
		return r.ChildTest(c.on)
	}
	return filterTest(&traversal.Node{Spec: &filterSpec, Args: []traversal.Arg{traversal.Const(c.lambda)}}, r)
}

func (s *repeater) Next(b *traversal.Batch, max int) error {
	want := max
	for {
		if s.pos < s.out.Len() {
			n := min(max, s.out.Len()-s.pos)
			b.AppendFrom(&s.out, s.pos, s.pos+n)
			s.pos += n
			return nil
		}
		s.out.Clear()
		s.pos = 0
		if s.running {
			if err := s.drain(s.r.Demand(want)); err != nil {
				return err
			}
			want = min(want*4, repeatDemandMax) // nothing came out: ask for more
			continue
		}
		more, err := s.feed(want)
		if err != nil || !more && s.pos >= s.out.Len() {
			return err
		}
	}
}

// drain takes some traversers that finished a pass.
func (s *repeater) drain(want int) error {
	s.results.Clear()
	err := s.body.Next(&s.results, want)
	for i := range s.results.Len() {
		if perr := s.r.Poll(); perr != nil {
			return perr
		}
		s.cur = s.results.At(i)
		if perr := s.passed(&s.cur); perr != nil {
			return perr
		}
	}
	s.running = s.results.Len() > 0
	if cerr := s.waiting.charge(s.r, s.body.Len()+s.queue.Len()); cerr != nil {
		return cerr
	}
	return err
}

// passed judges a traverser at the end of a pass.
func (s *repeater) passed(t *traversal.Traverser) error {
	*t = s.frames.next(t)
	if s.until != nil && !s.l.untilFirst {
		done, err := s.until(t)
		if err != nil {
			return err
		}
		if done {
			s.out.Add(s.frames.leave(t))
			return nil
		}
	}
	if s.l.untilFirst || s.l.emitFirst {
		s.queue.Add(*t)
	} else {
		s.body.Add(*t)
	}
	return s.emitIf(t, false)
}

// emitIf makes a copy of t a result if emit() stands at this place and says so.
func (s *repeater) emitIf(t *traversal.Traverser, first bool) error {
	if s.emit == nil || s.l.emitFirst != first {
		return nil
	}
	ok, err := s.emit(t)
	if ok {
		s.out.Add(s.frames.leave(t))
	}
	return err
}

// feed lets traversers into the body: one, or all of them before a barrier; false when
// there are none.
func (s *repeater) feed(want int) (bool, error) {
	some := false
	for {
		t, ok, err := s.take(want)
		if err != nil {
			return false, err
		}
		if !ok {
			return some, nil
		}
		if err := s.r.Poll(); err != nil {
			return false, err
		}
		some = true
		if err := s.enter(&t); err != nil {
			return false, err
		}
		if !s.barrier && (!s.wide || s.in.Buffered() == 0) {
			return true, nil
		}
	}
}

// take returns the next traverser to enter: those that came back before new ones.
func (s *repeater) take(want int) (traversal.Traverser, bool, error) {
	if s.queue.Len() > 0 {
		s.results.Clear()
		s.queue.Pop(&s.results, 1)
		return s.results.At(0), true, s.queue.Err()
	}
	return s.in.Take(s.r.Demand(want))
}

// enter judges a traverser before a pass.
func (s *repeater) enter(t *traversal.Traverser) error {
	*t = s.frames.enter(t)
	if s.until != nil && s.l.untilFirst {
		done, err := s.until(t)
		if err != nil {
			return err
		}
		if done {
			s.out.Add(s.frames.leave(t))
			return nil
		}
	}
	s.body.Add(*t)
	s.running = true
	return s.emitIf(t, true)
}

func (s *repeater) Reset() {
	s.queue.Clear()
	s.body.Reset()
	s.out.Clear()
	s.pos, s.running = 0, false
	s.in.Reset()
}
