package lang

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unescape resolves the escapes of Java in the content of a string literal. A
// backslash before the end of a line is dropped, the end of the line stays, as in
// the reference.
func Unescape(s string) (string, error) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, nil
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		j := strings.IndexByte(s[i:], '\\')
		if j < 0 {
			b.WriteString(s[i:])
			break
		}
		b.WriteString(s[i : i+j])
		i += j + 1
		n, err := escape(&b, s[i:])
		if err != nil {
			return "", err
		}
		i += n
	}
	return b.String(), nil
}

var simpleEscapes = map[byte]byte{
	'b': '\b', 't': '\t', 'n': '\n', 'f': '\f', 'r': '\r', '"': '"', '\'': '\'', '\\': '\\',
}

// escape writes the character that s stands for behind a backslash and returns how
// many bytes of s it took.
func escape(b *strings.Builder, s string) (int, error) {
	if s == "" {
		return 0, errors.New("a backslash ends the string")
	}
	if c, ok := simpleEscapes[s[0]]; ok {
		b.WriteByte(c)
		return 1, nil
	}
	switch {
	case s[0] == 'u':
		return unicodeEscape(b, s)
	case s[0] >= '0' && s[0] <= '7':
		n := 1
		for n < len(s) && n < 3 && s[n] >= '0' && s[n] <= '7' && (n < 2 || s[0] <= '3') {
			n++
		}
		r := rune(0)
		for _, c := range s[:n] {
			r = r*8 + c - '0'
		}
		b.WriteRune(r)
		return n, nil
	case s[0] == '\n':
		b.WriteByte('\n')
		return 1, nil
	case strings.HasPrefix(s, "\r\n"):
		b.WriteString("\r\n")
		return 2, nil
	}
	_, n := utf8.DecodeRuneInString(s)
	return 0, fmt.Errorf("unknown escape \\%s", printable(s[:n]))
}

// unicodeEscape reads uXXXX, and a second one when the first is half of a pair.
func unicodeEscape(b *strings.Builder, s string) (int, error) {
	r, n, ok := codeUnit(s)
	if !ok {
		return 0, errors.New("\\u needs four hexadecimal digits")
	}
	if !utf16.IsSurrogate(r) {
		b.WriteRune(r)
		return n, nil
	}
	if strings.HasPrefix(s[n:], "\\u") {
		if low, m, ok := codeUnit(s[n+1:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				b.WriteRune(pair)
				return n + 1 + m, nil
			}
		}
	}
	return 0, fmt.Errorf("\\u%04X is half of a surrogate pair", r)
}

// codeUnit reads u's and four hexadecimal digits.
func codeUnit(s string) (rune, int, bool) {
	n := 0
	for n < len(s) && s[n] == 'u' {
		n++
	}
	if n == 0 || n+4 > len(s) {
		return 0, 0, false
	}
	r := rune(0)
	for _, c := range []byte(s[n : n+4]) {
		if !isHex(c) {
			return 0, 0, false
		}
		d := rune(c - '0')
		if c > '9' {
			d = rune(lower(c)-'a') + 10
		}
		r = r<<4 | d
	}
	return r, n + 4, true
}
