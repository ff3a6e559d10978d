package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Width is how many columns of a terminal a text takes that Clean has seen.
func Width(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return uniseg.StringWidth(s)
		}
	}
	return len(s)
}

// Clip shortens a text to a width; an ellipsis stands for what is missing.
func Clip(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	used := 0
	g := uniseg.NewGraphemes(s)
	var b strings.Builder
	for g.Next() {
		if used+g.Width() > width-1 {
			break
		}
		used += g.Width()
		b.WriteString(g.Str())
	}
	return b.String() + "…"
}

// ClipFront shortens a text to a width from the front.
func ClipFront(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	left := Width(s)
	g := uniseg.NewGraphemes(s)
	for left > width-1 && g.Next() {
		left -= g.Width()
	}
	_, to := g.Positions()
	return "…" + s[to:]
}

// Fold breaks the lines of a text at spaces, so that none is wider than a terminal; what
// goes on begins where its line did. 0 is for no end.
func Fold(text string, width int) string {
	if width <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if Width(line) > width {
			lines[i] = fold(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

func fold(line string, width int) string {
	body := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(body)]
	var b strings.Builder
	at := 0
	for _, word := range strings.Fields(body) {
		switch w := Width(word); {
		case at > 0 && at+1+w <= width:
			b.WriteByte(' ')
			at += 1 + w
		default:
			if at > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(indent)
			if at = len(indent) + w; at > width { // and wraps
				at %= width
			}
		}
		b.WriteString(word)
	}
	return b.String()
}

// pad fills a text up to a width, on the left when right is true.
func pad(b *strings.Builder, s string, width int, right bool) {
	n := max(width-Width(s), 0)
	if right {
		spaces(b, n)
	}
	b.WriteString(s)
	if !right {
		spaces(b, n)
	}
}

func spaces(b *strings.Builder, n int) {
	for range n {
		b.WriteByte(' ')
	}
}

// unsafe reports whether a character means something to a terminal, or hides or reorders
// what stands beside it.
func unsafe(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// Clean writes control characters as escapes.
func Clean(s string) string {
	if strings.IndexFunc(s, unsafe) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !unsafe(r) {
			b.WriteRune(r)
			continue
		}
		switch r {
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case '\r':
			b.WriteString(`\r`)
		default:
			b.WriteString(`\u`)
			const hex = "0123456789abcdef"
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(hex[r>>shift&15])
			}
		}
	}
	return b.String()
}
