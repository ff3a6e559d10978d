package text

import (
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// replace() replaces every occurrence of a text; null and "" as the text to look for,
// or null as the other, change nothing.
//
//	replace("a", "b")  replace(Scope.local, "a", "b"): in each string of a list
var Replace = textStep("replace", "ReplaceGlobalStep", "Replaces a text within strings.",
	func(n *traversal.Node, args []traversal.Arg) (textFunc, error) {
		from, none, err := stringArg(n, args, 0)
		if err != nil {
			return nil, err
		}
		to, none2, err := stringArg(n, args, 1)
		keep := none || none2 || from == ""
		return func(_ *traversal.Run, s string) (value.Value, error) {
			if keep {
				return value.String(s), nil
			}
			if err := step.CheckText(len(s) + strings.Count(s, from)*(len(to)-len(from))); err != nil {
				return value.Null, err
			}
			return value.String(strings.ReplaceAll(s, from, to)), nil
		}, err
	})
