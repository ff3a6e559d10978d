package script

import (
	"math"
	"math/big"

	"github.com/gremlind/gremlind/storage/value"
)

// moreNumberMethods are Groovy's and Java's for numbers that books use beyond the first need.
func moreNumberMethods() methods {
	return methods{
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
		"signum": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(value.AsDecimal(self).Sign())), nil
		}},
		"trunc": {0, 1, numberTrunc},
		"isInfinite": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return infinite(m, self, []value.Value{self})
		}},
		"unaryMinus": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) { return m.unary("-", self) }},
		"unaryPlus":  {0, 0, itself},
		"hashCode":   {0, 0, javaHashCode},
		"equals": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(value.Identical(self, m.export(a[0]))), nil
		}},
		"toString": {0, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return numberText(m, self, append([]value.Value{self}, a...))
		}},
		"toCharacter": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Char(rune(value.AsInt64(self))), nil
		}},
	}
}

// numberStep is 1.step(10, 2) { }: up to, not to, the limit.
func numberStep(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	if !a[0].Kind().IsNumber() || !a[1].Kind().IsNumber() || value.AsDecimal(a[1]).Sign() == 0 {
		return value.Null, fail(argumentException, "step() takes a limit, a step that is not zero, and a closure")
	}
	up := value.AsFloat64(a[1]) > 0
	for v := self; ; {
		c, err := m.compare(v, a[0])
		if err != nil || up && c >= 0 || !up && c <= 0 {
			return value.Null, err
		}
		if err := m.step(); err != nil {
			return value.Null, err
		}
		if _, err := m.invoke(a[2], "call", []value.Value{v}); err != nil {
			return value.Null, err
		}
		if v, err = m.binary("+", v, a[1]); err != nil {
			return value.Null, err
		}
	}
}

// numberTrunc cuts to whole numbers, or to that many digits.
func numberTrunc(_ *machine, self value.Value, a []value.Value) (value.Value, error) {
	digits := int64(0)
	if len(a) == 1 {
		digits = min(max(value.AsInt64(a[0]), 0), 300)
	}
	switch {
	case floating(self.Kind()):
		p := math.Pow(10, float64(digits))
		return value.Widened(value.Double(math.Trunc(value.AsFloat64(self)*p)/p), self.Kind()), nil
	case self.Kind() == value.KindBigDecimal:
		d := self.Decimal()
		if over := int64(d.Scale) - digits; over > 0 && over <= scaleMax {
			unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(over), nil)
			return value.BigDecimal(value.Decimal{Scale: int32(digits), Unscaled: new(big.Int).Quo(d.Unscaled, unit)}), nil
		}
	}
	return self, nil
}

const comparatorName = "compare" // of callables that take two arguments

func infinite(_ *machine, _ value.Value, a []value.Value) (value.Value, error) {
	return value.Bool(floating(a[0].Kind()) && math.IsInf(value.AsFloat64(a[0]), 0)), nil
}

func numberText(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
	if len(a) == 1 || !a[0].Kind().IsNumber() {
		return m.text(m.string(a[0]))
	}
	base := value.AsInt64(a[1])
	if base < 2 || base > 36 {
		base = 10
	}
	n := value.AsBigInt(a[0])
	if err := m.newText(n.BitLen() + 1); err != nil {
		return value.Null, err
	}
	return value.String(n.Text(int(base))), nil
}
