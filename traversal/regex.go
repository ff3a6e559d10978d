package traversal

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

const (
	// regexMax bounds the bytes of the pattern of TextP.regex.
	regexMax = 64 << 10
	// RegexWritten bounds what RegexSize gives: matching takes time in proportion to it.
	RegexWritten = 100_000
)

// RegexSize is the number of characters and operators of a pattern whose repetitions are
// written out; of one beyond RegexWritten it is only known to be larger.
func RegexSize(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += RegexSize(sub)
		if n > RegexWritten {
			return n
		}
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, RegexWritten+1)
}

func compileRegex(pattern string) (*regexp.Regexp, error) {
	if len(pattern) > regexMax {
		return nil, fmt.Errorf("the regular expression has %d bytes, more than the limit of %d", len(pattern), regexMax)
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("unsupported construct in the regular expression: %w", err)
	}
	if RegexSize(tree) > RegexWritten {
		return nil, fmt.Errorf("the regular expression comes to more than %d characters with its repetitions", RegexWritten)
	}
	return regexp.Compile(pattern)
}
