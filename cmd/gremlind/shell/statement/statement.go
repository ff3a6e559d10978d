// Package statement tells where statements of Gremlin text end: what the console waits
// for before it sends a line, and how a file becomes requests. It knows brackets, texts
// and comments of Groovy and of gremlin-lang, and nothing else of either.
package statement

import "strings"

// Statement is one statement of a text.
type Statement struct {
	Text string
	Line int // of its beginning in the text, from 1
}

// scanner goes through a text and knows what is open.
type scanner struct {
	text string
	at   int
	open []byte // closing brackets that are awaited
	// part is what an unended text or comment began with; "" for none.
	part string
}

// next moves behind one character, text or comment, and returns it. Comments give " ".
func (s *scanner) next() string {
	rest := s.text[s.at:]
	switch {
	case strings.HasPrefix(rest, "//"):
		n := strings.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		s.at += n
		return " "
	case strings.HasPrefix(rest, "/*"):
		return s.until("/*", "*/", " ")
	case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, "'''"):
		return s.until(rest[:3], rest[:3], "")
	case rest[0] == '"' || rest[0] == '\'':
		return s.until(rest[:1], rest[:1], "")
	}
	s.at++
	s.bracket(rest[0])
	return rest[:1]
}

// until moves behind the end of what began; as stands for it, itself when empty.
func (s *scanner) until(begin, end, as string) string {
	from := s.at
	for i := from + len(begin); i < len(s.text); i++ {
		if s.text[i] == '\\' && as == "" {
			i++
			continue
		}
		if strings.HasPrefix(s.text[i:], end) {
			s.at = i + len(end)
			if as == "" {
				as = s.text[from:s.at]
			}
			return as
		}
	}
	s.at, s.part = len(s.text), begin
	return s.text[from:]
}

func (s *scanner) bracket(c byte) {
	switch c {
	case '(':
		s.open = append(s.open, ')')
	case '[':
		s.open = append(s.open, ']')
	case '{':
		s.open = append(s.open, '}')
	case ')', ']', '}':
		if n := len(s.open); n > 0 && s.open[n-1] == c {
			s.open = s.open[:n-1]
		}
	}
}

// Complete reports whether a text can be sent: no bracket, text or comment is open, and
// its end does not ask for more.
func Complete(text string) bool {
	s := scanner{text: text}
	last := ""
	for s.at < len(text) {
		if part := s.next(); strings.TrimSpace(part) != "" {
			last = part
		}
	}
	// A text in one quote ends with its line whatever comes: the server says what is wrong.
	waits := len(s.part) > 1
	return len(s.open) == 0 && !waits && !unended(last)
}

// Split cuts a text at semicolons and at ends of lines where nothing is open and the next
// line does not go on with a dot. Statements keep every character between their first and
// their last.
func Split(text string) []Statement {
	var out []Statement
	s := scanner{text: text}
	var from, to int // of the statement's characters; to is 0 before the first
	line, began := 1, 1
	last := ""
	end := func() {
		if to > 0 {
			out = append(out, Statement{text[from:to], began})
		}
		to, last = 0, ""
	}
	for s.at < len(text) {
		at := s.at
		part := s.next()
		outside := len(s.open) == 0
		switch {
		case part == ";" && outside:
			end()
		case part == "\n" && outside && to > 0 && !unended(last) && !goesOn(text[s.at:]):
			end()
		case strings.TrimSpace(part) != "":
			if to == 0 {
				from, began = at, line
			}
			to, last = s.at, part
		}
		line += strings.Count(text[at:s.at], "\n")
	}
	end()
	return out
}

// unended reports whether what stands last in a line asks for more.
func unended(last string) bool { return last == "." || last == "," || last == "\\" }

// goesOn reports whether what follows continues a statement: behind blank lines and
// comments it begins with a dot, a closing bracket, or what Groovy puts behind a block.
func goesOn(rest string) bool {
	s := scanner{text: rest}
	for s.at < len(rest) {
		at := s.at
		if part := s.next(); strings.TrimSpace(part) == "" {
			continue
		}
		rest = rest[at:]
		for _, word := range []string{".", "?.", ")", "]", "}", "else", "catch", "finally"} {
			if strings.HasPrefix(rest, word) && !wordGoesOn(rest, word) {
				return true
			}
		}
		return false
	}
	return false
}

// wordGoesOn tells else from elsewhere.
func wordGoesOn(rest, word string) bool {
	if word[0] < 'a' || len(rest) == len(word) {
		return false
	}
	c := rest[len(word)]
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
