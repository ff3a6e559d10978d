package lang

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is a text that cannot be read: where and why.
type Error struct {
	Line, Column int // from 1; columns count characters
	Message      string
	// Excerpt is the line around the place, at most excerptMax characters, and Caret
	// the number of characters of it before the place.
	Excerpt string
	Caret   int
	// meant says which name was, "" for none. What is read as a script next does not ask.
	meant func() string
	// Class is the Java exception that the reference reports.
	Class string
}

// Java classes of errors.
const (
	parserException   = "org.apache.tinkerpop.gremlin.language.grammar.GremlinParserException"
	variableException = "org.apache.tinkerpop.gremlin.language.grammar.VariableResolverException"
)

// JavaClass is the exception that the reference reports.
func (e *Error) JavaClass() string { return e.Class }

// Error shows the place, what is wrong there, and the source with a caret.
func (e *Error) Error() string {
	if e.Class == variableException {
		return e.Message // drivers' tests compare it whole
	}
	s := fmt.Sprintf("Failed to interpret Gremlin query: %d:%d: %s", e.Line, e.Column, e.Message)
	if e.meant != nil {
		s += e.meant()
	}
	if e.Excerpt == "" {
		return s
	}
	return s + "\n  " + e.Excerpt + "\n  " + strings.Repeat(" ", e.Caret) + "^"
}

const excerptMax = 120 // characters of the source that an error shows

// newError locates a byte offset in src.
func newError(src string, offset int, class, message string) *Error {
	offset = min(offset, len(src))
	start := strings.LastIndexByte(src[:offset], '\n') + 1
	end := len(src)
	if i := strings.IndexByte(src[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	e := &Error{
		Line:    strings.Count(src[:start], "\n") + 1,
		Column:  utf8.RuneCountInString(src[start:offset]) + 1,
		Message: message,
		Class:   class,
	}
	before, after := clip(src[start:offset], true), clip(src[offset:end], false)
	e.Excerpt = printable(before + after)
	e.Caret = utf8.RuneCountInString(before)
	return e
}

// clip keeps the half of an excerpt's characters that is nearest to the place.
func clip(s string, last bool) string {
	const most = excerptMax / 2
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	r := []rune(s)
	if last {
		return "..." + string(r[len(r)-most+3:])
	}
	return string(r[:most-3]) + "..."
}

// printable replaces control characters one for one, so that the caret stays right.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// abbreviated shortens a literal for a message.
func abbreviated(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}
