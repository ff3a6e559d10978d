package text

import (
	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// toUpper() and toLower() change the case of strings, by the rules of no language in
// particular: sharp s becomes SS.
//
//	toUpper()  toUpper(Scope.local): each string of a list
var (
	ToUpper = textStep("toUpper", "ToUpperGlobalStep", "Turns strings into upper case.", caseOp(cases.Upper))
	ToLower = textStep("toLower", "ToLowerGlobalStep", "Turns strings into lower case.", caseOp(cases.Lower))
)

func caseOp(caser func(language.Tag, ...cases.Option) cases.Caser) func(*traversal.Node, []traversal.Arg) (textFunc, error) {
	return func(n *traversal.Node, args []traversal.Arg) (textFunc, error) {
		return func(_ *traversal.Run, s string) (value.Value, error) {
			return value.String(caser(language.Und).String(s)), nil
		}, noArgs(n, args)
	}
}
