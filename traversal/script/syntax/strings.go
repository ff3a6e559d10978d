package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gremlind/gremlind/traversal/lang"
)

// quoted reads '..', ”'..”', "..", or """..""".
func (l *lexer) quoted(rest string) token {
	quote := rest[:1]
	if len(rest) >= 3 && rest[1] == rest[0] && rest[2] == rest[0] {
		quote = rest[:3]
	}
	start := l.pos
	l.pos += len(quote)
	if n := plainLen(rest[1:], rest[0]); n >= 0 && len(quote) == 1 {
		l.pos += n + 1
		return token{kind: tokenString, content: rest[1 : 1+n], start: start, end: l.pos}
	}
	return l.content(start, quote, quote[0] == '"', true)
}

// plainLen is the length of a string in front of its closing quote, -1 when there is more to
// it than its bytes.
func plainLen(s string, quote byte) int {
	for i := range len(s) {
		switch s[i] {
		case quote:
			return i
		case '\\', '\n', '$':
			return -1
		}
	}
	return -1
}

// slashy reads /../, in which only \/ is an escape.
func (l *lexer) slashy() token {
	l.pos++
	return l.content(l.pos-1, "/", true, false)
}

// content reads up to the closing quote. With dollars it splits at $name and ${..}.
func (l *lexer) content(start int, quote string, dollars, escapes bool) token {
	t := token{kind: tokenString, start: start}
	from := l.pos
	flush := func(to int) bool {
		s, ok := l.unescaped(from, to, escapes)
		t.parts = append(t.parts, part{text: s})
		return ok
	}
	for l.pos < l.limit {
		rest := l.Text[l.pos:l.limit]
		switch {
		case strings.HasPrefix(rest, quote):
			if !flush(l.pos) {
				return token{start: start, end: l.limit}
			}
			l.pos += len(quote)
			t.end = l.pos
			if len(t.parts) == 1 {
				t.content, t.parts = t.parts[0].text, nil
			} else {
				t.kind = tokenGString
			}
			return t
		case strings.HasPrefix(rest, "\\\r\n"):
			l.pos += 3
		case rest[0] == '\\':
			l.pos += min(2, len(rest))
		case rest[0] == '\n' && len(quote) == 1 && escapes:
			return l.stop(l.pos, "Unexpected end of line in a string")
		case rest[0] == '$' && dollars && beginsExpression(rest):
			if !flush(l.pos) || !l.interpolation(&t) {
				return token{start: start, end: l.limit}
			}
			from = l.pos
		default:
			l.pos++
		}
	}
	return l.stop(start, "Unexpected end of a string")
}

func beginsExpression(s string) bool {
	if len(s) < 2 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[1:])
	return r == '{' || r == '_' || unicode.IsLetter(r)
}

// unescaped returns the text between two offsets with its escapes resolved.
func (l *lexer) unescaped(from, to int, escapes bool) (string, bool) {
	raw := l.Text[from:to]
	if !escapes {
		return strings.ReplaceAll(raw, `\/`, "/"), true
	}
	s, err := lang.Unescape(strings.ReplaceAll(joined(raw), `\$`, "$"))
	if err != nil {
		l.stop(from, "%v in a string", err)
		return "", false
	}
	return s, true
}

// joined leaves out the ends of lines that a backslash stands in front of.
func joined(raw string) string {
	if !strings.Contains(raw, "\\\n") && !strings.Contains(raw, "\\\r\n") {
		return raw
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		switch rest := raw[i:]; {
		case strings.HasPrefix(rest, "\\\n"):
			i++
		case strings.HasPrefix(rest, "\\\r\n"):
			i += 2
		case rest[0] == '\\' && len(rest) > 1:
			b.WriteString(rest[:2])
			i++
		default:
			b.WriteByte(rest[0])
		}
	}
	return b.String()
}

// interpolation reads $name.name or ${expression}; the current byte is the dollar.
func (l *lexer) interpolation(t *token) bool {
	l.pos++
	if l.Text[l.pos] == '{' {
		from := l.pos + 1
		to := l.closingBrace(from)
		if to < 0 {
			l.stop(from, "Unexpected end of an expression in a string")
			return false
		}
		t.parts = append(t.parts, part{from: from, to: to})
		l.pos = to + 1
		return true
	}
	from := l.pos
	for {
		l.skipLetters()
		rest := l.Text[l.pos:l.limit]
		if len(rest) < 2 || rest[0] != '.' || !unicode.IsLetter(rune(rest[1])) {
			break
		}
		l.pos++
	}
	t.parts = append(t.parts, part{from: from, to: l.pos})
	return true
}

func (l *lexer) skipLetters() {
	for l.pos < l.limit {
		r, n := utf8.DecodeRuneInString(l.Text[l.pos:l.limit])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return
		}
		l.pos += n
	}
}

// closingBrace finds the } that closes the expression at from, -1 when there is none.
// Braces inside plain strings do not count.
func (l *lexer) closingBrace(from int) int {
	depth := 1
	for i := from; i < l.limit; i++ {
		switch c := l.Text[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '\'', '"':
			for i++; i < l.limit && l.Text[i] != c; i++ {
				if l.Text[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}
