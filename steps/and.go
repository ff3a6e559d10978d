package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/traversal"
)

// and(), or() and not() combine traversals by whether they have results.
//
//	and(has("age"), out("knows"))  all have
//	or(has("lang"), has("age"))    at least one has
//	not(out())                     it has none
//
// Without arguments and() and or() stand between their operands; ConnectiveStrategy
// turns that form into the one above before it gets here.
var (
	andSpec = step.Filtered(traversal.Spec{
		Name: "and", Class: "AndStep",
		Doc:     "Keeps traversers for which all traversals have a result.",
		Prepare: step.PrepareChildren(0, -1),
	}, connectiveTest)
	orSpec = step.Filtered(traversal.Spec{
		Name: "or", Class: "OrStep",
		Doc:     "Keeps traversers for which one of the traversals has a result.",
		Prepare: step.PrepareChildren(0, -1),
	}, connectiveTest)
	notSpec = step.Filtered(traversal.Spec{
		Name: "not", Class: "NotStep",
		Doc:     "Keeps traversers for which a traversal has no result.",
		Prepare: step.PrepareChildren(1, 1),
	}, notTest)
)

func connectiveTest(n *traversal.Node, r *traversal.Run) (traversal.Predicate, error) {
	tests := make([]func(*traversal.Traverser) (bool, error), len(n.Args))
	for i := range n.Args {
		var err error
		if tests[i], err = r.ChildTest(n.Child(i)); err != nil {
			return nil, err
		}
	}
	stop := n.Name() == "or"
	return func(t *traversal.Traverser) (bool, error) {
		for _, test := range tests {
			if ok, err := test(t); err != nil || ok == stop {
				return ok, err
			}
		}
		return !stop, nil
	}, nil
}

func notTest(n *traversal.Node, r *traversal.Run) (traversal.Predicate, error) {
	has, err := r.ChildTest(n.Child(0))
	if err != nil {
		return nil, err
	}
	return func(t *traversal.Traverser) (bool, error) {
		ok, err := has(t)
		return !ok && err == nil, err
	}, nil
}
