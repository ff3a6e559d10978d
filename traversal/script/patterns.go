package script

import (
	"regexp"
	"regexp/syntax"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Regular expressions are bounded as those of TextP.regex are (traversal.Regex).
const (
	patternMax = 10_000 // bytes of a pattern
)

// pattern is a regular expression that was read, for scripts a java.util.regex.Pattern.
type pattern struct {
	*regexp.Regexp
	written int
	literal bool // plain text
}

func (m *machine) compiled(text string) (*pattern, error) {
	if len(text) > patternMax {
		return nil, fail(argumentException, "a regular expression of %d bytes is longer than %d", len(text), patternMax)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, wrongPattern(err)
	}
	p := &pattern{written: traversal.RegexSize(tree), literal: regexp.QuoteMeta(text) == text}
	if p.written > traversal.RegexWritten {
		return nil, fail(argumentException, "a regular expression comes to %d characters with its repetitions, more than %d", p.written, traversal.RegexWritten)
	}
	if err := m.charge(64 * p.written); err != nil {
		return nil, err
	}
	if p.Regexp, err = regexp.Compile(text); err != nil {
		return nil, wrongPattern(err)
	}
	return p, nil
}

func wrongPattern(err error) error {
	return fail("java.util.regex.PatternSyntaxException", "regular expression: %v", err)
}

// searches counts a search through a text.
func (m *machine) searches(p *pattern, s string) error {
	if p.literal {
		return m.Work(len(s))
	}
	if len(s) > traversal.RegexSearch/(p.written+1) {
		return fail(argumentException, "a text of %d bytes is too long for a regular expression of %d characters: %d are possible",
			len(s), p.written, traversal.RegexSearch/(p.written+1))
	}
	return m.Work(len(s) * (p.written + 1) / 4)
}

// expressionOf is the regular expression of a pattern or of a text.
func (m *machine) expressionOf(v value.Value) (*pattern, error) {
	if p, ok := foreign(v).(*pattern); ok {
		return p, nil
	}
	return m.compiled(m.string(v))
}

// matches is ==~ and =~: whether a pattern fits the whole of a text, or what it fits in it.
func (m *machine) matches(a, b value.Value, whole bool) (value.Value, error) {
	if !whole {
		p, err := m.expressionOf(b)
		if err != nil {
			return value.Null, err
		}
		return m.match(p, m.string(a))
	}
	p, err := m.compiled("^(?:" + m.string(b) + ")$")
	if err != nil {
		return value.Null, err
	}
	s := m.string(a)
	if err := m.searches(p, s); err != nil {
		return value.Null, err
	}
	return value.Bool(p.MatchString(s)), nil
}
