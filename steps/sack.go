package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// sack() reads or changes what the traverser carries since withSack().
//
//	withSack(1.0f).V().outE().sack(mult).by("weight").inV().sack()
//
// With an operator or a closure of two arguments, sack and object (or what by() gives;
// nothing given drops the traverser) become the new sack.
var sackSpec = traversal.Spec{
	Name: "sack", Class: "SackStep", Kind: traversal.MapStep, MaxBy: -1, Needs: traversal.NeedSack,
	Doc: "Reads or changes what the traverser carries.",
	Prepare: func(n *traversal.Node) error {
		if len(n.Args) > 1 || len(n.Args) == 1 && n.Value(0).Kind() != value.KindOperator && !step.IsLambda(n.Value(0)) {
			return fmt.Errorf("sack() takes an operator or a closure of two arguments")
		}
		return step.OneBy(n, "Sack")
	},
	Open: openSack,
}

func openSack(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	if len(n.Args) == 0 {
		return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) { return t.Sack(), true, nil }), nil
	}
	by, err := step.OpenBy(n, r)
	if err != nil {
		return nil, err
	}
	op, err := r.BinaryFunc(n.Value(0))
	if err != nil {
		return nil, err
	}
	one := &step.Single{}
	return r.Transform(up, func(t *traversal.Traverser) (traversal.Traverser, bool, error) {
		v, ok, err := by(one.Of(t))
		if err != nil || !ok {
			return *t, false, err
		}
		s, err := op(t.Sack(), v)
		if err != nil {
			return *t, false, err
		}
		return t.WithSack(s), true, nil
	}), nil
}
