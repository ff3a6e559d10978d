package lists

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// combine(), intersect(), difference(), disjunct() and product() join two
// collections: all of both in a List, or as Sets what both have, what only the first
// has, what only one has; product() pairs everything with everything.
//
//	inject([1, 2, 2]).combine([2, 3])     [1, 2, 2, 2, 3]
//	inject([1, 2, 2]).intersect([2, 3])   {2}
//	inject([1, 2, 2]).difference([2, 3])  {1}
//	inject([1, 2, 2]).disjunct([2, 3])    {1, 3}
//	inject([1, 2]).product(["a"])         [[1, a], [2, a]]
var (
	Combine    = listStep("combine", "CombineStep", "Appends a collection.", combine)
	Intersect  = listStep("intersect", "IntersectStep", "Gives what two collections share.", intersect)
	Difference = listStep("difference", "DifferenceStep", "Gives what another collection lacks.", difference)
	Disjunct   = listStep("disjunct", "DisjunctStep", "Gives what only one of two collections has.", disjunct)
	Product    = productStep()
)

func combine(_ *traversal.Run, a, b []value.Value) (value.Value, error) {
	return value.List(append(append(make([]value.Value, 0, len(a)+len(b)), a...), b...)), nil
}

func intersect(r *traversal.Run, a, b []value.Value) (value.Value, error) {
	in, err := setOf(r, a)
	if err != nil {
		return value.Null, err
	}
	s := value.NewSet()
	err = addTo(r, s, b, in.Has)
	return s.Value(), err
}

func difference(r *traversal.Run, a, b []value.Value) (value.Value, error) {
	in, err := setOf(r, b)
	if err != nil {
		return value.Null, err
	}
	s := value.NewSet()
	err = addTo(r, s, a, lacks(in))
	return s.Value(), err
}

func disjunct(r *traversal.Run, a, b []value.Value) (value.Value, error) {
	inA, err := setOf(r, a)
	if err != nil {
		return value.Null, err
	}
	inB, err := setOf(r, b)
	if err != nil {
		return value.Null, err
	}
	s := value.NewSet()
	if err := addTo(r, s, a, lacks(inB)); err != nil {
		return value.Null, err
	}
	err = addTo(r, s, b, lacks(inA))
	return s.Value(), err
}

// productPairBytes is what a budget is charged for one pair.
const productPairBytes = 3 * step.ValueBytes

// productStep charges the budget: two short lists can make a long one.
func productStep() traversal.Spec {
	s := traversal.Spec{Name: "product", Class: "ProductStep", Doc: "Pairs the members of two collections.", Prepare: step.OneArg}
	return step.Mapped(s, func(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
		other, err := newListOperand(n, r)
		if err != nil {
			return nil, err
		}
		return func(t *traversal.Traverser) (value.Value, bool, error) {
			a, err := incoming(r, "product", t.Value)
			if err != nil {
				return value.Null, false, err
			}
			b, err := other.get(t)
			if err != nil {
				return value.Null, false, err
			}
			if err := step.CheckMembers(len(a) * len(b)); err != nil {
				return value.Null, false, err
			}
			var pairs []value.Value
			for _, x := range a {
				if err := r.Charge(len(b) * productPairBytes); err != nil {
					return value.Null, false, err
				}
				if err := r.PollNow(); err != nil {
					return value.Null, false, err
				}
				for _, y := range b {
					pairs = append(pairs, value.List([]value.Value{x, y}))
				}
			}
			return value.List(pairs), true, nil
		}, nil
	})
}
