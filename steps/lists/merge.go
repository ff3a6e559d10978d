package lists

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// merge() joins two collections into a Set, or two maps into one in which the
// entries of the argument win.
//
//	inject([1, 2]).merge([2, 3])     {1, 2, 3}
//	inject([a: 1]).merge([a: 2])     {a=2}
var Merge = step.Mapped(traversal.Spec{
	Name: "merge", Class: "MergeStep", Doc: "Joins two collections or two maps.", Prepare: step.OneArg,
}, func(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	other, err := newListOperand(n, r)
	if err != nil {
		return nil, err
	}
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		v, err := other.merge(t)
		return v, err == nil, err
	}, nil
})

func (o *listOperand) merge(t *traversal.Traverser) (value.Value, error) {
	if m := step.AsMap(t.Value); m.Kind() == value.KindMap {
		return o.mergeMaps(m.Map(), t)
	}
	a, err := incoming(o.r, o.step, t.Value)
	if err != nil {
		return value.Null, err
	}
	if o.op.Child == nil && o.op.Value.Kind() == value.KindMap {
		return value.Null, step.IllegalArgument("%s step type mismatch: expected argument to be Iterable but got Map", o.step)
	}
	b, err := o.get(t)
	if err != nil {
		return value.Null, err
	}
	s, err := setOf(o.r, a)
	if err == nil {
		err = addTo(o.r, s, b, nil)
	}
	return s.Value(), err
}

func (o *listOperand) mergeMaps(with *value.Map, t *traversal.Traverser) (value.Value, error) {
	v, err := o.op.Get(t)
	if err != nil {
		return value.Null, err
	}
	if v = step.AsMap(v); v.Kind() != value.KindMap {
		return value.Null, step.IllegalArgument("%s step expected provided argument to evaluate to a Map, encountered %s", o.step, step.ClassName(v))
	}
	m := with.Clone()
	for i := 0; i < v.Map().Len(); i++ {
		if err := o.r.Poll(); err != nil {
			return value.Null, err
		}
		m.Put(v.Map().Entry(i))
	}
	return m.Value(), nil
}
