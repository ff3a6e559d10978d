package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// flatMap() gives all results of its traversal on each traverser; the path knows the
// results but not the way to them.
//
//	V().flatMap(out().values("name"))
//	V().flatMap(closure)  the elements of what the closure returns
var flatMapSpec = traversal.Spec{
	Name: "flatMap", Class: "TraversalFlatMapStep", Kind: traversal.FlatMapStep,
	Doc: "Gives all results of a traversal on each traverser.",
	Prepare: func(n *traversal.Node) error {
		if len(n.Args) != 1 || n.Child(0) == nil && !step.IsLambda(n.Value(0)) {
			return fmt.Errorf("flatMap() takes one traversal or closure")
		}
		return nil
	},
	Open: openFlatMap,
}

func openFlatMap(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	if n.Child(0) == nil {
		f, err := r.LambdaFunc(n.Value(0))
		if err != nil {
			return nil, err
		}
		return r.FlatMap(up, func(t *traversal.Traverser) (traversal.Cursor, error) {
			v, ok, err := f(t)
			if !ok || err != nil {
				return nil, err
			}
			var vs []value.Value
			traversal.Each(v, func(e value.Value, bulk int64) {
				for ; bulk > 0; bulk-- {
					vs = append(vs, e)
				}
			})
			return traversal.Values(vs), nil
		}), nil
	}
	pipe, err := r.OpenChild(n.Child(0))
	if err != nil {
		return nil, err
	}
	return &expand{
		r: r, in: r.Input(up), emit: splitFrom(r),
		open: func(cur *traversal.Traverser) (*traversal.Pipe, error) { return step.Feed(pipe, cur, 1), nil },
	}, nil
}
