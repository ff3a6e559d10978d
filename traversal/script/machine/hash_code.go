package machine

import (
	"math"
	"unicode/utf16"

	"github.com/gremlind/gremlind/storage/value"
)

// JavaHashCode is hashCode() of numbers, texts and lists of them, which programs compare
// with Java's; of other objects it is only equal for equal ones.
func JavaHashCode(m *Machine, self value.Value, _ []value.Value) (value.Value, error) {
	h, err := m.Hash(self, 0)
	return value.Int(h), err
}

// Hash returns what hashCode() does in Java.
func (m *Machine) Hash(v value.Value, depth int) (int32, error) {
	if depth > ExportDepthMax {
		return 0, Fail(stackOverflow, "lists are nested deeper than %d", ExportDepthMax)
	}
	switch v.Kind() {
	case value.KindNull:
		return 0, nil
	case value.KindBool:
		if v.Bool() {
			return 1231, nil
		}
		return 1237, nil
	case value.KindByte, value.KindShort, value.KindInt, value.KindChar:
		return int32(v.Int64()), nil
	case value.KindLong:
		return fold(uint64(v.Int64())), nil
	case value.KindFloat:
		return int32(math.Float32bits(v.Float32() + 0)), nil
	case value.KindDouble:
		return fold(math.Float64bits(v.Float64())), nil
	case value.KindString:
		return m.textHash(v.Str())
	}
	elems, ok := ListElems(v)
	if !ok {
		if v = m.Export(v); m.Failed != nil {
			return 0, m.Surface()
		}
		return int32(value.Hash(v)), nil
	}
	h := int32(1)
	for _, e := range elems {
		err := m.Step()
		var x int32
		if err == nil {
			x, err = m.Hash(e, depth+1)
		}
		if err != nil {
			return 0, err
		}
		h = 31*h + x
	}
	return h, nil
}

func fold(bits uint64) int32 { return int32(bits ^ bits>>32) }

func (m *Machine) textHash(s string) (int32, error) {
	h := int32(0)
	for i, r := range s {
		if r > 0xffff {
			hi, lo := utf16.EncodeRune(r)
			h = 31*(31*h+hi) + lo
		} else {
			h = 31*h + r
		}
		if i%4096 == 0 {
			if err := m.Work(4096); err != nil {
				return 0, err
			}
		}
	}
	return h, nil
}
