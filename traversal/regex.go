package traversal

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// Regular expressions take time in proportion to the text and to the pattern with its
// repetitions written out, and cannot be interrupted. Each search is therefore bounded.
const (
	// regexMax bounds the bytes of the pattern of TextP.regex.
	regexMax = 64 << 10
	// RegexWritten bounds what RegexSize gives: matching takes time in proportion to it.
	RegexWritten = 100_000
	// RegexSearch bounds the bytes of a text times RegexSize of what is looked for in it.
	RegexSearch = 16 << 20
	// regexBytes is what one character of a pattern takes that is written out.
	regexBytes = 64
)

// Regex is a regular expression that was read.
type Regex struct {
	exp     *regexp.Regexp
	written int
	plain   bool // it finds itself alone, which is fast
	w       Worker
}

// NewRegex reads a pattern. Whatever it takes is told to w, which may be nil.
func NewRegex(w Worker, pattern string) (*Regex, error) {
	if len(pattern) > regexMax {
		return nil, fmt.Errorf("the regular expression has %d bytes, more than the limit of %d", len(pattern), regexMax)
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("unsupported construct in the regular expression: %w", err)
	}
	x := &Regex{written: RegexSize(tree), plain: regexp.QuoteMeta(pattern) == pattern, w: w}
	if x.written > RegexWritten {
		return nil, fmt.Errorf("the regular expression comes to more than %d characters with its repetitions", RegexWritten)
	}
	if err := worked(w, regexBytes*x.written); err != nil {
		return nil, err
	}
	x.exp, err = regexp.Compile(pattern)
	return x, err
}

// Finds reports whether there is a match in s. A text that is too long for the pattern
// is an error.
func (x *Regex) Finds(s string) (bool, error) {
	work := len(s)
	if !x.plain {
		if most := RegexSearch / (x.written + 1); len(s) > most {
			return false, illegalArgument("a text of %d bytes is too long for a regular expression of %d characters: %d are possible", len(s), x.written, most)
		}
		work *= x.written + 1
	}
	if err := worked(x.w, work); err != nil {
		return false, err
	}
	return x.exp.MatchString(s), nil
}

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
