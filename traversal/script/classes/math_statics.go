package classes

import (
	"math"
	"math/bits"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
)

// mathMethods are those of java.lang.Math beyond the common ones.
func mathMethods() machine.Methods {
	out := machine.Methods{
		"Math.atan2":    mathOfTwo(math.Atan2),
		"Math.hypot":    mathOfTwo(math.Hypot),
		"Math.floorDiv": wholeOfTwo(func(x, y int64) int64 { q, _ := methods.FloorDivision(x, y); return q }),
		"Math.floorMod": wholeOfTwo(func(x, y int64) int64 { _, r := methods.FloorDivision(x, y); return r }),
		"Math.addExact": exactly("+"), "Math.subtractExact": exactly("-"), "Math.multiplyExact": exactly("*"),
		"Math.toIntExact": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			n := value.AsInt64(a[0])
			if n != int64(int32(n)) {
				return value.Null, machine.Fail(machine.ArithmeticException, "integer overflow")
			}
			return value.Int(int32(n)), nil
		}},
		"Math.negateExact": {1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.Unary("-", a[0])
		}},
		"Integer.bitCount": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Int(int32(bits.OnesCount32(uint32(value.AsInt64(a[0]))))), nil
		}},
		"Long.bitCount": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Int(int32(bits.OnesCount64(uint64(value.AsInt64(a[0]))))), nil
		}},
	}
	for name, fn := range map[string]func(float64) float64{
		"asin": math.Asin, "acos": math.Acos, "atan": math.Atan, "sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
		"cbrt": math.Cbrt, "log1p": math.Log1p, "expm1": math.Expm1, "rint": math.RoundToEven, "signum": signOf,
		"toRadians": func(x float64) float64 { return x * (math.Pi / 180) },
		"toDegrees": func(x float64) float64 { return x * (180 / math.Pi) },
	} {
		out["Math."+name] = mathFunction(fn)
	}
	return out
}

func signOf(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x // zero keeps its sign, NaN stays
}

func mathOfTwo(fn func(x, y float64) float64) machine.Method {
	return machine.Method{2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
		if !a[0].Kind().IsNumber() || !a[1].Kind().IsNumber() {
			return value.Null, m.NoMethod(machine.Wrap(&Class{"java.lang.Math"}), "math", a)
		}
		return value.Double(fn(value.AsFloat64(a[0]), value.AsFloat64(a[1]))), nil
	}}
}

func wholeOfTwo(fn func(x, y int64) int64) machine.Method {
	return machine.Method{2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
		for _, v := range a {
			if k := v.Kind(); !k.IsNumber() || machine.Floating(k) || k == value.KindBigDecimal {
				return value.Null, m.NoMethod(machine.Wrap(&Class{"java.lang.Math"}), "math", a)
			}
		}
		if value.AsInt64(a[1]) == 0 {
			return value.Null, machine.Fail(machine.ArithmeticException, "/ by zero")
		}
		return wholeAs(fn(value.AsInt64(a[0]), value.AsInt64(a[1])), a), nil
	}}
}

// wholeAs is a Long when an operand is, else an Integer.
func wholeAs(n int64, of []value.Value) value.Value {
	for _, v := range of {
		if v.Kind() == value.KindLong {
			return value.Long(n)
		}
	}
	return value.Int(int32(n))
}

// exactly is an operation that fails where the result does not fit.
func exactly(op string) machine.Method {
	return machine.Method{2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
		v, err := m.Binary(op, a[0], a[1])
		if err != nil {
			return v, err
		}
		exact, err := m.Binary(op, value.Widened(a[0], value.KindBigInteger), value.Widened(a[1], value.KindBigInteger))
		if err == nil && !m.Equal(v, exact) {
			err = machine.Fail(machine.ArithmeticException, "%s overflow", map[bool]string{true: "long", false: "integer"}[v.Kind() == value.KindLong])
		}
		return v, err
	}}
}

func mathFunction(fn func(float64) float64) machine.Method {
	return machine.Method{1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
		if !a[0].Kind().IsNumber() {
			return value.Null, m.NoMethod(machine.Wrap(&Class{"java.lang.Math"}), "math", a)
		}
		return value.Double(fn(value.AsFloat64(a[0]))), nil
	}}
}
