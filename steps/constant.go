package steps

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// constant("x") gives the same object for every traverser.
var constantSpec = mapped(traversal.Spec{
	Name: "constant", Class: "ConstantStep", Doc: "Gives the same object for every traverser.", Prepare: oneArg,
}, func(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	op, err := newOperand(n, r, n.Args[0])
	if err != nil {
		return nil, err
	}
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		v, err := op.get(t)
		return v, err == nil, err
	}, nil
})
