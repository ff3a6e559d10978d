package machine

import (
	"cmp"

	"github.com/gremlind/gremlind/storage/value"
)

// Truth is Groovy's: empty, zero and null are false.
func (m *Machine) Truth(v value.Value) bool {
	switch k := v.Kind(); {
	case k == value.KindNull:
		return false
	case k == value.KindBool:
		return v.Bool()
	case k == value.KindString:
		return v.Str() != ""
	case k == value.KindMap:
		return v.Map().Len() > 0
	case k == value.KindBigInteger || k == value.KindBigDecimal:
		return value.AsDecimal(v).Sign() != 0
	case k.IsNumber():
		return value.AsFloat64(v) != 0
	case k == value.KindChar:
		return v.Int64() != 0
	}
	if o, ok := Foreign(v).(truthful); ok {
		has, err := o.Truth(m)
		if err != nil {
			_ = m.Stop(err) // the next step returns it
		}
		return err == nil && has
	}
	if elems, ok := Collection(v); ok {
		return len(elems) > 0
	}
	return true
}

// Equal is ==: numbers by value, lists by elements. Where the comparison is stopped, the
// next step says so, and the answer means nothing.
func (m *Machine) Equal(a, b value.Value) bool { return m.equalTo(a, b, 0) }

func (m *Machine) equalTo(a, b value.Value, depth int) bool {
	if depth > ExportDepthMax {
		_ = m.Stop(Fail(stackOverflow, "values are compared that are nested deeper than %d", ExportDepthMax))
		return false
	}
	if err := m.Step(); err != nil {
		_ = m.Stop(err)
		return false
	}
	x, xok := ListElems(a)
	y, yok := ListElems(b)
	if xok || yok {
		if !xok || !yok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !m.equalTo(x[i], y[i], depth+1) {
				return false
			}
		}
		return true
	}
	if a.Kind() == value.KindForeign || b.Kind() == value.KindForeign {
		if o, ok := Foreign(a).(equatable); ok {
			return o.Equals(Foreign(b))
		}
		return a.Kind() == b.Kind() && a.Object() == b.Object()
	}
	if s, t, ok := texts(a, b); ok {
		return s == t
	}
	if n := Extent(a) + Extent(b); n > 2*ItemWork { // collections are sorted for it
		if err := m.Charge(n); err != nil {
			_ = m.Stop(err)
			return false
		}
	}
	a, b = m.Export(a), m.Export(b)
	return m.Failed == nil && value.EqualUntil(a, b, m.stops) && m.Failed == nil
}

// stops counts a step within a comparison, and reports whether it ends there.
func (m *Machine) stops() bool {
	err := m.Step()
	if err != nil {
		_ = m.Stop(err)
	}
	return err != nil
}

// texts returns both as text when one is a character and both are text.
func texts(a, b value.Value) (string, string, bool) {
	text := func(v value.Value) (string, bool) {
		switch v.Kind() {
		case value.KindString:
			return v.Str(), true
		case value.KindChar:
			return string(rune(v.Int64())), true
		}
		return "", false
	}
	s, ok := text(a)
	t, ok2 := text(b)
	return s, t, ok && ok2
}

// Compare is <=>; null is below everything.
func (m *Machine) Compare(a, b value.Value) (int, error) {
	switch {
	case a.IsNull() || b.IsNull():
		return cmp.Compare(rank(a), rank(b)), nil
	case a.Kind().IsNumber() && b.Kind().IsNumber():
		if c, ok := value.Compare(a, b); ok {
			return c, nil
		}
		return value.Order(a, b), nil // NaN
	}
	if s, t, ok := texts(a, b); ok {
		return value.Order(value.String(s), value.String(t)), nil
	}
	if x, y, ok := codes(a, b); ok {
		return cmp.Compare(x, y), nil
	}
	if a.Kind() == b.Kind() {
		if n := Extent(a) + Extent(b); n > 2*ItemWork { // sets are sorted for it
			if err := m.Charge(n); err != nil {
				return 0, err
			}
		}
		c, ok := value.CompareUntil(m.Export(a), m.Export(b), m.stops)
		if err := m.Surface(); ok || err != nil {
			return c, err
		}
	}
	return 0, m.incomparable(a, b)
}

func (m *Machine) incomparable(a, b value.Value) error {
	return Fail(ArgumentException, "Cannot compare %s with value '%s' and %s with value '%s'",
		m.ClassOf(a), m.Shown(a), m.ClassOf(b), m.Shown(b))
}

// codes returns a number and the code of a text of one character as numbers.
func codes(a, b value.Value) (float64, float64, bool) {
	code := func(v value.Value) (float64, bool) {
		if s, _, ok := texts(v, v); ok && UTF16Length(s) == 1 {
			return float64([]rune(s)[0]), true
		}
		return value.AsFloat64(v), v.Kind().IsNumber()
	}
	x, ok := code(a)
	if !ok {
		return 0, 0, false
	}
	y, ok := code(b)
	return x, y, ok
}

func rank(v value.Value) int {
	if v.IsNull() {
		return 0
	}
	return 1
}

// IsCase is how a label of a switch, and `in`, test a value.
func (m *Machine) IsCase(label, v value.Value) (bool, error) {
	if err := m.LooksAt(label); err != nil {
		return false, err
	}
	if o, ok := Foreign(label).(caser); ok {
		return o.IsCase(m, v)
	}
	if label.Kind() == value.KindMap {
		x, _ := label.Map().Get(m.Export(v))
		return m.Truth(x), nil
	}
	if elems, ok := Collection(label); ok {
		for _, e := range elems {
			if m.Equal(e, v) {
				return true, nil
			}
			if m.Failed != nil {
				break
			}
		}
		return false, m.Surface()
	}
	return m.Equal(label, v), m.Surface()
}
