package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/traversal"
)

// map() replaces each object by the first result of a traversal, or by what a closure
// makes of it; a traversal without a result drops the traverser.
//
//	V().map(out().values("name"))
var mapSpec = traversal.Spec{
	Name: "map", Class: "TraversalMapStep", Kind: traversal.MapStep,
	Doc: "Replaces each object by the first result of a traversal.",
	Prepare: func(n *traversal.Node) error {
		if len(n.Args) != 1 || n.Child(0) == nil && !step.IsLambda(n.Value(0)) {
			return fmt.Errorf("map() takes one traversal or closure")
		}
		return nil
	},
	Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		f, err := childOrLambda(n, r)
		if err != nil {
			return nil, err
		}
		return r.Map(up, f), nil
	},
	Direct: childOrLambda,
}

// childOrLambda opens the first argument of n as a function.
func childOrLambda(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	if n.Child(0) != nil {
		return r.ChildFunc(n.Child(0))
	}
	return r.LambdaFunc(n.Value(0))
}
