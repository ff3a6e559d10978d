package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// filter() keeps the traversers for which a traversal has a result or a closure is
// true.
//
//	filter(out("knows"))
//	filter(closure)      the closure sees the traverser as `it`
//	filter(P.gt(1))      the predicate sees the traverser, not its object: nothing is
//	                     greater than, equal to or among numbers (is() tests objects)
var filterSpec = traversal.Spec{
	Name: "filter", Class: "TraversalFilterStep", Kind: traversal.FilterStep,
	Doc:     "Keeps traversers for which a traversal has a result.",
	Prepare: prepareFilter, Open: openFilter,
}

func prepareFilter(n *traversal.Node) error {
	if len(n.Args) != 1 || n.Child(0) == nil && !step.IsLambda(n.Value(0)) && n.Value(0).Kind() != value.KindP {
		return fmt.Errorf("filter() takes one traversal, predicate or closure")
	}
	return nil
}

func openFilter(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	test, err := filterTest(n, r)
	if err != nil {
		return nil, err
	}
	return r.Filter(up, test), nil
}

func filterTest(n *traversal.Node, r *traversal.Run) (func(t *traversal.Traverser) (bool, error), error) {
	switch {
	case n.Child(0) != nil:
		return r.ChildTest(n.Child(0))
	case step.IsLambda(n.Value(0)):
		return lambdaTest(n, r)
	}
	p, ok := n.Value(0).Object().(*traversal.P)
	if !ok {
		return nil, fmt.Errorf("filter() does not take %s", n.Value(0).Brief())
	}
	test, err := p.Compile(r)
	if err != nil {
		return nil, err
	}
	return func(t *traversal.Traverser) (bool, error) {
		return test(value.OfTraverser(&value.Bulked{Bulk: t.Bulk, Value: t.Value}))
	}, nil
}

func lambdaTest(n *traversal.Node, r *traversal.Run) (func(t *traversal.Traverser) (bool, error), error) {
	f, err := r.LambdaFunc(n.Value(0))
	if err != nil {
		return nil, err
	}
	return func(t *traversal.Traverser) (bool, error) {
		v, ok, err := f(t)
		if err != nil || !ok {
			return false, err
		}
		if v.Kind() != value.KindBool {
			return false, fmt.Errorf("class %s cannot be cast to class java.lang.Boolean", v.Kind().JavaClass())
		}
		return v.Bool(), nil
	}, nil
}
