package lists

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// listStep declares a step that joins the traverser's collection with another one,
// given as an argument or made by a traversal.
func listStep(name, class, doc string, join func(r *traversal.Run, a, b []value.Value) (value.Value, error)) traversal.Spec {
	s := traversal.Spec{Name: name, Class: class, Doc: doc, Prepare: step.OneArg}
	return step.Mapped(s, func(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
		other, err := newListOperand(n, r)
		if err != nil {
			return nil, err
		}
		return func(t *traversal.Traverser) (value.Value, bool, error) {
			a, err := incoming(r, name, t.Value)
			if err != nil {
				return value.Null, false, err
			}
			b, err := other.get(t)
			if err != nil {
				return value.Null, false, err
			}
			if err := step.CheckMembers(len(a) + len(b)); err != nil {
				return value.Null, false, err
			}
			v, err := join(r, a, b)
			return v, err == nil, err
		}, nil
	})
}

// incoming returns the traverser's collection.
func incoming(r *traversal.Run, name string, v value.Value) ([]value.Value, error) {
	if v.IsNull() {
		return nil, step.IllegalArgument("Incoming traverser for %s step can't be null.", name)
	}
	list, ok, err := step.Iterable(r, v)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, step.IllegalArgument("%s step can only take an array or an Iterable type for incoming traversers, encountered %s", name, step.ClassName(v))
	}
	return list, nil
}

// listOperand is the other collection.
type listOperand struct {
	r    *traversal.Run
	step string
	op   step.Operand
}

func newListOperand(n *traversal.Node, r *traversal.Run) (*listOperand, error) {
	op, err := step.NewOperand(n, r, n.Args[0])
	return &listOperand{r: r, step: n.Name(), op: op}, err
}

func (o *listOperand) get(t *traversal.Traverser) ([]value.Value, error) {
	v, err := o.op.Get(t)
	if err != nil {
		return nil, err
	}
	list, ok, err := step.Iterable(o.r, v)
	switch {
	case err != nil:
		return nil, err
	case ok:
		return list, nil
	case o.op.Child != nil && v.IsNull():
		return nil, step.IllegalArgument("Provided traversal argument for %s step must yield an iterable type, not null", o.step)
	case o.op.Child != nil:
		return nil, step.IllegalArgument("Provided traversal argument for %s step must yield an iterable type, encountered %s", o.step, step.ClassName(v))
	case v.IsNull():
		return nil, step.IllegalArgument("Argument provided for %s step can't be null.", o.step)
	}
	return nil, step.IllegalArgument("%s step can only take an array or an Iterable as an argument, encountered %s", o.step, step.ClassName(v))
}

// addTo adds what keep admits of a list to a set; a nil keep admits all.
func addTo(r *traversal.Run, s *value.Set, list []value.Value, keep func(value.Value) bool) error {
	for _, v := range list {
		if err := r.Poll(); err != nil {
			return err
		}
		if keep == nil || keep(v) {
			s.Add(v)
		}
	}
	return nil
}

// setOf returns the different members of a list.
func setOf(r *traversal.Run, list []value.Value) (*value.Set, error) {
	s := value.NewSet()
	return s, addTo(r, s, list, nil)
}

// lacks admits what s does not have.
func lacks(s *value.Set) func(value.Value) bool {
	return func(v value.Value) bool { return !s.Has(v) }
}
