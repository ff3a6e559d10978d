package script

import (
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// textBuilder is java.lang.StringBuilder.
type textBuilder struct{ b []byte }

func (o *textBuilder) className() string { return "java.lang.StringBuilder" }

func (o *textBuilder) text(m *machine) string {
	if m.charge(len(o.b)) != nil {
		return "" // the next step reports it
	}
	return string(o.b)
}

func (o *textBuilder) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (o *textBuilder) truth(*machine) (bool, error) { return len(o.b) > 0, nil }

func (o *textBuilder) at(m *machine, k value.Value) (value.Value, error) {
	s := o.text(m)
	if m.failed != nil {
		return value.Null, m.surface()
	}
	return m.stringAt(s, k)
}

func (o *textBuilder) keeps() ([]value.Value, int) { return nil, cap(o.b) }

// grow appends what is charged for first.
func (o *textBuilder) grow(m *machine, s string) error {
	if len(o.b)+len(s) > textMax {
		return m.newText(len(o.b) + len(s))
	}
	if err := m.charge(len(s)); err != nil {
		return err
	}
	o.b = append(o.b, s...)
	return nil
}

func (o *textBuilder) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	if err := m.looksAt(args...); err != nil {
		return value.Null, true, err
	}
	switch {
	case (name == "append" || name == "leftShift") && len(args) == 1:
		return wrap(o), true, o.grow(m, m.string(args[0]))
	case name == "insert" && len(args) == 2:
		at := value.AsInt64(args[0])
		return wrap(o), true, o.replace(m, at, at, m.string(args[1]))
	case name == "replace" && len(args) == 3:
		return wrap(o), true, o.replace(m, value.AsInt64(args[0]), value.AsInt64(args[1]), m.string(args[2]))
	case name == "setLength" && len(args) == 1:
		return value.Null, true, o.replace(m, value.AsInt64(args[0]), int64(len(o.b)), "")
	case name == "deleteCharAt" && len(args) == 1:
		i := value.AsInt64(args[0])
		return wrap(o), true, o.replace(m, i, i+1, "")
	case name == "delete" && len(args) == 2:
		return wrap(o), true, o.replace(m, value.AsInt64(args[0]), value.AsInt64(args[1]), "")
	case name == "reverse" && len(args) == 0:
		if err := m.charge(2 * len(o.b)); err != nil {
			return value.Null, true, err
		}
		o.b = []byte(reversed(string(o.b)))
		return wrap(o), true, nil
	case name == "plus" || name == "with" || name == "tap" || name == "getClass" || name == "is" || name == "equals":
		return value.Null, false, nil
	}
	s := value.String(o.text(m))
	if m.failed != nil {
		return value.Null, true, m.surface()
	}
	return m.tables().strings.try(m, s, name, args)
}

// replace puts a text in the place of the characters from an index to before another,
// which may be beyond the end.
func (o *textBuilder) replace(m *machine, from, to int64, by string) error {
	if err := m.Work(len(o.b)); err != nil {
		return err
	}
	n := int64(utf8.RuneCount(o.b))
	to = min(to, n)
	if from < 0 || from > to {
		return fail(stringIndexException, "start %d, end %d, length %d", from, to, n)
	}
	if err := m.newText(len(o.b) + len(by)); err != nil {
		return err
	}
	first := byteAt(o.b, from)
	last := first + byteAt(o.b[first:], to-from)
	made := append(make([]byte, 0, len(o.b)+len(by)), o.b[:first]...)
	o.b = append(append(made, by...), o.b[last:]...)
	return nil
}

// byteAt is where the i-th character begins.
func byteAt(b []byte, i int64) int {
	at := 0
	for ; i > 0 && at < len(b); i-- {
		_, n := utf8.DecodeRune(b[at:])
		at += n
	}
	return at
}
