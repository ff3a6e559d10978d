package text

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// trim(), lTrim() and rTrim() cut whitespace off strings.
//
//	trim()  trim(Scope.local): each string of a list
var (
	Trim = textStep("trim", "TrimGlobalStep", "Cuts whitespace off both ends of strings.",
		trimOp(func(s string) string { return strings.TrimFunc(s, isWhitespace) }))
	LTrim = textStep("lTrim", "LTrimGlobalStep", "Cuts whitespace off the beginning of strings.",
		trimOp(func(s string) string { return strings.TrimLeftFunc(s, isWhitespace) }))
	RTrim = textStep("rTrim", "RTrimGlobalStep", "Cuts whitespace off the end of strings.",
		trimOp(func(s string) string { return strings.TrimRightFunc(s, isWhitespace) }))
)

func trimOp(trim func(string) string) func(*traversal.Node, []traversal.Arg) (textFunc, error) {
	return func(n *traversal.Node, args []traversal.Arg) (textFunc, error) {
		return func(_ *traversal.Run, s string) (value.Value, error) { return value.String(trim(s)), nil }, noArgs(n, args)
	}
}
