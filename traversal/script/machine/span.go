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
	numbers   string // of others than ints, as they were written; as indexes they are ints
}

// numberRange is a..b of numbers that are not ints: from a on in steps of 1.
func (m *Machine) numberRange(a, b value.Value, exclusive bool) (value.Value, error) {
	op, s := "+", &span{from: value.AsInt64(a), to: value.AsInt64(b), exclusive: exclusive}
	s.numbers = m.String(a) + s.dots() + m.String(b)
	switch {
	case a.Kind() == value.KindFloat:
		a = value.Double(a.Float64())
	case b.Kind() == value.KindLong && isInt(a):
		a = value.Long(value.AsInt64(a))
	}
	if c, _ := value.Compare(a, b); c > 0 {
		op = "-"
	}
	var elems []value.Value
	limit := m.State.Options.Limits.Items
	for x := a; ; {
		c, ok := value.Compare(x, b)
		if !ok || op == "+" && c > 0 || op == "-" && c < 0 || exclusive && c == 0 {
			break
		}
		if len(elems) >= limit {
			return value.Null, Fail(ArgumentException, "Range %s is too wide. Current limit is %d items", s.text(), limit)
		}
		if err := m.Charge(2*ValueBytes + Extent(x)); err != nil {
			return value.Null, err
		}
		elems = append(elems, x)
		var err error
		if x, err = m.Binary(op, x, value.Int(1)); err != nil {
			return value.Null, err
		}
	}
	return Wrap(&List{Elems: elems, Span: s}), nil
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
	if s.numbers != "" {
		return s.numbers
	}
	return strconv.FormatInt(s.from, 10) + s.dots() + strconv.FormatInt(s.to, 10)
}

func (s *span) dots() string {
	if s.exclusive {
		return "..<"
	}
	return ".."
}

func (s *span) className() string {
	if s.numbers != "" {
		return "groovy.lang.NumberRange"
	}
	return "groovy.lang.IntRange"
}

// isInt reports whether v counts in the steps of an int.
func isInt(v value.Value) bool {
	switch v.Kind() {
	case value.KindByte, value.KindShort, value.KindInt:
		return true
	}
	return false
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

// PartOf is a part of a text, copied where it would keep much more of the text in memory.
func PartOf(s, part string) string {
	if len(part) < len(s)/2 {
		return strings.Clone(part)
	}
	return part
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
