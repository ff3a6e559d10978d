package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/traversal"
)

// sideEffect() runs a traversal or closure for its effects and lets the traverser
// through unchanged.
//
//	V().sideEffect(outE().drop())
var sideEffectSpec = traversal.Spec{
	Name: "sideEffect", Class: "TraversalSideEffectStep", Kind: traversal.SideEffectStep,
	Doc: "Runs a traversal for its effects.",
	Prepare: func(n *traversal.Node) error {
		if len(n.Args) != 1 || n.Child(0) == nil && !step.IsLambda(n.Value(0)) {
			return fmt.Errorf("sideEffect() takes one traversal or closure")
		}
		return nil
	},
	Open: openSideEffect,
}

func openSideEffect(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	if n.Child(0) == nil {
		f, err := r.LambdaFunc(n.Value(0))
		if err != nil {
			return nil, err
		}
		return r.SideEffect(up, func(t *traversal.Traverser) error {
			_, _, err := f(t)
			return err
		}), nil
	}
	pipe, err := r.OpenChild(n.Child(0))
	if err != nil {
		return nil, err
	}
	drop := func(*traversal.Traverser) error { return nil }
	return r.SideEffect(up, func(t *traversal.Traverser) error {
		return step.Feed(pipe, t, 1).Drain(drop)
	}), nil
}
