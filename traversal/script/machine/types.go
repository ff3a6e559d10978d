package machine

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/value"
)

// InstanceOf is instanceof.
func (m *Machine) InstanceOf(v value.Value, name string) bool {
	if v.IsNull() {
		return false
	}
	simple, k := SimpleName(name), v.Kind()
	switch simple {
	case "Object", "def":
		return true
	case "Number":
		return k.IsNumber()
	case "Comparable":
		return k.IsNumber() || k == value.KindString
	}
	if o := Foreign(v); o != nil {
		return foreignIs(o, simple)
	}
	for _, t := range TypeKinds[simple] {
		if t == k {
			return true
		}
	}
	return false
}

func foreignIs(o Object, simple string) bool {
	switch o := o.(type) {
	case *List:
		switch simple {
		case "List", "ArrayList", "Collection", "Iterable":
			return true
		}
	case *Closure:
		return simple == "Closure"
	case typed:
		return o.Is(simple)
	case *Exception:
		return simple == "Exception" || simple == "Throwable" || simple == SimpleName(o.ClassName())
	}
	return simple == SimpleName(o.ClassName())
}

// AssignTo converts a value to the declared type of a variable. Numbers convert, text
// does not become a number.
func (m *Machine) AssignTo(name string, v value.Value) (value.Value, error) {
	simple := SimpleName(name)
	kinds, known := TypeKinds[simple]
	switch {
	case !known || len(kinds) == 0 || v.IsNull() && !Primitives[simple]:
		return v, nil
	case simple == "boolean" || simple == "Boolean":
		return value.Bool(m.Truth(v)), nil
	case simple == "String":
		return value.String(m.String(v)), nil
	case kinds[0].IsNumber() && v.Kind().IsNumber():
		return value.Widened(v, kinds[0]), nil
	case m.InstanceOf(v, simple):
		return v, nil
	case kinds[0].IsNumber() && Primitives[simple] && v.Kind() == value.KindString && UTF16Length(v.Str()) == 1:
		return value.Widened(value.Int([]rune(v.Str())[0]), kinds[0]), nil
	}
	if simple == "Set" || simple == "List" || simple == "Collection" {
		return m.As(simple, v)
	}
	return v, Fail(CastException, "%s to class '%s'", m.Describe(v), JavaName(simple))
}

// As is a cast or the operator as.
func (m *Machine) As(name string, v value.Value) (value.Value, error) {
	if err := m.LooksAt(v); err != nil {
		return v, err
	}
	simple := SimpleName(name)
	kinds := TypeKinds[simple]
	switch {
	case simple == "Object" || simple == "def" || m.InstanceOf(v, simple):
		return v, nil
	case simple == "String":
		if v.IsNull() {
			return v, nil
		}
		return m.Text(m.String(v))
	case simple == "boolean" || simple == "Boolean":
		return value.Bool(m.Truth(v)), nil
	case v.IsNull() && !Primitives[simple]:
		return v, nil
	case len(kinds) > 0 && kinds[0].IsNumber():
		if n, ok, err := m.toNumber(v, kinds[0]); ok || err != nil {
			return n, err
		}
	case simple == "char" || simple == "Character":
		if s := []rune(m.String(v)); len(s) == 1 {
			return value.Char(s[0]), nil
		}
	case simple == "UUID" && v.Kind() == value.KindString:
		return ParseUUID(v.Str())
	default:
		if m.State.As != nil {
			if c, ok, err := m.State.As(simple, v); ok || err != nil {
				return c, err
			}
		}
		if c, ok, err := m.asCollection(simple, v); ok || err != nil {
			return c, err
		}
	}
	return v, Fail(CastException, "%s to class '%s'", m.Describe(v), JavaName(simple))
}

func (m *Machine) toNumber(v value.Value, k value.Kind) (value.Value, bool, error) {
	switch v.Kind() {
	case value.KindString:
		n, err := ParseNumber(v.Str(), k)
		return n, true, err
	case value.KindChar:
		return value.Widened(value.Int(int32(v.Int64())), k), true, nil
	}
	if v.Kind().IsNumber() {
		return value.Widened(v, k), true, nil
	}
	return v, false, nil
}

// ParseNumber is Integer.parseInt and its like.
func ParseNumber(s string, k value.Kind) (value.Value, error) {
	bad := Fail(numberFormat, "For input string: %q", Clip(s))
	if len(s) > NumberMax {
		return value.Null, bad
	}
	sizes := map[value.Kind]int{value.KindByte: 8, value.KindShort: 16, value.KindInt: 32, value.KindLong: 64}
	switch k {
	case value.KindFloat, value.KindDouble:
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return value.Null, bad
		}
		return value.Widened(value.Double(f), k), nil
	case value.KindBigDecimal:
		d, err := value.ParseDecimal(s)
		if err != nil {
			return value.Null, bad
		}
		return value.BigDecimal(d), nil
	case value.KindBigInteger:
		n, ok := new(big.Int).SetString(s, 10)
		if !ok {
			return value.Null, bad
		}
		return value.BigInt(n), nil
	}
	n, err := strconv.ParseInt(s, 10, sizes[k])
	if err != nil {
		return value.Null, bad
	}
	return value.Widened(value.Long(n), k), nil
}

// ParseUUID is UUID.fromString.
func ParseUUID(s string) (value.Value, error) {
	u, err := uuid.Parse(s)
	if err != nil || len(s) != 36 {
		return value.Null, Fail(ArgumentException, "Invalid UUID string: %s", Clip(s))
	}
	return value.UUID(u), nil
}

func (m *Machine) asCollection(simple string, v value.Value) (value.Value, bool, error) {
	switch simple {
	case "Set", "LinkedHashSet", "HashSet":
		c, err := m.SetOf(v)
		return c, true, err
	case "List", "ArrayList", "Collection", "LinkedList", "Iterable":
		c, err := m.ListOf(v)
		return c, true, err
	}
	return v, false, nil
}

const NumberMax = 4096 // bytes of a number literal
