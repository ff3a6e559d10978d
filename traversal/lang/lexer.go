package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenInteger
	tokenFloat
	tokenInfinity // with a sign; without one it is a name
	tokenString
	tokenPunctuation // one of ( ) [ ] { } , . : ;
	tokenBad
)

// token is a piece of the source: src[start:end].
type token struct {
	kind       tokenKind
	escaped    bool // a string with a backslash in it
	punct      byte
	start, end int
	problem    string // of a tokenBad
}

// is reports whether t is that punctuation.
func (t token) is(c byte) bool { return t.punct == c }

// lexer cuts src into tokens.
type lexer struct {
	src string
	pos int
}

func (l *lexer) next() token {
	l.skipSpace()
	start := l.pos
	if start >= len(l.src) {
		return token{kind: tokenEnd, start: start, end: start}
	}
	c := l.src[start]
	switch {
	case isNameStart(c):
		l.skipName()
		return token{kind: tokenName, start: start, end: l.pos}
	case c >= '0' && c <= '9':
		return l.number(start)
	case c == '"' || c == '\'':
		return l.quoted(c)
	case c == '.' && l.beginsFraction(start):
		return l.number(start)
	case strings.IndexByte("().,[]{}:;", c) >= 0:
		l.pos++
		return token{kind: tokenPunctuation, punct: c, start: start, end: l.pos}
	case c == '+' || c == '-':
		return l.signed(start)
	case c >= utf8.RuneSelf:
		if r, n := utf8.DecodeRuneInString(l.src[start:]); isLetter(r) {
			l.pos += n
			l.skipName()
			return token{kind: tokenName, start: start, end: l.pos}
		}
	}
	_, n := utf8.DecodeRuneInString(l.src[start:])
	return l.bad(start, start+n, "unexpected character "+quoteChar(l.src[start:start+n]))
}

func (l *lexer) bad(start, end int, problem string) token {
	l.pos = end
	return token{kind: tokenBad, start: start, end: end, problem: problem}
}

func quoteChar(s string) string {
	if s == "'" {
		return `"'"`
	}
	return "'" + printable(s) + "'"
}

// skipSpace passes white space and // comments.
func (l *lexer) skipSpace() {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f':
			l.pos++
		case c == '/' && strings.HasPrefix(l.src[l.pos:], "//"):
			if i := strings.IndexAny(l.src[l.pos:], "\r\n"); i >= 0 {
				l.pos += i
			} else {
				l.pos = len(l.src)
			}
		default:
			return
		}
	}
}

func isNameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Sc, r) }

func (l *lexer) skipName() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		if isNameStart(c) || c >= '0' && c <= '9' {
			l.pos++
			continue
		}
		if c < utf8.RuneSelf {
			return
		}
		r, n := utf8.DecodeRuneInString(l.src[l.pos:])
		if !isLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return
		}
		l.pos += n
	}
}

// quoted reads a string literal; escapes are checked when it is used.
func (l *lexer) quoted(quote byte) token {
	t := token{kind: tokenString, start: l.pos}
	for i := l.pos + 1; i < len(l.src); i++ {
		switch l.src[i] {
		case quote:
			l.pos = i + 1
			t.end = l.pos
			return t
		case '\\':
			t.escaped = true
			i++
		}
	}
	return l.bad(t.start, len(l.src), "the string that begins here does not end")
}

// signed reads what follows a sign: a number or Infinity.
func (l *lexer) signed(start int) token {
	const infinity = "Infinity"
	rest := l.src[start+1:]
	if rest != "" && isDigit(rest[0]) || l.beginsFraction(start+1) {
		return l.number(start)
	}
	if strings.HasPrefix(rest, infinity) {
		l.pos = start + 1
		l.skipName()
		if l.pos == start+1+len(infinity) {
			return token{kind: tokenInfinity, start: start, end: l.pos}
		}
	}
	return l.bad(start, start+1, "unexpected character "+quoteChar(l.src[start:start+1])+": gremlin-lang has no arithmetic")
}
