package script

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/value"
)

// instanceOf is instanceof.
func (m *machine) instanceOf(v value.Value, name string) bool {
	if v.IsNull() {
		return false
	}
	simple, k := simpleName(name), v.Kind()
	switch simple {
	case "Object", "def":
		return true
	case "Number":
		return k.IsNumber()
	case "Comparable":
		return k.IsNumber() || k == value.KindString
	}
	if o := foreign(v); o != nil {
		return foreignIs(o, simple)
	}
	for _, t := range typeKinds[simple] {
		if t == k {
			return true
		}
	}
	return false
}

func foreignIs(o object, simple string) bool {
	switch o := o.(type) {
	case *list:
		switch simple {
		case "List", "ArrayList", "Collection", "Iterable":
			return true
		}
	case *closure:
		return simple == "Closure"
	case typed:
		return o.is(simple)
	case *exception:
		return simple == "Exception" || simple == "Throwable" || simple == simpleName(o.className())
	}
	return simple == simpleName(o.className())
}

// assignTo converts a value to the declared type of a variable. Numbers convert, text
// does not become a number.
func (m *machine) assignTo(name string, v value.Value) (value.Value, error) {
	simple := simpleName(name)
	kinds, known := typeKinds[simple]
	switch {
	case !known || len(kinds) == 0 || v.IsNull() && !primitives[simple]:
		return v, nil
	case simple == "boolean" || simple == "Boolean":
		return value.Bool(m.truth(v)), nil
	case simple == "String":
		return value.String(m.string(v)), nil
	case kinds[0].IsNumber() && v.Kind().IsNumber():
		return value.Widened(v, kinds[0]), nil
	case m.instanceOf(v, simple):
		return v, nil
	case kinds[0].IsNumber() && primitives[simple] && v.Kind() == value.KindString && utf16Length(v.Str()) == 1:
		return value.Widened(value.Int([]rune(v.Str())[0]), kinds[0]), nil
	}
	if simple == "Set" || simple == "List" || simple == "Collection" {
		return m.as(simple, v)
	}
	return v, fail(castException, "%s to class '%s'", m.describe(v), javaName(simple))
}

// as is a cast or the operator as.
func (m *machine) as(name string, v value.Value) (value.Value, error) {
	if err := m.looksAt(v); err != nil {
		return v, err
	}
	simple := simpleName(name)
	kinds := typeKinds[simple]
	switch {
	case simple == "Object" || simple == "def" || m.instanceOf(v, simple):
		return v, nil
	case simple == "String":
		if v.IsNull() {
			return v, nil
		}
		return m.text(m.string(v))
	case simple == "boolean" || simple == "Boolean":
		return value.Bool(m.truth(v)), nil
	case v.IsNull() && !primitives[simple]:
		return v, nil
	case len(kinds) > 0 && kinds[0].IsNumber():
		if n, ok, err := m.toNumber(v, kinds[0]); ok || err != nil {
			return n, err
		}
	case simple == "char" || simple == "Character":
		if s := []rune(m.string(v)); len(s) == 1 {
			return value.Char(s[0]), nil
		}
	case simple == "UUID" && v.Kind() == value.KindString:
		return parseUUID(v.Str())
	default:
		if m.s.as != nil {
			if c, ok, err := m.s.as(simple, v); ok || err != nil {
				return c, err
			}
		}
		if c, ok, err := m.asCollection(simple, v); ok || err != nil {
			return c, err
		}
	}
	return v, fail(castException, "%s to class '%s'", m.describe(v), javaName(simple))
}

func (m *machine) toNumber(v value.Value, k value.Kind) (value.Value, bool, error) {
	switch v.Kind() {
	case value.KindString:
		n, err := parseNumber(v.Str(), k)
		return n, true, err
	case value.KindChar:
		return value.Widened(value.Int(int32(v.Int64())), k), true, nil
	}
	if v.Kind().IsNumber() {
		return value.Widened(v, k), true, nil
	}
	return v, false, nil
}

// parseNumber is Integer.parseInt and its like.
func parseNumber(s string, k value.Kind) (value.Value, error) {
	bad := fail(numberFormat, "For input string: %q", clip(s))
	if len(s) > numberMax {
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

func parseUUID(s string) (value.Value, error) {
	u, err := uuid.Parse(s)
	if err != nil || len(s) != 36 {
		return value.Null, fail(argumentException, "Invalid UUID string: %s", clip(s))
	}
	return value.UUID(u), nil
}

func (m *machine) asCollection(simple string, v value.Value) (value.Value, bool, error) {
	switch simple {
	case "Set", "LinkedHashSet", "HashSet":
		c, err := m.setOf(v)
		return c, true, err
	case "List", "ArrayList", "Collection", "LinkedList", "Iterable":
		c, err := m.listOf(v)
		return c, true, err
	}
	return v, false, nil
}

const numberMax = 4096 // bytes of a number literal
