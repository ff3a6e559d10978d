package text

import (
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// concat() appends strings to the traverser's string. Nulls add nothing; the result
// is null when nothing but nulls came together.
//
//	concat("a", "b")  concat(values("name"), constant("x"))
var Concat = step.Mapped(traversal.Spec{
	Name: "concat", Class: "ConcatStep", Doc: "Appends strings.",
	Prepare: func(n *traversal.Node) error {
		for _, a := range n.Args {
			if k := a.Value.Kind(); a.Child == nil && k != value.KindString && k != value.KindNull {
				return step.IllegalArgument("String concat() can only take string as argument, encountered %s", step.ClassName(a.Value))
			}
		}
		return nil
	},
}, openConcat)

func openConcat(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	ops, err := step.NewOperands(n, r, n.Args)
	if err != nil {
		return nil, err
	}
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		var sb strings.Builder
		some := false
		add := func(v value.Value) error {
			switch v.Kind() {
			case value.KindNull:
			case value.KindString:
				some = true
				sb.WriteString(v.Str())
				return step.CheckText(sb.Len())
			default:
				return step.CastError(v, "java.lang.String")
			}
			return nil
		}
		if k := t.Kind(); k != value.KindString && k != value.KindNull {
			return value.Null, false, step.IllegalArgument("String concat() can only take string as argument, encountered %s", step.ClassName(t.Value))
		}
		if err := add(t.Value); err != nil {
			return value.Null, false, err
		}
		for i := range ops {
			v, err := ops[i].Get(t)
			if err == nil {
				err = add(v)
			}
			if err != nil {
				return value.Null, false, err
			}
		}
		if !some {
			return value.Null, true, nil
		}
		return value.String(sb.String()), true, nil
	}, nil
}
