package step

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Operand is an argument that is a value or a traversal to be asked for one.
type Operand struct {
	Value value.Value
	Child *traversal.Plan // nil when it is the value
	f     traversal.Func
	node  *traversal.Node
	r     *traversal.Run
}

// NewOperand opens an argument of n.
func NewOperand(n *traversal.Node, r *traversal.Run, a traversal.Arg) (Operand, error) {
	o := Operand{Value: a.Value, Child: a.Child, node: n, r: r}
	if a.Child == nil {
		return o, nil
	}
	var err error
	o.f, err = r.ChildFunc(a.Child)
	return o, err
}

// NewOperands opens several arguments.
func NewOperands(n *traversal.Node, r *traversal.Run, args []traversal.Arg) ([]Operand, error) {
	return AppendOperands(make([]Operand, 0, len(args)), n, r, args...)
}

// AppendOperands opens several arguments and appends them to ops.
func AppendOperands(ops []Operand, n *traversal.Node, r *traversal.Run, args ...traversal.Arg) ([]Operand, error) {
	for _, a := range args {
		o, err := NewOperand(n, r, a)
		if err != nil {
			return nil, err
		}
		ops = append(ops, o)
	}
	return ops, nil
}

// Get returns the value for t; a traversal without a result is an error.
func (o *Operand) Get(t *traversal.Traverser) (value.Value, error) {
	if o.f == nil {
		return o.Value, nil
	}
	v, ok, err := o.f(t)
	if err != nil {
		return value.Null, err
	}
	if !ok {
		return value.Null, NoValue{fmt.Sprintf("The provided traverser does not map to a value: %s[%s]->%s[DefaultGraphTraversal] parent[[%s]]",
			o.r.Text(t.Value), SimpleClass(t.Value), traversal.Brief(o.Child), traversal.Brief(o.node))}
	}
	return v, nil
}

// NoValue says that a child traversal gave nothing where a value is needed.
type NoValue struct{ message string }

func (e NoValue) Error() string { return e.message }

// JavaClass names the exception that the reference throws.
func (e NoValue) JavaClass() string { return "java.lang.IllegalArgumentException" }
