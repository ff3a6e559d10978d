package machine

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// span is what a range was written as: as an index it is a slice, whose negative ends
// count from the end.
type span struct {
	from, to  int64
	exclusive bool
}

// borders returns the indexes of a slice of n elements, and whether it goes backwards.
func (s *span) borders(n int64) (from, to int64, backwards bool) {
	from, to = s.from, s.to
	if from < 0 {
		from += n
	}
	if to < 0 {
		to += n
	}
	switch {
	case from > to && s.exclusive:
		return to + 1, from + 1, true
	case from > to:
		return to, from + 1, true
	case s.exclusive:
		return from, to, false
	}
	return from, to + 1, false
}

func (s *span) text() string {
	dots := ".."
	if s.exclusive {
		dots = "..<"
	}
	return strconv.FormatInt(s.from, 10) + dots + strconv.FormatInt(s.to, 10)
}

// spanOf is the span of a range, nil for anything else.
func spanOf(v value.Value) *span {
	if l, ok := Foreign(v).(*List); ok && l.Span != nil {
		return l.Span
	}
	return nil
}

func (m *Machine) slice(elems []value.Value, s *span) (value.Value, error) {
	from, to, backwards := s.borders(int64(len(elems)))
	switch {
	case from < 0:
		return value.Null, Fail(IndexException, "fromIndex = %d", from)
	case to > int64(len(elems)):
		return value.Null, Fail(IndexException, "toIndex = %d", to)
	case from >= to:
		return NewList(nil), nil
	}
	if backwards {
		out, err := m.Copied(elems[from:to])
		if err == nil {
			slices.Reverse(Foreign(out).(*List).Elems)
		}
		return out, err
	}
	return m.Copied(elems[from:to])
}

func (m *Machine) textSlice(s string, part *span) (value.Value, error) {
	if err := m.Work(len(s)); err != nil {
		return value.Null, err
	}
	n := int64(utf8.RuneCountInString(s))
	from, to, backwards := part.borders(n)
	switch {
	case from < 0 || to > n:
		return value.Null, Fail(StringIndexException, "begin %d, end %d, length %d", from, to, n)
	case from >= to:
		return value.String(""), nil
	}
	return m.TextPart(s, from, to, backwards)
}

// TextPart copies the characters from an index to before another.
func (m *Machine) TextPart(s string, from, to int64, backwards bool) (value.Value, error) {
	first := ByteOf(s, from)
	part := s[first : first+ByteOf(s[first:], to-from)]
	if err := m.NewText(len(part)); err != nil {
		return value.Null, err
	}
	if backwards {
		return value.String(Reversed(part)), nil
	}
	return value.String(strings.Clone(part)), nil // a part of it would keep the whole
}
