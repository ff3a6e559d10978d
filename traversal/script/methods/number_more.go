package methods

import (
	"math"
	"math/big"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// moreNumberMethods are Groovy's and Java's for numbers that books use beyond the first need.
func moreNumberMethods() machine.Methods {
	return machine.Methods{
		"step":       {3, 3, numberStep},
		"and":        operatorMethod("&"),
		"or":         operatorMethod("|"),
		"xor":        operatorMethod("^"),
		"leftShift":  operatorMethod("<<"),
		"rightShift": operatorMethod(">>"),
		"add":        operatorMethod("+"),
		"subtract":   operatorMethod("-"),
		"divide":     operatorMethod("/"),
		"remainder":  operatorMethod("%"),
		"pow":        operatorMethod("**"),
		"signum": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(value.AsDecimal(self).Sign())), nil
		}},
		"trunc": {0, 1, numberTrunc},
		"isInfinite": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return Infinite(m, self, []value.Value{self})
		}},
		"unaryMinus": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.Unary("-", self)
		}},
		"unaryPlus": {0, 0, Itself},
		"hashCode":  {0, 0, machine.JavaHashCode},
		"equals": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(value.Identical(self, m.Export(a[0]))), nil
		}},
		"toString": {0, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return NumberText(m, self, append([]value.Value{self}, a...))
		}},
		"toCharacter": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Char(rune(value.AsInt64(self))), nil
		}},
	}
}

// numberStep is 1.step(10, 2) { }: up to, not to, the limit.
func numberStep(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if !a[0].Kind().IsNumber() || !a[1].Kind().IsNumber() || value.AsDecimal(a[1]).Sign() == 0 {
		return value.Null, machine.Fail(machine.ArgumentException, "step() takes a limit, a step that is not zero, and a closure")
	}
	up := value.AsFloat64(a[1]) > 0
	for v := self; ; {
		c, err := m.Compare(v, a[0])
		if err != nil || up && c >= 0 || !up && c <= 0 {
			return value.Null, err
		}
		if err := m.Step(); err != nil {
			return value.Null, err
		}
		if _, err := m.Invoke(a[2], "call", []value.Value{v}); err != nil {
			return value.Null, err
		}
		if v, err = m.Binary("+", v, a[1]); err != nil {
			return value.Null, err
		}
	}
}

// numberTrunc cuts to whole numbers, or to that many digits.
func numberTrunc(_ *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	digits := int64(0)
	if len(a) == 1 {
		digits = min(max(value.AsInt64(a[0]), 0), 300)
	}
	switch {
	case machine.Floating(self.Kind()):
		p := math.Pow(10, float64(digits))
		return value.Widened(value.Double(math.Trunc(value.AsFloat64(self)*p)/p), self.Kind()), nil
	case self.Kind() == value.KindBigDecimal:
		d := self.Decimal()
		if over := int64(d.Scale) - digits; over > 0 && over <= machine.ScaleMax {
			unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(over), nil)
			return value.BigDecimal(value.Decimal{Scale: int32(digits), Unscaled: new(big.Int).Quo(d.Unscaled, unit)}), nil
		}
	}
	return self, nil
}

const ComparatorName = "compare" // of callables that take two arguments

// Infinite is isInfinite() of a number.
func Infinite(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
	return value.Bool(machine.Floating(a[0].Kind()) && math.IsInf(value.AsFloat64(a[0]), 0)), nil
}

// NumberText is toString() of a number.
func NumberText(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
	if len(a) == 1 || !a[0].Kind().IsNumber() {
		return m.Text(m.String(a[0]))
	}
	base := value.AsInt64(a[1])
	if base < 2 || base > 36 {
		base = 10
	}
	n := value.AsBigInt(a[0])
	if err := m.NewText(n.BitLen() + 1); err != nil {
		return value.Null, err
	}
	return value.String(n.Text(int(base))), nil
}
