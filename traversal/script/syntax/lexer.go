package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenInteger
	tokenDecimal
	tokenString  // without interpolation; content, escapes resolved
	tokenGString // with interpolation; parts
	tokenOperator
)

// token is a piece of a script.
type token struct {
	kind       tokenKind
	newline    bool   // a line ends before it
	text       string // "" for strings, so that none is taken for an operator
	content    string // of a string
	start, end int
	parts      []part
}

// part is a piece of a GString: text, or the expression between from and to.
type part struct {
	text     string
	from, to int // 0, 0 for text
}

// lexer cuts a script into tokens.
type lexer struct {
	*machine.Source
	pos, limit int
	// operand is set behind a token that ends an operand, where / divides.
	operand bool
	err     error
}

// operators, those that others begin with behind the longer ones.
var operators = []string{
	">>>=", "**=", "<=>", "===", "!==", "==~", "<<=", ">>=", ">>>", "..<", "...",
	"?.", "*.", ".&", "?:", "?=", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"**", "<<", ">>", "..", "==", "!=", "<=", ">=", "&&", "||", "=~", "::",
	"+", "-", "*", "/", "%", "=", "<", ">", "!", "~", "?", ":", ".", ",", ";", "(", ")", "[", "]", "{", "}", "&", "|", "^", "@",
}

// operatorsBy are the operators by their first byte.
var operatorsBy = func() (by [128][]string) {
	for _, op := range operators {
		by[op[0]] = append(by[op[0]], op)
	}
	return by
}()

func (l *lexer) next() token {
	newline := l.skipSpace()
	t := l.scan()
	t.newline = newline
	switch t.kind {
	case tokenName:
		l.operand = !operatorWord(t.text)
	case tokenOperator:
		l.operand = t.text == ")" || t.text == "]" || t.text == "}"
	default:
		l.operand = true
	}
	return t
}

// operatorWord reports whether an operand is expected behind a name.
func operatorWord(name string) bool {
	switch name {
	case "return", "in", "instanceof", "as", "case", "throw", "else", "assert":
		return true
	}
	return false
}

func (l *lexer) scan() token {
	start := l.pos
	if start >= l.limit {
		return token{start: start, end: start}
	}
	c := l.Text[start]
	rest := l.Text[start:l.limit]
	switch {
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]) && !l.operand:
		return l.number(rest)
	case c == '\'' || c == '"':
		return l.quoted(rest)
	case c == '/' && !l.operand:
		return l.slashy()
	}
	if n := nameLen(rest); n > 0 {
		l.pos += n
		return token{kind: tokenName, text: rest[:n], start: start, end: l.pos}
	}
	for _, op := range operatorsBy[c&127] {
		if strings.HasPrefix(rest, op) {
			l.pos += len(op)
			return token{kind: tokenOperator, text: op, start: start, end: l.pos}
		}
	}
	_, n := utf8.DecodeRuneInString(rest)
	return l.stop(start, "Unexpected character: '%s'", rest[:n])
}

// nameLen is the length of the name that s begins with, 0 when it begins with none.
func nameLen(s string) int {
	if s == "" || isDigit(s[0]) {
		return 0
	}
	for n := 0; n < len(s); {
		if s[n] < utf8.RuneSelf {
			if !inNames[s[n]] {
				return n
			}
			n++
			continue
		}
		r, m := utf8.DecodeRuneInString(s[n:])
		if !unicode.IsLetter(r) && (n == 0 || !unicode.IsDigit(r)) {
			return n
		}
		n += m
	}
	return len(s)
}

// inNames are the bytes of ASCII that names are of.
var inNames = func() (in [256]bool) {
	for c := range utf8.RuneSelf {
		in[c] = c == '_' || c == '$' || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
	}
	return in
}()

// stop records the first error and ends the text.
func (l *lexer) stop(at int, format string, args ...any) token {
	if l.err == nil {
		l.err = l.Syntax(at, format, args...)
	}
	l.pos = l.limit
	return token{start: at, end: l.limit}
}

// skipSpace passes white space and comments and reports whether a line ended.
func (l *lexer) skipSpace() (newline bool) {
	for l.pos < l.limit {
		rest := l.Text[l.pos:l.limit]
		switch c := rest[0]; {
		case c == '\n':
			newline = true
			l.pos++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			l.pos++
		case c != '\\' && c != '/' && c != '#':
			return newline
		case c == '\\' && (strings.HasPrefix(rest, "\\\n") || strings.HasPrefix(rest, "\\\r\n")):
			l.pos += strings.IndexByte(rest, '\n') + 1
		case strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "#!") && l.pos == 0:
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.pos += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				l.stop(l.pos, "Unexpected end of comment")
				return newline
			}
			newline = newline || strings.IndexByte(rest[:n+4], '\n') >= 0
			l.pos += n + 4
		default:
			return newline
		}
	}
	return newline
}

// binaryLen is the length of the literal 0b101 with its suffix, 0 when s begins with none.
func binaryLen(s string) int {
	if len(s) < 3 || s[0] != '0' || s[1] != 'b' && s[1] != 'B' {
		return 0
	}
	n := 2
	for n < len(s) && n < machine.NumberMax && (s[n] == '0' || s[n] == '1' || s[n] == '_' && n > 2) {
		n++
	}
	if n == 2 {
		return 0
	}
	if n < len(s) && strings.IndexByte("iIlLgG", s[n]) >= 0 {
		n++
	}
	return n
}

func (l *lexer) number(rest string) token {
	start, lead := l.pos, 0
	if n := binaryLen(rest); n > 0 {
		l.pos += n
		return token{kind: tokenInteger, text: rest[:n], start: start, end: l.pos}
	}
	if rest[0] == '.' {
		lead = 1
	}
	n, float := lang.ScanNumber(rest[lead:])
	if n > machine.NumberMax {
		return l.stop(start, "Number is longer than %d digits", machine.NumberMax)
	}
	// 5.times and 1..2 are calls and ranges, 1b and 1s are no Groovy numbers.
	if !float && strings.IndexByte("bBsSnN", rest[n-1]) >= 0 && !strings.HasPrefix(rest, "0x") {
		n--
	}
	if lead == 1 {
		l.pos += n + 1
		return token{kind: tokenDecimal, text: "0" + rest[:n+1], start: start, end: l.pos}
	}
	l.pos += n
	t := token{kind: tokenInteger, text: rest[:n], start: start, end: l.pos}
	if float {
		t.kind = tokenDecimal
		if s := t.text[n-1]; s == 'm' || s == 'M' {
			return l.stop(start, "Unexpected input: '%s'", t.text)
		}
	}
	return t
}
