package text

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// substring() cuts a part out of strings, by positions in UTF-16 units; negative
// ones count from the end.
//
//	substring(1)     from the second unit on
//	substring(1, 3)  up to, not including, the fourth
//	substring(Scope.local, 1): of each string of a list
var Substring = textStep("substring", "SubstringGlobalStep", "Cuts a part out of strings.",
	func(n *traversal.Node, args []traversal.Arg) (textFunc, error) {
		if len(args) < 1 || len(args) > 2 {
			return nil, fmt.Errorf("substring() takes one or two positions, not %d", len(args))
		}
		var at [2]int
		for i, a := range args {
			if k := a.Value.Kind(); a.Child != nil || k != value.KindInt && k != value.KindLong {
				return nil, fmt.Errorf("substring() takes Integers, not %s", step.BriefArg(a))
			}
			at[i] = int(a.Value.Int64())
		}
		open := len(args) == 1
		return func(_ *traversal.Run, s string) (value.Value, error) {
			v, err := substring(s, at[0], at[1], open)
			return value.String(v), err
		}, nil
	})

func substring(s string, from, to int, open bool) (string, error) {
	u := units(s)
	n := len(s)
	if u != nil {
		n = len(u)
	}
	from, err := position(n, from)
	if err != nil {
		return "", err
	}
	if open {
		to = n
	} else if to, err = position(n, to); err != nil {
		return "", err
	}
	if to <= from {
		return "", nil
	}
	if u == nil {
		return s[from:to], nil
	}
	return fromUnits(u[from:to]), nil
}

// position wraps a negative index once, with Java's sign of %.
func position(n, i int) (int, error) {
	if i >= 0 {
		return min(i, n), nil
	}
	if n == 0 {
		return 0, value.ErrArithmetic{Message: "/ by zero"}
	}
	return max(0, (n+i)%n), nil
}
