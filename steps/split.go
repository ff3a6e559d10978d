package steps

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// split() cuts strings at a separator into a list.
//
//	split(",")                 a,,b gives [a, b]: neighbours count once, a last one leaves ""
//	split(null)                at whitespace
//	split("")                  into UTF-16 units
//	split(Scope.local, ",")    each string of a list
var splitSpec = textStep("split", "SplitGlobalStep", "Cuts strings at a separator.",
	func(n *traversal.Node, args []traversal.Arg) (func(string) (value.Value, error), error) {
		sep, null, err := stringArg(n, args, 0)
		cut := func(s string) []string { return splitAt(s, sep) }
		switch {
		case null:
			cut = func(s string) []string { return strings.FieldsFunc(s, isWhitespace) }
		case sep == "":
			cut = splitUnits
		}
		return func(s string) (value.Value, error) {
			parts := cut(s)
			list := make([]value.Value, len(parts))
			for i, p := range parts {
				list[i] = value.String(p)
			}
			return value.List(list), nil
		}, err
	})

// splitAt drops empty parts but a last one, as the reference does.
func splitAt(s, sep string) []string {
	if s == "" {
		return nil
	}
	var parts []string
	for {
		part, rest, found := strings.Cut(s, sep)
		if !found {
			return append(parts, s)
		}
		if part != "" {
			parts = append(parts, part)
		}
		s = rest
	}
}

func splitUnits(s string) []string {
	if s == "" {
		return []string{""}
	}
	u := units(s)
	if u == nil {
		return strings.Split(s, "")
	}
	parts := make([]string, len(u))
	for i := range u {
		parts[i] = fromUnits(u[i : i+1])
	}
	return parts
}
