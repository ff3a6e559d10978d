package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// tail() keeps the last traversers, counted with bulk.
//
//	tail()  tail(3)       the last one, the last three
//	tail(Scope.local, 3)  the last three members of each collection
var tailSpec = traversal.Spec{
	Name: "tail", Class: "TailGlobalStep", Kind: traversal.FilterStep,
	Doc:     "Keeps the last traversers.",
	Prepare: prepareTail, Open: openTail,
	Print: func(n *traversal.Node) string {
		g := n.Data.(*traversal.Range)
		if g.Local {
			return fmt.Sprintf("TailLocalStep(%d)", g.High)
		}
		return fmt.Sprintf("TailGlobalStep(%d)", g.High)
	},
}

func prepareTail(n *traversal.Node) error {
	local, nums, err := bounds(n)
	if err != nil || len(nums) > 1 {
		return fmt.Errorf("tail() takes one number: %v", err)
	}
	g := &traversal.Range{High: 1, Local: local, Tail: true}
	if len(nums) == 1 {
		g.High = nums[0]
	}
	n.Data = g
	return nil
}

func openTail(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	g := n.Data.(*traversal.Range)
	if g.Local {
		return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
			size := int64(1)
			object := step.AsMap(t.Value)
			if object.Kind().IsCollection() || object.Kind() == value.KindMap || object.Kind() == value.KindPath {
				u := traversal.Traverser{Value: object}
				n, _, _ := countLocal(&u)
				size = n.Int64()
			}
			v, err := cut(r, object, size-g.High, size)
			return v, err == nil, err
		}), nil
	}
	return &tailer{r: r, up: up, max: g.High}, nil
}

// tailer is a running tail(): a window over the traversers that came last.
type tailer struct {
	r    *traversal.Run
	up   traversal.Source
	max  int64
	last []traversal.Traverser
	head int
	bulk int64 // of last[head:]
	kept queued
}

func (s *tailer) Next(b *traversal.Batch, max int) error {
	if s.head == len(s.last) {
		s.last, s.head, s.bulk = s.last[:0], 0, 0
		if err := s.r.Drain(s.up, s.push); err != nil {
			return err
		}
		s.trim()
	}
	n := min(max, len(s.last)-s.head)
	b.Append(s.last[s.head : s.head+n])
	s.forget(n)
	return nil
}

func (s *tailer) push(t *traversal.Traverser) error {
	if err := s.kept.charge(s.r, len(s.last)+1); err != nil {
		return err
	}
	if err := s.r.ChargeText(t.Value, 0); err != nil {
		return err
	}
	var err error
	if s.last, err = account.Append(s.r.Account, s.last, *t); err != nil {
		return err
	}
	s.bulk += t.Bulk
	for s.head < len(s.last) && s.bulk-s.last[s.head].Bulk >= s.max {
		s.bulk -= s.last[s.head].Bulk
		s.forget(1)
	}
	if s.head > 64 && s.head > len(s.last)/2 {
		s.last = s.last[:copy(s.last, s.last[s.head:])]
		s.head = 0
	}
	return nil
}

// forget gives up the oldest n traversers, and the texts that were charged for them.
func (s *tailer) forget(n int) {
	for i := range s.last[s.head : s.head+n] {
		t := &s.last[s.head+i]
		if t.Value.Kind() == value.KindString {
			s.r.Release(len(t.Value.Str()))
		}
	}
	s.head += n
}

// trim takes from the oldest traverser what the window does not reach.
func (s *tailer) trim() {
	if excess := s.bulk - s.max; excess > 0 && s.head < len(s.last) {
		s.last[s.head].Bulk -= excess
	}
}

func (s *tailer) Reset() {
	s.forget(len(s.last) - s.head)
	s.last, s.head, s.bulk = s.last[:0], 0, 0
	s.up.Reset()
}
