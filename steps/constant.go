package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// constant("x") gives the same object for every traverser.
var constantSpec = step.Mapped(traversal.Spec{
	Name: "constant", Class: "ConstantStep", Doc: "Gives the same object for every traverser.", Prepare: step.OneArg,
}, func(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	op, err := step.NewOperand(n, r, n.Args[0])
	if err != nil {
		return nil, err
	}
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		v, err := op.Get(t)
		return v, err == nil, err
	}, nil
})
