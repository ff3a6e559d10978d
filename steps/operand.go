package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// operand is an argument that is a value or a traversal to be asked for one.
type operand struct {
	v     value.Value
	child *traversal.Plan
	f     traversal.Func
	node  *traversal.Node
	r     *traversal.Run
}

func newOperand(n *traversal.Node, r *traversal.Run, a traversal.Arg) (operand, error) {
	o := operand{v: a.Value, child: a.Child, node: n, r: r}
	if a.Child == nil {
		return o, nil
	}
	var err error
	o.f, err = r.ChildFunc(a.Child)
	return o, err
}

// newOperands opens several arguments.
func newOperands(n *traversal.Node, r *traversal.Run, args []traversal.Arg) ([]operand, error) {
	ops := make([]operand, len(args))
	for i, a := range args {
		o, err := newOperand(n, r, a)
		if err != nil {
			return nil, err
		}
		ops[i] = o
	}
	return ops, nil
}

// get returns the value for t; a traversal without a result is an error.
func (o *operand) get(t *traversal.Traverser) (value.Value, error) {
	if o.f == nil {
		return o.v, nil
	}
	v, ok, err := o.f(t)
	if err != nil {
		return value.Null, err
	}
	if !ok {
		return value.Null, noValue{fmt.Sprintf("The provided traverser does not map to a value: %s[%s]->%s[DefaultGraphTraversal] parent[[%s]]",
			o.r.Text(t.Value), simpleClass(t.Value), traversal.Brief(o.child), traversal.Brief(o.node))}
	}
	return v, nil
}

// noValue says that a child traversal gave nothing where a value is needed.
type noValue struct{ message string }

func (e noValue) Error() string { return e.message }

// JavaClass names the exception that the reference throws.
func (e noValue) JavaClass() string { return "java.lang.IllegalArgumentException" }
