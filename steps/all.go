package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// all(), any() and none() keep the collections of which all, some or no members
// satisfy a predicate; what is no collection is dropped.
//
//	inject([1, 2]).all(P.gt(0))
//
// none() without a predicate is what discard() was called before 3.8.
var (
	allSpec  = quantifier("all", "AllStep", true, false, "Keeps collections all of whose members satisfy a predicate.")
	anySpec  = quantifier("any", "AnyStep", false, true, "Keeps collections with a member that satisfies a predicate.")
	noneSpec = quantifier("none", "NoneStep", true, true, "Keeps collections without a member that satisfies a predicate.")
)

// quantifier looks for the first member whose test gives stop; that and the end of
// the collection decide: empty is the answer when there is none.
func quantifier(name, class string, empty, stop bool, doc string) traversal.Spec {
	return traversal.Spec{
		Name: name, Class: class, Kind: traversal.FilterStep, Doc: doc,
		Prepare: func(n *traversal.Node) error {
			if name == "none" && len(n.Args) == 0 {
				return nil
			}
			p, ok := n.Value(0).Object().(*traversal.P)
			if len(n.Args) != 1 || !ok {
				return fmt.Errorf("Input predicate to %s step can't be null.", name)
			}
			n.Data = p
			return nil
		},
		Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
			p, ok := n.Data.(*traversal.P)
			if !ok {
				return openDiscard(n, r, up)
			}
			test, err := p.Compile(r)
			if err != nil {
				return nil, err
			}
			return r.Filter(up, func(t *traversal.Traverser) (bool, error) { return quantify(r, t.Value, test, empty, stop) }), nil
		},
	}
}

func quantify(r *traversal.Run, v value.Value, test traversal.Test, empty, stop bool) (bool, error) {
	list, ok, err := step.Iterable(r, v)
	if !ok || err != nil {
		return false, err
	}
	for _, e := range list {
		if err := r.Poll(); err != nil {
			return false, err
		}
		ok, err := test(e)
		if err != nil {
			return false, err
		}
		if ok == stop {
			return !empty, nil
		}
	}
	return empty, nil
}
