package steps

import (
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
	combineSpec    = listStep("combine", "CombineStep", "Appends a collection.", combine)
	intersectSpec  = listStep("intersect", "IntersectStep", "Gives what two collections share.", intersect)
	differenceSpec = listStep("difference", "DifferenceStep", "Gives what another collection lacks.", difference)
	disjunctSpec   = listStep("disjunct", "DisjunctStep", "Gives what only one of two collections has.", disjunct)
	productSpec    = productStep()
)

func combine(a, b []value.Value) value.Value {
	return value.List(append(append(make([]value.Value, 0, len(a)+len(b)), a...), b...))
}

func intersect(a, b []value.Value) value.Value {
	return setOf(b, value.NewSet(a...).Has).Value()
}

func difference(a, b []value.Value) value.Value {
	in := value.NewSet(b...)
	return setOf(a, func(v value.Value) bool { return !in.Has(v) }).Value()
}

func disjunct(a, b []value.Value) value.Value {
	inA, inB := value.NewSet(a...), value.NewSet(b...)
	s := setOf(a, func(v value.Value) bool { return !inB.Has(v) })
	for _, v := range b {
		if !inA.Has(v) {
			s.Add(v)
		}
	}
	return s.Value()
}

// productPairBytes is what a budget is charged for one pair.
const productPairBytes = 3 * valueBytes

// valueBytes is what one kept value takes at least.
const valueBytes = 24

// productStep charges the budget: two short lists can make a long one.
func productStep() traversal.Spec {
	s := traversal.Spec{Name: "product", Class: "ProductStep", Doc: "Pairs the members of two collections.", Prepare: oneArg}
	return mapped(s, func(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
		other, err := newListOperand(n, r)
		if err != nil {
			return nil, err
		}
		return func(t *traversal.Traverser) (value.Value, bool, error) {
			a, err := incoming("product", t.Value)
			if err != nil {
				return value.Null, false, err
			}
			b, err := other.get(t)
			if err != nil {
				return value.Null, false, err
			}
			if err := checkMembers(len(a) * len(b)); err != nil {
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
