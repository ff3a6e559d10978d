package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// brancher sends each traverser into some of its branches and gives what comes out,
// branch after branch. The branches are global: their steps keep their state from one
// traverser to the next. If any has a barrier, all traversers go in before anything
// comes out.
type brancher struct {
	r        *traversal.Run
	in       traversal.Input
	branches []*branch
	// pick puts a traverser into branches.
	pick    func(t *traversal.Traverser) error
	barrier bool // a branch has one
	current int  // the branch that is being drained
	waiting queued
}

// branch is one child with what it was fed.
type branch struct {
	*traversal.Pipe
	r   *traversal.Run
	fed bool
}

func (b *branch) send(t *traversal.Traverser) {
	b.Add(b.r.Copy(t))
	b.fed = true
}

// openBranches opens the plans as branches.
func openBranches(r *traversal.Run, plans []*traversal.Plan) ([]*branch, bool, error) {
	branches := make([]*branch, len(plans))
	barrier := false
	for i, p := range plans {
		pipe, err := r.OpenChild(p)
		if err != nil {
			return nil, false, err
		}
		branches[i] = &branch{Pipe: pipe, r: r}
		barrier = barrier || step.HasBarrier(p, false)
	}
	return branches, barrier, nil
}

func (s *brancher) Next(b *traversal.Batch, max int) error {
	from := b.Len()
	for b.Len()-from < max {
		for ; s.current < len(s.branches); s.current++ {
			br := s.branches[s.current]
			if !br.fed {
				continue
			}
			at := b.Len()
			err := br.Next(b, s.r.Demand(max-(at-from)))
			if err != nil {
				return err
			}
			if b.Len() > at {
				break
			}
			br.fed = false
		}
		if s.current < len(s.branches) {
			continue
		}
		if b.Len() > from && s.in.Buffered() == 0 {
			return nil
		}
		more, err := s.feed(max - (b.Len() - from))
		if err != nil || !more {
			return err
		}
		s.current = 0
	}
	return nil
}

// feed lets the next traverser in, or all of them before a barrier; false at the end.
func (s *brancher) feed(want int) (bool, error) {
	fed := false
	for !fed || s.barrier {
		t, ok, err := s.in.Take(s.r.Demand(want))
		if err != nil {
			return false, err
		}
		if !ok {
			break
		}
		if err := s.r.Poll(); err != nil {
			return false, err
		}
		fed = true
		if err := s.pick(&t); err != nil {
			return false, err
		}
		if s.barrier {
			n := 0
			for _, br := range s.branches {
				n += br.Len()
			}
			if err := s.waiting.charge(s.r, n); err != nil {
				return false, err
			}
		}
	}
	return fed, nil
}

func (s *brancher) Reset() {
	for _, br := range s.branches {
		br.Reset()
		br.fed = false
	}
	s.current = 0
	s.in.Reset()
}

// options is the Data of choose() and branch(): what decides, and where to.
type options struct {
	on  traversal.Arg // a traversal, a closure or a T
	has bool          // the choice is whether `on` has a result
	// object is set when a closure sees the object rather than the traverser.
	object bool
	list   []option // in the order given
	picks  map[string][]*traversal.Plan
}

// option is one option(token, traversal) whose token is not a Pick.
type option struct {
	p    *traversal.P    // a literal becomes P.eq
	test *traversal.Plan // or a traversal that decides, nil otherwise
	then *traversal.Plan
}

// add takes one option() modulator.
func (o *options) add(args []traversal.Arg) error {
	token, then := traversal.Const(value.Enum(value.KindPick, "any")), traversal.Arg{}
	switch len(args) {
	case 1:
		then = args[0]
	case 2:
		token, then = args[0], args[1]
	default:
		return fmt.Errorf("option() takes a token and a traversal")
	}
	if then.Child == nil {
		return fmt.Errorf("option() takes a traversal, not %s", then.Value.Brief())
	}
	global(then.Child)
	switch {
	case token.Child != nil:
		o.list = append(o.list, option{test: token.Child, then: then.Child})
	case token.Value.Kind() == value.KindPick:
		name := token.Value.Str()
		o.picks[name] = append(o.picks[name], then.Child)
	default:
		o.list = append(o.list, option{p: step.Predicate(token.Value), then: then.Child})
	}
	return nil
}
