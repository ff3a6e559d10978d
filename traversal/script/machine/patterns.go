package machine

import (
	"regexp"
	"regexp/syntax"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Regular expressions are bounded as those of TextP.regex are (traversal.Regex).
const (
	PatternMax = 10_000 // bytes of a pattern
)

// Pattern is a regular expression that was read, for scripts a java.util.regex.Pattern.
type Pattern struct {
	*regexp.Regexp
	written int
	Literal bool // plain text
}

// patternBytes is what a pattern takes at least, and what each of its parts takes.
const patternBytes, patternPartBytes = 1 << 10, 96

// Keeps is what the pattern takes.
func (p *Pattern) Keeps() ([]value.Value, int) {
	return nil, patternBytes + patternPartBytes*p.written + len(p.String())
}

// Compiled reads a regular expression, within bounds.
func (m *Machine) Compiled(text string) (*Pattern, error) {
	if len(text) > PatternMax {
		return nil, Fail(ArgumentException, "a regular expression of %d bytes is longer than %d", len(text), PatternMax)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, wrongPattern(err)
	}
	p := &Pattern{written: traversal.RegexSize(tree), Literal: regexp.QuoteMeta(text) == text}
	if p.written > traversal.RegexWritten {
		return nil, Fail(ArgumentException, "a regular expression comes to %d characters with its repetitions, more than %d", p.written, traversal.RegexWritten)
	}
	if err := m.Charge(CallableBytes + 64*p.written); err != nil {
		return nil, err
	}
	if p.Regexp, err = regexp.Compile(text); err != nil {
		return nil, wrongPattern(err)
	}
	return p, nil
}

func wrongPattern(err error) error {
	return Fail("java.util.regex.PatternSyntaxException", "regular expression: %v", err)
}

// Searches counts a search through a text.
func (m *Machine) Searches(p *Pattern, s string) error {
	if p.Literal {
		return m.Work(len(s))
	}
	if len(s) > traversal.RegexSearch/(p.written+1) {
		return Fail(ArgumentException, "a text of %d bytes is too long for a regular expression of %d characters: %d are possible",
			len(s), p.written, traversal.RegexSearch/(p.written+1))
	}
	return m.Work(len(s) * (p.written + 1) / 4)
}

// ExpressionOf is the regular expression of a pattern or of a text.
func (m *Machine) ExpressionOf(v value.Value) (*Pattern, error) {
	if p, ok := Foreign(v).(*Pattern); ok {
		return p, nil
	}
	return m.Compiled(m.String(v))
}

// Matches is ==~ and =~: whether a pattern fits the whole of a text, or what it fits in it.
func (m *Machine) Matches(a, b value.Value, whole bool) (value.Value, error) {
	if !whole {
		p, err := m.ExpressionOf(b)
		if err != nil {
			return value.Null, err
		}
		return m.Match(p, m.String(a))
	}
	p, err := m.Compiled("^(?:" + m.String(b) + ")$")
	if err != nil {
		return value.Null, err
	}
	s := m.String(a)
	if err := m.Searches(p, s); err != nil {
		return value.Null, err
	}
	return value.Bool(p.MatchString(s)), nil
}
