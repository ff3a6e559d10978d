package methods

import (
	"math"
	"math/big"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

func converts(k value.Kind) machine.Method {
	return machine.Method{0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
		return value.Widened(self, k), nil
	}}
}

func numberMethods() machine.Methods {
	return machine.Methods{
		"intValue": converts(value.KindInt), "toInteger": converts(value.KindInt),
		"longValue": converts(value.KindLong), "toLong": converts(value.KindLong),
		"doubleValue": converts(value.KindDouble), "toDouble": converts(value.KindDouble),
		"floatValue": converts(value.KindFloat), "toFloat": converts(value.KindFloat),
		"shortValue": converts(value.KindShort), "byteValue": converts(value.KindByte),
		"toBigInteger": converts(value.KindBigInteger), "toBigDecimal": converts(value.KindBigDecimal),
		"plus": operatorMethod("+"), "minus": operatorMethod("-"), "multiply": operatorMethod("*"), "div": operatorMethod("/"),
		"mod": operatorMethod("%"), "power": operatorMethod("**"), "compareTo": operatorMethod("<=>"),
		"intdiv": {1, 1, wholeDivision},
		"abs":    {0, 0, absolute},
		"negate": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.Unary("-", self)
		}},
		"round":  {0, 1, round},
		"times":  {1, 1, times},
		"upto":   {2, 2, counting(1)},
		"downto": {2, 2, counting(-1)},
		"next": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.Next(self, true)
		}},
		"previous": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.Next(self, false)
		}},
		"isNaN": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(machine.IsNaN(self)), nil
		}},
	}
}

func wholeDivision(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	b := a[0]
	if machine.Floating(self.Kind()) || !b.Kind().IsNumber() || machine.Floating(b.Kind()) || self.Kind() == value.KindBigDecimal || b.Kind() == value.KindBigDecimal {
		return value.Null, m.NoMethod(self, "intdiv", a)
	}
	y := value.AsBigInt(b)
	if y.Sign() == 0 {
		return value.Null, machine.Fail(machine.ArithmeticException, "/ by zero")
	}
	q := new(big.Int).Quo(value.AsBigInt(self), y)
	switch {
	case self.Kind() == value.KindBigInteger || b.Kind() == value.KindBigInteger:
		return value.BigInt(q), nil
	case self.Kind() == value.KindLong || b.Kind() == value.KindLong:
		return value.Long(value.AsInt64(value.BigInt(q))), nil
	}
	return value.Int(int32(value.AsInt64(value.BigInt(q)))), nil
}

func absolute(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	if machine.Floating(self.Kind()) {
		return value.Widened(value.Double(math.Abs(self.Float64())), self.Kind()), nil
	}
	if value.AsDecimal(self).Sign() < 0 {
		return m.Unary("-", self)
	}
	return self, nil
}

// round is to whole numbers, or to that many digits.
func round(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	digits := int64(0)
	if len(a) == 1 {
		digits = value.AsInt64(a[0])
	}
	if digits < 0 || digits > machine.ScaleMax {
		return value.Null, machine.Fail(machine.ArgumentException, "round(%d): digits must be 0 to %d", digits, machine.ScaleMax)
	}
	switch k := self.Kind(); {
	case machine.Floating(k) && len(a) == 0:
		r := math.Floor(self.Float64() + 0.5)
		if k == value.KindFloat {
			return value.Widened(value.Double(r), value.KindInt), nil
		}
		return value.Widened(value.Double(r), value.KindLong), nil
	case machine.Floating(k):
		p := math.Pow(10, float64(digits))
		return value.Widened(value.Double(math.Floor(self.Float64()*p+0.5)/p), k), nil
	case k == value.KindBigDecimal:
		d := self.Decimal()
		if int64(d.Scale) <= digits {
			return self, nil
		}
		if int64(d.Scale) > machine.ScaleMax {
			return value.Null, machine.Fail(machine.ArithmeticException, "round() of a number with more than %d digits", machine.ScaleMax)
		}
		return value.BigDecimal(d.Rounded(int32(digits))), nil
	}
	return self, nil
}

func times(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	for i := int64(0); i < value.AsInt64(self); i++ {
		if err := m.Step(); err != nil {
			return value.Null, err
		}
		if _, err := m.Invoke(a[0], "call", []value.Value{value.Widened(value.Long(i), value.KindInt)}); err != nil {
			return value.Null, err
		}
	}
	return value.Null, nil
}

// counting is upto and downto.
func counting(step int64) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		k := self.Kind()
		for i := value.AsInt64(self); (value.AsInt64(a[0])-i)*step >= 0; i += step {
			if err := m.Step(); err != nil {
				return value.Null, err
			}
			if _, err := m.Invoke(a[1], "call", []value.Value{value.Widened(value.Long(i), k)}); err != nil {
				return value.Null, err
			}
		}
		return value.Null, nil
	}
}

func operatorMethod(op string) machine.Method {
	return machine.Method{1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		return m.Binary(op, self, a[0])
	}}
}

// Itself is a method that returns what it is called on.
func Itself(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	return self, nil
}
