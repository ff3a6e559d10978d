package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/traversal"
)

// is() keeps the objects that equal a value or satisfy a predicate.
//
//	is(32)  is(P.gt(30))  is(P.typeOf(GType.INT))
var isSpec = step.Filtered(traversal.Spec{
	Name: "is", Class: "IsStep",
	Doc: "Keeps objects that equal a value or satisfy a predicate.",
	Prepare: func(n *traversal.Node) error {
		if len(n.Args) != 1 || n.Child(0) != nil {
			return fmt.Errorf("is() takes one value or predicate")
		}
		n.Data = step.Predicate(n.Value(0))
		return nil
	},
	Print: func(n *traversal.Node) string {
		return "IsStep(" + n.Data.(*traversal.P).Value().JavaString() + ")"
	},
}, isTest)

func isTest(n *traversal.Node, r *traversal.Run) (traversal.Predicate, error) {
	holds, err := n.Data.(*traversal.P).Compile(r)
	if err != nil {
		return nil, err
	}
	return func(t *traversal.Traverser) (bool, error) { return holds(t.Value) }, nil
}
