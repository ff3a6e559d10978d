package classes

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
)

// textMethods are static methods around texts, numbers as texts and collections.
func textMethods() machine.Methods {
	out := machine.Methods{
		"String.format": {1, math.MaxInt, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return methods.Format(m, m.String(a[0]), a[1:])
		}},
		"String.join": {1, math.MaxInt, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			parts := a[1:]
			if len(parts) == 1 {
				if l, ok := machine.Collection(parts[0]); ok {
					parts = l
				}
			}
			return methods.Join(m, machine.NewList(parts), a[:1])
		}},
		"Integer.toString": {1, 2, methods.NumberText}, "Long.toString": {1, 2, methods.NumberText},
		"Double.toString": {1, 1, methods.NumberText}, "Float.toString": {1, 1, methods.NumberText},
		"Integer.toBinaryString": inBase(2, 32), "Long.toBinaryString": inBase(2, 64),
		"Integer.toHexString": inBase(16, 32), "Long.toHexString": inBase(16, 64),
		"Integer.toOctalString": inBase(8, 32), "Long.toOctalString": inBase(8, 64),
		"Float.valueOf": parsing(value.KindFloat), "Short.valueOf": parsing(value.KindShort), "Byte.valueOf": parsing(value.KindByte),
		"Boolean.valueOf": {1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(strings.EqualFold(m.String(a[0]), "true")), nil
		}},
		"Double.isNaN": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(machine.IsNaN(a[0])), nil
		}},
		"Double.isInfinite": {1, 1, methods.Infinite}, "Float.isInfinite": {1, 1, methods.Infinite},
		"Objects.equals": {2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(m.Equal(a[0], a[1])), nil
		}},
		"Objects.isNull": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(a[0].IsNull()), nil
		}},
		"Objects.nonNull": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(!a[0].IsNull()), nil
		}},
		"Objects.toString": {1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.Text(m.String(a[0]))
		}},
		"Objects.hash": {0, math.MaxInt, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return machine.JavaHashCode(m, machine.NewList(a), nil)
		}},
		"Pattern.compile": {1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			p, err := m.Compiled(m.String(a[0]))
			if err != nil {
				return value.Null, err
			}
			return machine.Wrap(p), nil
		}},
		"Optional.of": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return machine.Wrap(&methods.Optional{Value: a[0], Present: true}), nil
		}},
		"Optional.empty": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return machine.Wrap(&methods.Optional{}), nil
		}},
		"Optional.ofNullable": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return machine.Wrap(&methods.Optional{Value: a[0], Present: !a[0].IsNull()}), nil
		}},
	}
	out.Add(boxedMethods())
	return out
}

// streamStatics make streams.
func streamStatics() machine.Methods {
	return machine.Methods{
		"Stream.of": {0, math.MaxInt, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return machine.Wrap(&methods.Stream{Elems: a}), nil
		}},
		"IntStream.range": {2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return intStream(m, a, true)
		}},
		"IntStream.rangeClosed": {2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return intStream(m, a, false)
		}},
	}
}

// boxedMethods are those that the classes of numbers and characters have in common.
func boxedMethods() machine.Methods {
	out := machine.Methods{}
	for _, class := range []string{"Integer", "Long", "Double", "Float", "Short", "Byte", "Boolean", "Character"} {
		out[class+".compare"] = machine.Method{2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.Binary("<=>", a[0], a[1])
		}}
	}
	for _, class := range []string{"Integer", "Long", "Double", "Float"} {
		out[class+".sum"] = machine.Method{2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.Binary("+", a[0], a[1])
		}}
		out[class+".max"] = machine.Method{2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return extreme(m, a[0], a[1], 1)
		}}
		out[class+".min"] = machine.Method{2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return extreme(m, a[0], a[1], -1)
		}}
	}
	for name, is := range map[string]func(rune) bool{
		"isDigit": unicode.IsDigit, "isLetter": unicode.IsLetter, "isUpperCase": unicode.IsUpper, "isLowerCase": unicode.IsLower,
		"isWhitespace": unicode.IsSpace, "isLetterOrDigit": func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) },
	} {
		out["Character."+name] = machine.Method{1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			s := m.String(a[0])
			r, n := utf8.DecodeRuneInString(s)
			return value.Bool(n > 0 && n == len(s) && is(r)), nil
		}}
	}
	return out
}

func inBase(base int, bits uint) machine.Method {
	return machine.Method{1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
		n := uint64(value.AsInt64(a[0]))
		if bits == 32 {
			n = uint64(uint32(n))
		}
		return m.Text(strconv.FormatUint(n, base))
	}}
}

func intStream(m *machine.Machine, a []value.Value, exclusive bool) (value.Value, error) {
	if value.AsInt64(a[0]) > value.AsInt64(a[1]) {
		return machine.Wrap(&methods.Stream{}), nil
	}
	v, err := m.MakeRange(a[0], a[1], exclusive)
	return machine.Wrap(&methods.Stream{Elems: methods.ElemsOf(v)}), err
}

// collectionsMethods are those of java.util.Collections.
func collectionsMethods() machine.Methods {
	on := func(name string, least, most int) machine.Method {
		return machine.Method{least, most, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.Invoke(a[0], name, a[1:])
		}}
	}
	return machine.Methods{
		"Collections.sort": {1, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			_, err := m.Invoke(a[0], "sort", a[1:])
			return value.Null, err
		}},
		"Collections.reverse": {1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			_, err := m.Invoke(a[0], "reverse", []value.Value{value.Bool(true)})
			return value.Null, err
		}},
		"Collections.shuffle": on("shuffle", 1, 2), "Collections.max": on("max", 1, 2), "Collections.min": on("min", 1, 2),
		"Collections.swap":             on("swap", 3, 3),
		"Collections.unmodifiableList": {1, 1, firstArgument},
		"Collections.unmodifiableMap":  {1, 1, firstArgument},
		"Collections.unmodifiableSet":  {1, 1, firstArgument},
		"Collections.synchronizedList": {1, 1, firstArgument},
		"Collections.singletonList": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return machine.NewList(a), nil
		}},
		"Collections.singleton": {1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.NewSet(a)
		}},
		"Collections.emptySet": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return value.NewSet().Value(), nil
		}},
		"Collections.reverseOrder": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return comparator(-1, nil), nil
		}},
		"Comparator.naturalOrder": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return comparator(1, nil), nil
		}},
		"Comparator.reverseOrder": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return comparator(-1, nil), nil
		}},
		"Comparator.comparing": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return comparator(1, a), nil
		}},
		"Collections.frequency": {2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return methods.CountItems(m, a[0], a[1:])
		}},
	}
}

func firstArgument(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
	return a[0], nil
}

// comparator compares two values, or what by makes of them.
func comparator(sign int32, by []value.Value) value.Value {
	return machine.Wrap(&machine.Callable{Name: methods.ComparatorName, Held: by, Call: func(m *machine.Machine, args []value.Value) (value.Value, error) {
		if len(args) != 2 {
			return value.Null, machine.Fail(machine.MissingMethod, "a comparator takes two arguments")
		}
		c, err := methods.CompareBy(m, by, args[0], args[1])
		return value.Int(sign * int32(c)), err
	}})
}
