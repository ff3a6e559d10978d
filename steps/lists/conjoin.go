package lists

import (
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// conjoin(";") writes the members of a collection one behind the other; nulls are
// left out.
var Conjoin = step.Mapped(traversal.Spec{
	Name: "conjoin", Class: "ConjoinStep", Doc: "Joins the members of a collection into a string.",
	Prepare: func(n *traversal.Node) error {
		if len(n.Args) == 1 && n.Child(0) == nil && n.Value(0).IsNull() {
			return step.IllegalArgument("Input delimiter to conjoin step can't be null.")
		}
		_, err := step.TextArg(n, 0)
		return err
	},
}, func(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	delimiter := n.Value(0).Str()
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		list, err := incoming(r, "conjoin", t.Value)
		if err != nil {
			return value.Null, false, err
		}
		var parts []string
		bytes := 0
		for _, v := range list {
			if err := r.Poll(); err != nil {
				return value.Null, false, err
			}
			if !v.IsNull() {
				s, err := r.JavaString(v)
				if err != nil {
					return value.Null, false, err
				}
				parts = append(parts, s)
				if bytes += len(s) + len(delimiter); bytes > step.TextMax {
					break
				}
			}
		}
		if err := step.CheckText(bytes); err != nil {
			return value.Null, false, err
		}
		return value.String(strings.Join(parts, delimiter)), true, nil
	}, nil
})
