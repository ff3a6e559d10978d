package graphio

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	// csvChunk is how much is read at a time.
	csvChunk = 256 << 10
	// csvRecordMax bounds one record; a quote that is never closed ends there.
	csvRecordMax = 1 << 30
)

// csvScanner cuts a stream into records by the rules of encoding/csv, whose errors it
// gives, in a third of its time (BenchmarkCSVScanner: 113 and 35 MB/s): fields are pieces
// of the text that was read.
type csvScanner struct {
	r      io.Reader
	sep    byte   // between fields
	fill   func() // called before a read, which may take long; may be nil
	buf    []byte
	chunk  string // what is read and not yet cut
	quotes bool   // chunk may hold some
	// suspect is set when chunk may hold what is not UTF-8; half a character at its end
	// is enough.
	suspect bool
	ended   bool   // nothing follows chunk
	line    int    // of the text that chunk begins with
	bad     string // the last record that was malformed
	fields  []string
}

// next returns the fields of the next record, valid until the next call, and its line.
// The error is io.EOF, a *csv.ParseError, behind which reading goes on, or the reader's.
func (s *csvScanner) next() (fields []string, line int, err error) {
	for {
		at := strings.IndexByte(s.chunk, '\n')
		if at < 0 && !s.ended {
			if err := s.more(); err != nil {
				return nil, s.line, err
			}
			continue
		}
		text, size := s.chunk, len(s.chunk)
		if at >= 0 {
			text, size = s.chunk[:at], at+1
		} else if size == 0 {
			return nil, s.line, io.EOF
		}
		text = strings.TrimSuffix(text, "\r")
		if text == "" {
			s.advance(size)
			continue
		}
		line = s.line
		if s.quotes && strings.IndexByte(text, '"') >= 0 {
			fields, err = s.quoted()
			return fields, line, err
		}
		s.fields = splitFields(s.fields[:0], text, s.sep)
		s.chunk = s.chunk[size:]
		s.line++
		return s.fields, line, nil
	}
}

// validText reports whether all fields are UTF-8.
func validText(fields []string) bool {
	for _, f := range fields {
		if !utf8.ValidString(f) {
			return false
		}
	}
	return true
}

// header is next for a header, where quotes may also stand around a name alone, as in
// "first name":String, or behind spaces.
func (s *csvScanner) header() ([]string, error) {
	if err := s.separator(); err != nil {
		return nil, err
	}
	fields, _, err := s.next()
	var bad *csv.ParseError
	if !errors.As(err, &bad) {
		return fields, err
	}
	fields = fields[:0]
	var field strings.Builder
	quoted := false
	for _, c := range strings.TrimRight(s.bad, "\r\n") {
		switch {
		case c == '"':
			quoted = !quoted
		case c == rune(s.sep) && !quoted:
			fields = append(fields, field.String())
			field.Reset()
		default:
			field.WriteRune(c)
		}
	}
	if quoted {
		return nil, err
	}
	return append(fields, field.String()), nil
}

// separator finds what stands between the fields: a comma, or in a header without one a
// semicolon or a tab. Spreadsheets may say it in a line of its own.
func (s *csvScanner) separator() error {
	s.sep = ','
	var line string
	for {
		blank := len(s.chunk) - len(strings.TrimLeft(s.chunk, "\r\n"))
		at := strings.IndexByte(s.chunk[blank:], '\n')
		if at >= 0 {
			line = s.chunk[blank : blank+at]
			break
		}
		if s.ended {
			line = s.chunk[blank:]
			break
		}
		if err := s.more(); err != nil {
			return err
		}
	}
	if said, ok := strings.CutPrefix(strings.ToLower(strings.TrimRight(line, "\r")), "sep="); ok && len(said) == 1 && said[0] != '"' {
		s.sep = said[0]
		s.advance(min(len(s.chunk), strings.Index(s.chunk, line)+len(line)+1))
		return nil
	}
	line = outsideQuotes(line)
	for _, sep := range []byte{',', ';', '\t'} {
		if strings.IndexByte(line, sep) >= 0 {
			s.sep = sep
			break
		}
	}
	return nil
}

// outsideQuotes is a line without what stands between quotes.
func outsideQuotes(line string) string {
	parts := strings.Split(line, `"`)
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		b.WriteString(parts[i])
	}
	return b.String()
}

func splitFields(dst []string, text string, sep byte) []string {
	for {
		at := strings.IndexByte(text, sep)
		if at < 0 {
			return append(dst, text)
		}
		dst = append(dst, text[:at])
		text = text[at+1:]
	}
}

// advance goes behind the first n bytes of the chunk.
func (s *csvScanner) advance(n int) {
	s.line += strings.Count(s.chunk[:n], "\n")
	s.chunk = s.chunk[n:]
}

// more adds to the chunk what comes next in the stream.
func (s *csvScanner) more() error {
	if s.fill != nil {
		s.fill()
	}
	if len(s.chunk) > csvRecordMax {
		return errors.New("a record is longer than 1 GiB: is a quote never closed?")
	}
	if len(s.buf) < len(s.chunk) || s.buf == nil {
		s.buf = make([]byte, max(csvChunk, 2*len(s.chunk))) // so that a long record is not read in small steps
	}
	n, err := s.read(max(1, len(s.chunk)))
	var b strings.Builder
	b.Grow(len(s.chunk) + n)
	b.WriteString(s.chunk)
	b.Write(s.buf[:n])
	s.chunk = b.String()
	s.quotes = strings.IndexByte(s.chunk, '"') >= 0
	s.suspect = !utf8.ValidString(s.chunk)
	return err
}

// read reads at least so many bytes into buf, unless the stream ends before.
func (s *csvScanner) read(least int) (n int, err error) {
	for n < least && err == nil {
		var m int
		m, err = s.r.Read(s.buf[n:])
		n += m
	}
	if errors.Is(err, io.EOF) {
		s.ended, err = true, nil
	}
	return n, err
}

// errMalformed says that a record is left to encoding/csv, errIncomplete that it goes
// on behind the chunk.
var (
	errMalformed  = errors.New("malformed")
	errIncomplete = errors.New("incomplete")
)

// quoted returns a record that has quotes.
func (s *csvScanner) quoted() ([]string, error) {
	for {
		size, err := s.split()
		switch {
		case err == nil:
			s.advance(size)
			return s.fields, nil
		case errors.Is(err, errMalformed):
			fields, size, err := s.malformed()
			if size < len(s.chunk) || s.ended {
				s.advance(size)
				return fields, err
			}
		}
		if err := s.more(); err != nil {
			return nil, err
		}
	}
}

// split cuts the record that the chunk begins with and returns its size.
func (s *csvScanner) split() (size int, err error) {
	s.fields = s.fields[:0]
	at := 0
	for {
		var field string
		var more bool
		if at < len(s.chunk) && s.chunk[at] == '"' {
			field, size, more, err = s.quotedField(at)
		} else {
			field, size, more, err = s.plainField(at)
		}
		if err != nil {
			return 0, err
		}
		s.fields = append(s.fields, field)
		if !more {
			return size, nil
		}
		at = size
	}
}

// plainField returns a field that does not begin with a quote, and where the next
// field, if there are more, or the next record begins.
func (s *csvScanner) plainField(at int) (field string, next int, more bool, err error) {
	rest := s.chunk[at:]
	end := strings.IndexByte(rest, '\n')
	next = at + end + 1
	if end < 0 {
		if !s.ended {
			return "", 0, false, errIncomplete
		}
		end, next = len(rest), len(s.chunk)
	}
	if comma := strings.IndexByte(rest[:end], s.sep); comma >= 0 {
		field, next, more = rest[:comma], at+comma+1, true
	} else {
		field = strings.TrimSuffix(rest[:end], "\r")
	}
	if strings.IndexByte(field, '"') >= 0 {
		return "", 0, false, errMalformed
	}
	return field, next, more, nil
}

// quotedField is plainField for one that begins with a quote.
func (s *csvScanner) quotedField(at int) (field string, next int, more bool, err error) {
	start := at + 1
	doubled := false
	for at = start; ; {
		n := strings.IndexByte(s.chunk[at:], '"')
		if n < 0 {
			return "", 0, false, s.cut()
		}
		if at += n + 1; at < len(s.chunk) && s.chunk[at] == '"' {
			doubled = true
			at++
			continue
		}
		break
	}
	field = s.chunk[start : at-1]
	if doubled {
		field = strings.ReplaceAll(field, `""`, `"`)
	}
	if strings.Contains(field, "\r\n") {
		field = strings.ReplaceAll(field, "\r\n", "\n")
	}
	rest := s.chunk[at:]
	switch {
	case rest != "" && (rest[0] == s.sep || rest[0] == '\n'):
		return field, at + 1, rest[0] == s.sep, nil
	case strings.HasPrefix(rest, "\r\n"):
		return field, at + 2, false, nil
	case rest == "" || rest == "\r":
		if s.ended {
			return field, len(s.chunk), false, nil
		}
		return "", 0, false, errIncomplete
	}
	return "", 0, false, errMalformed
}

// cut says what an open quote at the end of the chunk means.
func (s *csvScanner) cut() error {
	if s.ended {
		return errMalformed
	}
	return errIncomplete
}

// malformed has encoding/csv read the record, for its error.
func (s *csvScanner) malformed() (fields []string, size int, err error) {
	c := csv.NewReader(strings.NewReader(s.chunk))
	c.FieldsPerRecord, c.Comma = -1, rune(s.sep)
	fields, err = c.Read()
	s.bad = s.chunk[:c.InputOffset()]
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		bad.StartLine += s.line - 1
		bad.Line += s.line - 1
	}
	return fields, int(c.InputOffset()), err
}
