package script

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// textMethods are static methods around texts, numbers as texts and collections.
func textMethods() methods {
	out := methods{
		"String.format": {1, math.MaxInt, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.format(m.string(a[0]), a[1:])
		}},
		"String.join": {1, math.MaxInt, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			parts := a[1:]
			if len(parts) == 1 {
				if l, ok := collection(parts[0]); ok {
					parts = l
				}
			}
			return join(m, newList(parts), a[:1])
		}},
		"Integer.toString": {1, 2, numberText}, "Long.toString": {1, 2, numberText},
		"Double.toString": {1, 1, numberText}, "Float.toString": {1, 1, numberText},
		"Integer.toBinaryString": inBase(2, 32), "Long.toBinaryString": inBase(2, 64),
		"Integer.toHexString": inBase(16, 32), "Long.toHexString": inBase(16, 64),
		"Integer.toOctalString": inBase(8, 32), "Long.toOctalString": inBase(8, 64),
		"Float.valueOf": parsing(value.KindFloat), "Short.valueOf": parsing(value.KindShort), "Byte.valueOf": parsing(value.KindByte),
		"Boolean.valueOf": {1, 1, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(strings.EqualFold(m.string(a[0]), "true")), nil
		}},
		"Double.isNaN": {1, 1, func(_ *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(isNaN(a[0])), nil
		}},
		"Double.isInfinite": {1, 1, infinite}, "Float.isInfinite": {1, 1, infinite},
		"Objects.equals": {2, 2, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(m.equal(a[0], a[1])), nil
		}},
		"Objects.isNull": {1, 1, func(_ *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(a[0].IsNull()), nil
		}},
		"Objects.nonNull": {1, 1, func(_ *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(!a[0].IsNull()), nil
		}},
		"Objects.toString": {1, 1, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) { return m.text(m.string(a[0])) }},
		"Objects.hash": {0, math.MaxInt, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return javaHashCode(m, newList(a), nil)
		}},
		"Pattern.compile": {1, 1, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			p, err := m.compiled(m.string(a[0]))
			if err != nil {
				return value.Null, err
			}
			return wrap(p), nil
		}},
		"Optional.of": {1, 1, func(_ *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return wrap(&optional{a[0], true}), nil
		}},
		"Optional.empty": {0, 0, func(*machine, value.Value, []value.Value) (value.Value, error) { return wrap(&optional{}), nil }},
		"Optional.ofNullable": {1, 1, func(_ *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return wrap(&optional{a[0], !a[0].IsNull()}), nil
		}},
		"Stream.of":             {0, math.MaxInt, func(_ *machine, _ value.Value, a []value.Value) (value.Value, error) { return wrap(&stream{a}), nil }},
		"IntStream.range":       {2, 2, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) { return m.intStream(a, true) }},
		"IntStream.rangeClosed": {2, 2, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) { return m.intStream(a, false) }},
	}
	out.with(boxedMethods())
	return out
}

// boxedMethods are those that the classes of numbers and characters have in common.
func boxedMethods() methods {
	out := methods{}
	for _, class := range []string{"Integer", "Long", "Double", "Float", "Short", "Byte", "Boolean", "Character"} {
		out[class+".compare"] = method{2, 2, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.binary("<=>", a[0], a[1])
		}}
	}
	for _, class := range []string{"Integer", "Long", "Double", "Float"} {
		out[class+".sum"] = method{2, 2, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.binary("+", a[0], a[1])
		}}
		out[class+".max"] = method{2, 2, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) { return m.extreme(a[0], a[1], 1) }}
		out[class+".min"] = method{2, 2, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.extreme(a[0], a[1], -1)
		}}
	}
	for name, is := range map[string]func(rune) bool{
		"isDigit": unicode.IsDigit, "isLetter": unicode.IsLetter, "isUpperCase": unicode.IsUpper, "isLowerCase": unicode.IsLower,
		"isWhitespace": unicode.IsSpace, "isLetterOrDigit": func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) },
	} {
		out["Character."+name] = method{1, 1, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			s := m.string(a[0])
			r, n := utf8.DecodeRuneInString(s)
			return value.Bool(n > 0 && n == len(s) && is(r)), nil
		}}
	}
	return out
}

func inBase(base int, bits uint) method {
	return method{1, 1, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
		n := uint64(value.AsInt64(a[0]))
		if bits == 32 {
			n = uint64(uint32(n))
		}
		return m.text(strconv.FormatUint(n, base))
	}}
}

func (m *machine) intStream(a []value.Value, exclusive bool) (value.Value, error) {
	if value.AsInt64(a[0]) > value.AsInt64(a[1]) {
		return wrap(&stream{}), nil
	}
	v, err := m.makeRange(a[0], a[1], exclusive)
	return wrap(&stream{elemsOf(v)}), err
}

// collectionsMethods are those of java.util.Collections.
func collectionsMethods() methods {
	on := func(name string, least, most int) method {
		return method{least, most, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.invoke(a[0], name, a[1:])
		}}
	}
	return methods{
		"Collections.sort": {1, 2, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			_, err := m.invoke(a[0], "sort", a[1:])
			return value.Null, err
		}},
		"Collections.reverse": {1, 1, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			_, err := m.invoke(a[0], "reverse", []value.Value{value.Bool(true)})
			return value.Null, err
		}},
		"Collections.shuffle": on("shuffle", 1, 2), "Collections.max": on("max", 1, 2), "Collections.min": on("min", 1, 2),
		"Collections.swap":             on("swap", 3, 3),
		"Collections.unmodifiableList": {1, 1, firstArgument},
		"Collections.unmodifiableMap":  {1, 1, firstArgument},
		"Collections.unmodifiableSet":  {1, 1, firstArgument},
		"Collections.synchronizedList": {1, 1, firstArgument},
		"Collections.singletonList":    {1, 1, func(_ *machine, _ value.Value, a []value.Value) (value.Value, error) { return newList(a), nil }},
		"Collections.singleton": {1, 1, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.newSet(a)
		}},
		"Collections.emptySet":     {0, 0, func(*machine, value.Value, []value.Value) (value.Value, error) { return value.NewSet().Value(), nil }},
		"Collections.reverseOrder": {0, 0, func(*machine, value.Value, []value.Value) (value.Value, error) { return comparator(-1, nil), nil }},
		"Comparator.naturalOrder":  {0, 0, func(*machine, value.Value, []value.Value) (value.Value, error) { return comparator(1, nil), nil }},
		"Comparator.reverseOrder":  {0, 0, func(*machine, value.Value, []value.Value) (value.Value, error) { return comparator(-1, nil), nil }},
		"Comparator.comparing":     {1, 1, func(_ *machine, _ value.Value, a []value.Value) (value.Value, error) { return comparator(1, a), nil }},
		"Collections.frequency": {2, 2, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return countItems(m, a[0], a[1:])
		}},
	}
}

func firstArgument(_ *machine, _ value.Value, a []value.Value) (value.Value, error) { return a[0], nil }

// comparator compares two values, or what by makes of them.
func comparator(sign int32, by []value.Value) value.Value {
	return wrap(&callable{comparatorName, by, func(m *machine, args []value.Value) (value.Value, error) {
		if len(args) != 2 {
			return value.Null, fail(missingMethod, "a comparator takes two arguments")
		}
		c, err := m.compareBy(by, args[0], args[1])
		return value.Int(sign * int32(c)), err
	}})
}
