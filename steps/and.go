package steps

import "github.com/gremlind/gremlind/traversal"

// and(), or() and not() combine traversals by whether they have results.
//
//	and(has("age"), out("knows"))  all have
//	or(has("lang"), has("age"))    at least one has
//	not(out())                     it has none
//
// Without arguments and() and or() stand between their operands; ConnectiveStrategy
// turns that form into the one above before it gets here.
var (
	andSpec = traversal.Spec{
		Name: "and", Class: "AndStep", Kind: traversal.FilterStep,
		Doc:     "Keeps traversers for which all traversals have a result.",
		Prepare: prepareChildren(0, -1), Open: openConnective,
	}
	orSpec = traversal.Spec{
		Name: "or", Class: "OrStep", Kind: traversal.FilterStep,
		Doc:     "Keeps traversers for which one of the traversals has a result.",
		Prepare: prepareChildren(0, -1), Open: openConnective,
	}
	notSpec = traversal.Spec{
		Name: "not", Class: "NotStep", Kind: traversal.FilterStep,
		Doc:     "Keeps traversers for which a traversal has no result.",
		Prepare: prepareChildren(1, 1), Open: openNot,
	}
)

func openConnective(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	tests := make([]func(*traversal.Traverser) (bool, error), len(n.Args))
	for i := range n.Args {
		var err error
		if tests[i], err = r.ChildTest(n.Child(i)); err != nil {
			return nil, err
		}
	}
	stop := n.Name() == "or"
	return r.Filter(up, func(t *traversal.Traverser) (bool, error) {
		for _, test := range tests {
			if ok, err := test(t); err != nil || ok == stop {
				return ok, err
			}
		}
		return !stop, nil
	}), nil
}

func openNot(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	test, err := r.ChildTest(n.Child(0))
	if err != nil {
		return nil, err
	}
	return r.Filter(up, func(t *traversal.Traverser) (bool, error) {
		ok, err := test(t)
		return !ok && err == nil, err
	}), nil
}
