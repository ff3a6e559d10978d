package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
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

// start resets a pipe and feeds it t with the given bulk.
func start(p *traversal.Pipe, t *traversal.Traverser, bulk int64) *traversal.Pipe {
	p.Reset()
	p.Add(t.WithBulk(bulk))
	return p
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

// openChildren opens a pipe for every child argument of n.
func openChildren(n *traversal.Node, r *traversal.Run) ([]*traversal.Pipe, error) {
	var pipes []*traversal.Pipe
	for _, a := range n.Args {
		if a.Child == nil {
			continue
		}
		p, err := r.OpenChild(a.Child)
		if err != nil {
			return nil, err
		}
		pipes = append(pipes, p)
	}
	return pipes, nil
}

// prepareChildren checks that all arguments are traversals, at least min of them.
func prepareChildren(min, max int) func(n *traversal.Node) error {
	return func(n *traversal.Node) error {
		if len(n.Args) < min || max >= 0 && len(n.Args) > max {
			return fmt.Errorf("%s() does not take %d arguments", n.Name(), len(n.Args))
		}
		for _, a := range n.Args {
			if a.Child == nil {
				return fmt.Errorf("%s() takes traversals, not %s", n.Name(), a.Value.Brief())
			}
		}
		return nil
	}
}

// global marks plans as branches: see traversal.Plan.Global.
func global(plans ...*traversal.Plan) {
	for _, p := range plans {
		p.Global = true
	}
}

// queued charges a budget for traversers that wait, once for each more than there ever
// were at a time.
type queued struct{ most int }

// pathBytes is what a budget is charged for a waiting traverser's newest path object.
const pathBytes = 120

func (q *queued) charge(r *traversal.Run, n int) error {
	if n <= q.most {
		return nil
	}
	bytes := traverserBytes
	if r.TracksPath() {
		bytes += pathBytes
	}
	more := n - q.most
	q.most = n
	return r.Charge(more * bytes)
}

// isLambda reports whether an argument is a closure.
func isLambda(v value.Value) bool {
	return v.Kind() == value.KindLambda || v.Kind() == value.KindForeign
}

// lazyBarrierMax is the size that LazyBarrierStrategy gives the barriers it inserts.
const lazyBarrierMax = 2500

// hasBarrier reports whether a step of p, or of a traversal below it, gathers
// traversers before it gives any. Barriers inserted by a strategy count when lazy is
// set.
func hasBarrier(p *traversal.Plan, lazy bool) bool {
	found := false
	p.Walk(func(n *traversal.Node) {
		found = found || isBarrier(n) && (lazy || !isLazyBarrier(n))
	})
	return found
}

func isLazyBarrier(n *traversal.Node) bool {
	return n.Name() == "barrier" && len(n.Args) == 1 && n.Args[0].Value.Int64() == lazyBarrierMax
}

// isBarrier knows the steps that TinkerPop marks as Barrier.
func isBarrier(n *traversal.Node) bool {
	for _, a := range n.Args {
		if a.Value.Kind() == value.KindScope && a.Value.Str() == "local" {
			return false
		}
	}
	switch n.Name() {
	case "aggregate", "barrier", "cap", "count", "dedup", "fold", "group", "groupCount", "limit", "max", "mean", "min",
		"order", "range", "sample", "skip", "subgraph", "sum", "tail", "tree":
		return true
	}
	return n.Spec.Kind == traversal.BarrierStep || n.Spec.Kind == traversal.ReduceStep
}

// isLocalBarrier knows the barriers that let their input through: TinkerPop's
// LocalBarrier.
func isLocalBarrier(n *traversal.Node) bool {
	switch n.Name() {
	case "aggregate", "barrier", "subgraph":
		return len(n.Args) == 0 || n.Args[0].Value.Kind() != value.KindBarrier && !isLambda(n.Args[0].Value)
	case "group", "groupCount", "tree":
		return len(n.Args) > 0
	}
	return false
}
