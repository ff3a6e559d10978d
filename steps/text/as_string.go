package text

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// asString() gives the text of objects as the console prints them.
//
//	V(1).asString()         v[1]
//	asString(Scope.local)   the text of each member of a list
var AsString = step.Mapped(traversal.Spec{
	Name: "asString", Class: "AsStringGlobalStep", Doc: "Gives the text of objects.", Prepare: step.PrepareScoped,
}, func(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	local := n.Data.(step.Scoped).Local
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		if !local {
			v, err := asString(r, t.Value)
			return v, err == nil, err
		}
		list, ok, err := step.Iterable(r, t.Value)
		if err != nil {
			return value.Null, false, err
		}
		if !ok {
			v, err := asString(r, t.Value)
			return v, err == nil, err
		}
		out := make([]value.Value, len(list))
		for i, e := range list {
			if err := r.Poll(); err != nil {
				return value.Null, false, err
			}
			v, err := asString(r, e)
			if err != nil {
				return value.Null, false, err
			}
			out[i] = v
		}
		return value.List(out), true, nil
	}, nil
})

func asString(r *traversal.Run, v value.Value) (value.Value, error) {
	switch v.Kind() {
	case value.KindNull:
		return v, step.IllegalArgument("Can't parse null as String.")
	case value.KindString:
		return v, nil
	}
	s, err := r.JavaString(v)
	return value.String(s), err
}
