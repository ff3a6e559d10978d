package methods

import (
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// TextBuilder is java.lang.StringBuilder.
type TextBuilder struct{ Bytes []byte }

// ClassName returns the name of the Java class.
func (o *TextBuilder) ClassName() string { return "java.lang.StringBuilder" }

// Text returns the text of the object.
func (o *TextBuilder) Text(m *machine.Machine) string {
	if m.Charge(len(o.Bytes)) != nil {
		return "" // the next step reports it
	}
	return string(o.Bytes)
}

// Property reads a property, false when there is none of that name.
func (o *TextBuilder) Property(*machine.Machine, string) (value.Value, bool) {
	return value.Null, false
}

// Truth reports whether anything is left or there.
func (o *TextBuilder) Truth(*machine.Machine) (bool, error) { return len(o.Bytes) > 0, nil }

// At reads a character or a part.
func (o *TextBuilder) At(m *machine.Machine, k value.Value) (value.Value, error) {
	s := o.Text(m)
	if m.Failed != nil {
		return value.Null, m.Surface()
	}
	return m.StringAt(s, k)
}

// Keeps returns what the object holds.
func (o *TextBuilder) Keeps() ([]value.Value, int) { return nil, cap(o.Bytes) }

// Grow appends what is charged for first.
func (o *TextBuilder) Grow(m *machine.Machine, s string) error {
	if len(o.Bytes)+len(s) > machine.TextMax {
		return m.NewText(len(o.Bytes) + len(s))
	}
	if err := m.Charge(len(s)); err != nil {
		return err
	}
	o.Bytes = append(o.Bytes, s...)
	return nil
}

// Method calls a method, false when there is none for these arguments.
func (o *TextBuilder) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if err := m.LooksAt(args...); err != nil {
		return value.Null, true, err
	}
	switch {
	case (name == "append" || name == "leftShift") && len(args) == 1:
		return machine.Wrap(o), true, o.Grow(m, m.String(args[0]))
	case name == "insert" && len(args) == 2:
		at := value.AsInt64(args[0])
		return machine.Wrap(o), true, o.replace(m, at, at, m.String(args[1]))
	case name == "replace" && len(args) == 3:
		return machine.Wrap(o), true, o.replace(m, value.AsInt64(args[0]), value.AsInt64(args[1]), m.String(args[2]))
	case name == "setLength" && len(args) == 1:
		return value.Null, true, o.replace(m, value.AsInt64(args[0]), int64(len(o.Bytes)), "")
	case name == "deleteCharAt" && len(args) == 1:
		i := value.AsInt64(args[0])
		return machine.Wrap(o), true, o.replace(m, i, i+1, "")
	case name == "delete" && len(args) == 2:
		return machine.Wrap(o), true, o.replace(m, value.AsInt64(args[0]), value.AsInt64(args[1]), "")
	case name == "reverse" && len(args) == 0:
		if err := m.Charge(2 * len(o.Bytes)); err != nil {
			return value.Null, true, err
		}
		o.Bytes = []byte(machine.Reversed(string(o.Bytes)))
		return machine.Wrap(o), true, nil
	case name == "plus" || name == "with" || name == "tap" || name == "getClass" || name == "is" || name == "equals":
		return value.Null, false, nil
	}
	s := value.String(o.Text(m))
	if m.Failed != nil {
		return value.Null, true, m.Surface()
	}
	return m.Tables().Strings.Try(m, s, name, args)
}

// replace puts a text in the place of the characters from an index to before another,
// which may be beyond the end.
func (o *TextBuilder) replace(m *machine.Machine, from, to int64, by string) error {
	if err := m.Work(len(o.Bytes)); err != nil {
		return err
	}
	n := int64(utf8.RuneCount(o.Bytes))
	to = min(to, n)
	if from < 0 || from > to {
		return machine.Fail(machine.StringIndexException, "start %d, end %d, length %d", from, to, n)
	}
	if err := m.NewText(len(o.Bytes) + len(by)); err != nil {
		return err
	}
	first := byteAt(o.Bytes, from)
	last := first + byteAt(o.Bytes[first:], to-from)
	made := append(make([]byte, 0, len(o.Bytes)+len(by)), o.Bytes[:first]...)
	o.Bytes = append(append(made, by...), o.Bytes[last:]...)
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
