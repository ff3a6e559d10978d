package text

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// reverse() turns strings and collections round; anything else stays as it is.
var Reverse = step.Mapped(traversal.Spec{
	Name: "reverse", Class: "ReverseStep", Doc: "Turns strings and collections round.",
}, func(_ *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		v, err := reversed(r, t.Value)
		return v, err == nil, err
	}, nil
})

func reversed(r *traversal.Run, v value.Value) (value.Value, error) {
	if v.Kind() == value.KindString {
		rs := []rune(v.Str())
		for i, j := 0, len(rs)-1; i < j; i, j = i+1, j-1 {
			rs[i], rs[j] = rs[j], rs[i]
		}
		return value.String(string(rs)), nil
	}
	list, ok, err := step.Iterable(r, v)
	if !ok || err != nil {
		return v, err
	}
	out := make([]value.Value, len(list))
	for i, e := range list {
		if err := r.Poll(); err != nil {
			return value.Null, err
		}
		out[len(list)-1-i] = e
	}
	return value.List(out), nil
}
