package steps

import (
	"fmt"
	"math"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// barrier() gathers traversers, merges equal ones into bulk, and gives them on in the
// order in which they first came.
//
//	barrier()          all of them
//	barrier(100)       in portions of at least 100
//	barrier(normSack)  all, with their sacks divided by the sum of all sacks
var barrierSpec = traversal.Spec{
	Name: "barrier", Class: "NoOpBarrierStep", Kind: traversal.BarrierStep,
	NeedsOf: func(n *traversal.Node) traversal.Needs {
		if n.Value(0).Kind() == value.KindBarrier {
			return traversal.NeedSack
		}
		return 0
	},
	Doc:     "Gathers traversers and merges equal ones into bulk.",
	Prepare: prepareBarrier, Open: openBarrier,
}

// gatherMax is the Data of barrier(n): how many traversers a portion has.
type gatherMax int64

func prepareBarrier(n *traversal.Node) error {
	n.Data = gatherMax(math.MaxInt64)
	if len(n.Args) == 0 {
		return nil
	}
	switch v := n.Value(0); v.Kind() {
	case value.KindInt, value.KindLong, value.KindShort, value.KindByte:
		if v.Int64() != math.MaxInt32 {
			n.Data = gatherMax(v.Int64())
		}
		return nil
	case value.KindBarrier:
		return nil
	}
	return fmt.Errorf("barrier() takes a size or a constant of Barrier, not %s", n.Value(0).Brief())
}

func openBarrier(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	g := &gather{r: r, in: r.Input(up), set: r.NewSet(), max: int64(n.Data.(gatherMax))}
	if n.Value(0).Kind() == value.KindBarrier {
		g.done = normSack
	}
	return g, nil
}

// gather is a running barrier; the side-effect steps that are barriers use it too.
type gather struct {
	r    *traversal.Run
	in   traversal.Input
	set  traversal.TraverserSet
	max  int64
	held int64                                 // bytes that the traversers of a portion hold
	each func(t *traversal.Traverser) error    // for every traverser that comes in
	done func(all []traversal.Traverser) error // before a portion goes out
}

func (s *gather) Next(b *traversal.Batch, max int) error {
	if s.set.Len() == 0 {
		if err := s.fill(); err != nil {
			return err
		}
	}
	s.set.Pop(b, max)
	return nil
}

// fill takes the next portion.
func (s *gather) fill() error {
	s.release()
	for int64(s.set.Len()) < s.max {
		t, ok, err := s.in.Take(s.r.Demand(int(min(s.max-int64(s.set.Len()), gatherPull))))
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := s.r.Poll(); err != nil {
			return err
		}
		if s.each != nil {
			if err := s.each(&t); err != nil {
				return err
			}
		}
		before := s.set.Len()
		s.set.Add(t)
		if err := s.set.Err(); err != nil {
			return err
		}
		if s.set.Len() > before {
			n := s.r.TraverserBytes(&t)
			if err := s.r.Account.Charge(n); err != nil {
				return err
			}
			s.held += n
		}
	}
	if s.done != nil && s.set.Len() > 0 {
		if err := s.done(s.set.Rest()); err != nil {
			return err
		}
	}
	return nil
}

const gatherPull = 1024 // traversers a barrier asks for at once

// release gives back what the last portion held.
func (s *gather) release() {
	s.r.Account.Release(s.held)
	s.held = 0
}

func (s *gather) Reset() {
	s.release()
	s.set.Clear()
	s.in.Reset()
}

// normSack divides every sack by the sum of all.
func normSack(all []traversal.Traverser) error {
	total := value.Double(0)
	for i := range all {
		sum, err := value.Mul(all[i].Sack(), value.Long(all[i].Bulk))
		if err == nil {
			total, err = value.Add(total, sum)
		}
		if err != nil {
			return err
		}
	}
	for i := range all {
		sum, err := value.Mul(all[i].Sack(), value.Long(all[i].Bulk))
		if err == nil {
			sum, err = value.Div(sum, total)
		}
		if err != nil {
			return err
		}
		all[i] = all[i].WithSack(sum)
	}
	return nil
}
