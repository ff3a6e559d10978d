package steps

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// reverse() turns strings and collections round; anything else stays as it is.
var reverseSpec = mapped(traversal.Spec{
	Name: "reverse", Class: "ReverseStep", Doc: "Turns strings and collections round.",
}, func(*traversal.Node, *traversal.Run) (traversal.Func, error) {
	return func(t *traversal.Traverser) (value.Value, bool, error) { return reversed(t.Value), true, nil }, nil
})

func reversed(v value.Value) value.Value {
	if v.Kind() == value.KindString {
		rs := []rune(v.Str())
		for i, j := 0, len(rs)-1; i < j; i, j = i+1, j-1 {
			rs[i], rs[j] = rs[j], rs[i]
		}
		return value.String(string(rs))
	}
	list, ok := iterable(v)
	if !ok {
		return v
	}
	out := make([]value.Value, len(list))
	for i, e := range list {
		out[len(list)-1-i] = e
	}
	return value.List(out)
}
