package text

import (
	"iter"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// split() cuts strings at a separator into a list.
//
//	split(",")                 a,,b gives [a, b]: neighbours count once, a last one leaves ""
//	split(null)                at whitespace
//	split("")                  into UTF-16 units
//	split(Scope.local, ",")    each string of a list
var Split = textStep("split", "SplitGlobalStep", "Cuts strings at a separator.",
	func(n *traversal.Node, args []traversal.Arg) (textFunc, error) {
		sep, null, err := stringArg(n, args, 0)
		cut := func(s string) iter.Seq[string] { return splitAt(s, sep) }
		switch {
		case null:
			cut = func(s string) iter.Seq[string] { return strings.FieldsFuncSeq(s, isWhitespace) }
		case sep == "":
			cut = splitUnits
		}
		return func(r *traversal.Run, s string) (value.Value, error) { return listOfParts(r, cut(s)) }, err
	})

// partsAtOnce are made between two charges.
const partsAtOnce = 1 << 10

// listOfParts collects strings, which may be many more than the account has room for.
func listOfParts(r *traversal.Run, parts iter.Seq[string]) (value.Value, error) {
	var list []value.Value
	charged := 0
	defer func() { r.Release(charged) }() // what is kept pays for itself
	for p := range parts {
		if err := r.Poll(); err != nil {
			return value.Null, err
		}
		if len(list)%partsAtOnce == partsAtOnce-1 {
			if err := r.Charge(partsAtOnce * partBytes); err != nil {
				return value.Null, err
			}
			charged += partsAtOnce * partBytes
		}
		list = append(list, value.String(p))
	}
	return value.List(list), nil
}

// partBytes is what a part takes: its value and the head of its text.
const partBytes = 2 * step.ValueBytes

// splitAt drops empty parts but a last one, as the reference does.
func splitAt(s, sep string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := s; s != ""; {
			part, rest, found := strings.Cut(s, sep)
			if !found {
				yield(s)
				return
			}
			if part != "" && !yield(part) {
				return
			}
			if s = rest; s == "" {
				yield("")
			}
		}
	}
}

func splitUnits(s string) iter.Seq[string] {
	u := units(s)
	switch {
	case s == "":
		return slices.Values([]string{""})
	case u == nil:
		return strings.SplitSeq(s, "")
	}
	return func(yield func(string) bool) {
		for i := range u {
			if !yield(fromUnits(u[i : i+1])) {
				return
			}
		}
	}
}
