package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/traversal"
)

// local() runs its traversal on each traverser alone, so that limit() or order()
// inside concern the results of one traverser.
//
//	V().local(outE().limit(1))  one edge of each vertex
//
// A traverser of bulk n enters n times; a traversal that changes nothing runs once
// instead and its results count n times.
var localSpec = traversal.Spec{
	Name: "local", Class: "LocalStep", Kind: traversal.BranchStep,
	Doc:     "Runs a traversal on each traverser alone.",
	Prepare: step.PrepareChildren(1, 1), Open: openLocal,
}

func openLocal(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	pipe, err := r.OpenChild(n.Child(0))
	if err != nil {
		return nil, err
	}
	if n.Child(0).Effects()&^traversal.ReadsGraph != 0 {
		up = &unbulk{in: r.Input(up), r: r}
	}
	return &expand{
		r: r, in: r.Input(up),
		open: func(cur *traversal.Traverser) (*traversal.Pipe, error) {
			t := r.Copy(cur)
			return step.Feed(pipe, &t, 1), nil
		},
		emit: func(cur, out *traversal.Traverser) traversal.Traverser { return out.WithBulk(cur.Bulk * out.Bulk) },
	}, nil
}

// unbulk gives a traverser of bulk n as n traversers.
type unbulk struct {
	r    *traversal.Run
	in   traversal.Input
	gave int64 // of the bulk of the next traverser
}

func (s *unbulk) Next(b *traversal.Batch, max int) error {
	for i := 0; i < max; i++ {
		if i > 0 && s.in.Buffered() == 0 {
			return nil
		}
		t, err := s.in.Peek(s.r.Demand(max - i))
		if t == nil || err != nil {
			return err
		}
		b.Add(t.WithBulk(1))
		if s.gave++; s.gave >= t.Bulk {
			s.gave = 0
			s.in.Skip()
		}
	}
	return nil
}

func (s *unbulk) Reset() {
	s.gave = 0
	s.in.Reset()
}
