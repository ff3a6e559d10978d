package steps

import (
	"github.com/gremlind/gremlind/traversal"
)

// expand runs a child on each traverser, afresh every time, and gives what comes out:
// the common frame of local(), flatMap(), optional() and coalesce().
type expand struct {
	r  *traversal.Run
	in traversal.Input
	// open starts a child on cur and returns its pipe, nil for no results.
	open func(cur *traversal.Traverser) (*traversal.Pipe, error)
	// emit makes the step's result of a child's result.
	emit func(cur, out *traversal.Traverser) traversal.Traverser

	// idle, when not nil, is a pipe that is asked once before any traverser came.
	idle *traversal.Pipe

	cur  traversal.Traverser
	out  traversal.Traverser // of the child
	pipe *traversal.Pipe
	used bool // something was asked for since the last Reset
}

func (s *expand) Next(b *traversal.Batch, max int) error {
	if !s.used {
		s.used, s.pipe = true, s.idle
	}
	for from := b.Len(); b.Len()-from < max; {
		got := b.Len() - from
		if s.pipe == nil {
			if got > 0 && s.in.Buffered() == 0 {
				return nil
			}
			ok, err := s.begin(max - got)
			if !ok || err != nil {
				return err
			}
			continue
		}
		at := b.Len()
		err := s.pipe.Next(b, s.r.Demand(max-got))
		for i := at; i < b.Len(); i++ {
			s.out = b.At(i)
			b.Set(i, s.emit(&s.cur, &s.out))
		}
		if err != nil {
			return err
		}
		if b.Len() == at {
			s.pipe = nil
		}
	}
	return nil
}

// begin takes the next traverser; false at the end.
func (s *expand) begin(want int) (bool, error) {
	t, ok, err := s.in.Take(s.r.Demand(want))
	if !ok || err != nil {
		return false, err
	}
	if err := s.r.Poll(); err != nil {
		return false, err
	}
	s.cur = t
	s.pipe, err = s.open(&s.cur)
	return true, err
}

func (s *expand) Reset() {
	s.pipe, s.used = nil, false
	if s.idle != nil {
		s.idle.Reset()
	}
	s.in.Reset()
}

// splitFrom makes a result that continues the history of the traverser that entered
// the child, not of the one that left it: what flatMap() and coalesce() do.
func splitFrom(r *traversal.Run) func(cur, out *traversal.Traverser) traversal.Traverser {
	return func(cur, out *traversal.Traverser) traversal.Traverser {
		t := r.Split(cur, out.Value)
		t.Bulk = cur.Bulk * out.Bulk
		return t
	}
}

// global marks plans as branches: see traversal.Plan.Global.
func global(plans ...*traversal.Plan) {
	for _, p := range plans {
		p.Global = true
	}
}

// queued charges a budget for the paths of traversers that wait, once for each more than
// there ever were at a time.
type queued struct{ most int }

// pathBytes is what a budget is charged for a waiting traverser's newest path object.
const pathBytes = 120

func (q *queued) charge(r *traversal.Run, n int) error {
	if n <= q.most || !r.TracksPath() {
		return nil
	}
	more := n - q.most
	q.most = n
	return r.Charge(more * pathBytes)
}
