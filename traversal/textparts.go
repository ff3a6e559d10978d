package traversal

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// TextParts returns what texts have to hold for p to be true of them: every part of at least
// one of the alternatives. p is true of no other value. ok is false when there is no such
// part, as in the negations, which are true of texts that hold nothing.
func (p *P) TextParts() (alternatives [][]string, ok bool) {
	switch {
	case p.Name == "and" || p.Name == "or":
		return p.connectiveParts()
	case !p.Text || len(p.Args) != 1 || p.Args[0].Kind() != value.KindString:
		return nil, false
	}
	switch p.Name {
	case "containing", "startingWith", "endingWith":
		return [][]string{{p.Args[0].Str()}}, true
	case "regex":
		return regexParts(p.Args[0].Str())
	}
	return nil, false
}

// partsMax is how many alternatives are kept apart.
const partsMax = 16

func (p *P) connectiveParts() (all [][]string, ok bool) {
	for _, a := range p.Args {
		q, is := a.Object().(*P)
		if !is {
			return nil, false
		}
		parts, has := q.TextParts()
		switch {
		case p.Name == "or":
			if all = append(all, parts...); !has || len(all) > partsMax {
				return nil, false
			}
			ok = true
		case has:
			all, ok = both(all, parts, ok), true
		}
	}
	return all, ok
}

// both is what texts hold that hold one of a and one of b; a alone where those are too many.
func both(a, b [][]string, begun bool) [][]string {
	switch {
	case !begun:
		return b
	case len(a)*len(b) > partsMax:
		return a
	}
	var all [][]string
	for _, x := range a {
		for _, y := range b {
			all = append(all, append(slices.Clip(x), y...))
		}
	}
	return all
}

// regexParts are those of the texts that a pattern is found in.
func regexParts(pattern string) ([][]string, bool) {
	if len(pattern) > regexMax {
		return nil, false
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || RegexSize(tree) > RegexWritten {
		return nil, false
	}
	return partsOf(tree)
}

func partsOf(re *syntax.Regexp) (all [][]string, ok bool) {
	switch re.Op {
	case syntax.OpLiteral:
		// A byte that is no letter matches as if it were this one.
		if re.Flags&syntax.FoldCase != 0 || slices.Contains(re.Rune, utf8.RuneError) {
			return nil, false
		}
		return [][]string{{string(re.Rune)}}, true
	case syntax.OpCapture, syntax.OpPlus:
		return partsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return partsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if parts, has := partsOf(sub); has {
				all, ok = both(all, parts, ok), true
			}
		}
		return all, ok
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			parts, has := partsOf(sub)
			if all = append(all, parts...); !has || len(all) > partsMax {
				return nil, false
			}
		}
		return all, true
	}
	return nil, false
}
