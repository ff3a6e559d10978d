package graphio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	jsonChunk = 256 << 10
	// jsonValueMax bounds one value that is read whole; a quote that is never closed ends
	// there.
	jsonValueMax = 1 << 30
)

// jsonStream takes a stream of JSON apart, as far as somebody asks: objects and arrays
// that are entered, and values as their text, which is for a parser to check.
type jsonStream struct {
	r     io.Reader
	buf   []byte
	at    int   // of what is read and not yet taken
	gone  int64 // bytes before buf
	ended bool
}

// offset is how many bytes were taken.
func (s *jsonStream) offset() int64 { return s.gone + int64(s.at) }

// more reads on, io.EOF when nothing follows.
func (s *jsonStream) more() error {
	if s.ended {
		return io.EOF
	}
	if len(s.buf)-s.at > jsonValueMax {
		return errors.New("a value is longer than 1 GiB: is a quote or a bracket never closed?")
	}
	s.gone += int64(s.at)
	s.buf = s.buf[:copy(s.buf, s.buf[s.at:])]
	s.at = 0
	if cap(s.buf) < 2*len(s.buf)+jsonChunk {
		s.buf = append(make([]byte, 0, 2*len(s.buf)+2*jsonChunk), s.buf...)
	}
	for range 100 {
		n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		if errors.Is(err, io.EOF) {
			s.ended = true
		} else if err != nil {
			return err
		}
		if n > 0 {
			return nil
		}
		if s.ended {
			return io.EOF
		}
	}
	return io.ErrNoProgress
}

// next returns the first byte of what comes next, io.EOF at the end.
func (s *jsonStream) next() (byte, error) {
	for {
		for ; s.at < len(s.buf); s.at++ {
			switch c := s.buf[s.at]; c {
			case ' ', '\t', '\n', '\r':
			default:
				return c, nil
			}
		}
		if err := s.more(); err != nil {
			return 0, err
		}
	}
}

// cut is the error of a stream that ends too early.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the file ends in the middle of a value: it is cut short")
	}
	return err
}

// value returns the text of the next value, valid until the next call.
func (s *jsonStream) value() ([]byte, error) {
	if _, err := s.next(); err != nil {
		return nil, cut(err)
	}
	var skip jsonSkip
	for n := 0; ; {
		var done bool
		if n, done = jsonOver(&skip, s.buf[s.at:], n); done {
			text := s.buf[s.at : s.at+n]
			s.at += n
			if n == 0 {
				return nil, fmt.Errorf("a value is expected, not %q", s.buf[s.at])
			}
			return text, nil
		}
		if err := s.more(); err != nil {
			if errors.Is(err, io.EOF) && skip.depth == 0 && !skip.quoted && len(s.buf) > s.at {
				text := s.buf[s.at:]
				s.at = len(s.buf)
				return text, nil
			}
			return nil, cut(err)
		}
	}
}

// jsonSkip finds the end of a value.
type jsonSkip struct {
	depth  int
	quoted bool
}

// jsonOver goes on at b[n] and returns where the value ends, or how far it came.
func jsonOver[T string | []byte](k *jsonSkip, b T, n int) (end int, done bool) {
	for ; n < len(b); n++ {
		if k.quoted {
			for n < len(b) && b[n] != '"' && b[n] != '\\' {
				n++
			}
			switch {
			case n == len(b) || b[n] == '\\' && n+1 == len(b):
				return n, false
			case b[n] == '\\':
				n++
				continue
			}
			if k.quoted = false; k.depth == 0 {
				return n + 1, true
			}
			continue
		}
		switch jsonMarks[b[n]] {
		case jsonQuote:
			if k.depth == 0 && n > 0 {
				return n, true
			}
			k.quoted = true
		case jsonBegin:
			if k.depth == 0 && n > 0 {
				return n, true
			}
			k.depth++
		case jsonEnd:
			if k.depth == 0 {
				return n, true
			}
			if k.depth--; k.depth == 0 {
				return n + 1, true
			}
		case jsonBetween:
			if k.depth == 0 {
				return n, true
			}
		}
	}
	return n, false
}

// What a byte outside of strings is for the end of a value.
const (
	jsonQuote = iota + 1
	jsonBegin
	jsonEnd
	jsonBetween
)

var jsonMarks = [256]byte{
	'"': jsonQuote, '{': jsonBegin, '[': jsonBegin, '}': jsonEnd, ']': jsonEnd,
	',': jsonBetween, ':': jsonBetween, ' ': jsonBetween, '\t': jsonBetween, '\n': jsonBetween, '\r': jsonBetween,
}

// enter passes the bracket that begins an object or an array.
func (s *jsonStream) enter(bracket byte, what string) error {
	c, err := s.next()
	if err != nil {
		return cut(err)
	}
	if c != bracket {
		return fmt.Errorf("%s is expected to begin with %q, not with %q", what, bracket, c)
	}
	s.at++
	return nil
}

// each visits the items of an array or object that was entered, up to its end, which it
// passes.
func (s *jsonStream) each(end byte, fn func() error) error {
	for first := true; ; first = false {
		c, err := s.next()
		switch {
		case err != nil:
			return cut(err)
		case c == end:
			s.at++
			return nil
		case first:
		case c != ',':
			return fmt.Errorf("',' or %q is expected, not %q", end, c)
		default:
			s.at++
		}
		if err := fn(); err != nil {
			return err
		}
	}
}

// key passes a key and its colon.
func (s *jsonStream) key() (string, error) {
	if c, err := s.next(); err != nil || c != '"' {
		return "", firstError(cut(err), fmt.Errorf("a key is expected, not %q", c))
	}
	text, err := s.value()
	if err != nil {
		return "", err
	}
	key, err := jsonText(string(text))
	if err != nil {
		return "", err
	}
	return key, s.enter(':', "what follows a key")
}

// keys returns the keys of the object that comes next, as far as they are near.
func (s *jsonStream) keys() []string {
	if _, err := s.next(); err != nil {
		return nil
	}
	for len(s.buf)-s.at < jsonHead && s.more() == nil {
	}
	return jsonKeys(s.buf[s.at:min(len(s.buf), s.at+jsonHead)])
}

// jsonHead is how far keys looks.
const jsonHead = 64 << 10

// jsonKeys returns the keys of the object that b begins with, those that b has whole.
func jsonKeys(b []byte) (keys []string) {
	o := &jsonStream{r: bytes.NewReader(nil), buf: b, ended: true}
	if o.enter('{', "an object") != nil {
		return nil
	}
	_ = o.each('}', func() error {
		key, err := o.key()
		if err != nil {
			return err
		}
		keys = append(keys, key)
		_, err = o.value()
		return err
	})
	return keys
}
