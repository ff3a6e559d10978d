package complete

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// place is what stands in front of a cursor.
type place struct {
	from int    // where the word at the cursor begins
	word string // as far as the cursor
	// quote is the text that the cursor stands in, 0 for none.
	quote byte
	// calls are the steps whose arguments are open around the cursor, the nearest last;
	// "" for brackets that belong to none.
	calls []string
	// argument is the number of commas in the nearest.
	argument []int
}

// read looks at the text in front of a cursor.
func read(text string) place {
	var p place
	name := ""      // the identifier that ended last
	var from int    // where the identifier that stands began
	inName := false // an identifier stands at i
	for i := 0; i < len(text); i++ {
		c := text[i]
		if p.quote != 0 {
			if c == '\\' {
				i++
			} else if c == p.quote {
				p.quote, name = 0, ")"
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if c == '_' || unicode.IsLetter(r) || inName && unicode.IsDigit(r) {
			if !inName {
				from, inName = i, true
			}
			i += size - 1
			continue
		}
		if inName {
			name, inName = text[from:i], false
		}
		p.mark(c, i, &name)
	}
	if p.quote == 0 {
		p.from = len(text)
		if inName {
			p.from = from
		}
	}
	p.word = text[min(p.from, len(text)):]
	return p
}

// mark takes note of a character that belongs to no name.
func (p *place) mark(c byte, i int, name *string) {
	switch c {
	case '\'', '"':
		p.quote, p.from = c, i+1
		return
	case '(', '[', '{':
		call := ""
		if c == '(' {
			call = *name
		}
		p.calls, p.argument = append(p.calls, call), append(p.argument, 0)
		*name = ""
	case ')', ']', '}':
		if n := len(p.calls); n > 0 {
			p.calls, p.argument = p.calls[:n-1], p.argument[:n-1]
		}
		*name = ")"
	case ' ', '\t', '\n', '\r':
	default:
		if c == ',' && len(p.argument) > 0 {
			p.argument[len(p.argument)-1]++
		}
		*name = ""
	}
}

// call is the step whose argument the cursor stands in, and which argument.
func (p *place) call() (name string, argument int) {
	for i := len(p.calls) - 1; i >= 0; i-- {
		if p.calls[i] != "" {
			return p.calls[i], p.argument[i]
		}
	}
	return "", 0
}

// afterDot reports whether the word stands behind a dot, and behind what the dot stands.
func (p *place) afterDot(text string) (string, bool) {
	head := strings.TrimRight(text[:p.from], " \t\r\n")
	if !strings.HasSuffix(head, ".") {
		return "", false
	}
	head = strings.TrimRight(head[:len(head)-1], " \t\r\n")
	i := len(head)
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(head[:i])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		i -= size
	}
	if i < len(head) {
		return head[i:], true
	}
	return ")", true
}
