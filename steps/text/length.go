package text

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// length() gives the length of strings as an Int, counted in UTF-16 units.
//
//	length()  length(Scope.local): of each string of a list
var Length = textStep("length", "LengthGlobalStep", "Gives the length of strings.",
	func(n *traversal.Node, args []traversal.Arg) (textFunc, error) {
		return func(_ *traversal.Run, s string) (value.Value, error) { return value.Int(int32(unitLength(s))), nil }, noArgs(n, args)
	})
