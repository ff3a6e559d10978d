package machine

import (
	"errors"
	"math"
	"math/big"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// arithmetic follows Groovy: floating point makes Double, BigDecimal wins over whole
// numbers, whole numbers wrap around in Int and Long, / of whole numbers is BigDecimal.
func (m *Machine) arithmetic(op string, a, b value.Value) (value.Value, error) {
	v, err := m.calculated(op, a, b)
	if err == nil {
		err = m.madeNumber(v)
	}
	return v, err
}

func (m *Machine) calculated(op string, a, b value.Value) (value.Value, error) {
	switch op {
	case "**":
		return m.power(a, b)
	case "<<", ">>", ">>>", "&", "|", "^":
		return m.bits(op, a, b)
	}
	x, y := a.Kind(), b.Kind()
	switch {
	case Floating(x) || Floating(y):
		return floatArithmetic(op, value.AsFloat64(a), value.AsFloat64(b)), nil
	case x == value.KindBigDecimal || y == value.KindBigDecimal || op == "/":
		return decimalArithmetic(op, value.AsDecimal(a), value.AsDecimal(b))
	case x == value.KindBigInteger || y == value.KindBigInteger:
		return bigArithmetic(op, value.AsBigInt(a), value.AsBigInt(b))
	}
	n, err := wholeArithmetic(op, a.Int64(), b.Int64())
	if x == value.KindLong || y == value.KindLong {
		return value.Long(n), err
	}
	return value.Int(int32(n)), err
}

// Floating reports whether a kind is one of floating point.
func Floating(k value.Kind) bool { return k == value.KindFloat || k == value.KindDouble }

func floatArithmetic(op string, x, y float64) value.Value {
	switch op {
	case "+":
		return value.Double(x + y)
	case "-":
		return value.Double(x - y)
	case "*":
		return value.Double(x * y)
	case "/":
		return value.Double(x / y)
	}
	return value.Double(math.Mod(x, y))
}

func wholeArithmetic(op string, x, y int64) (int64, error) {
	switch op {
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	}
	if y == 0 {
		return 0, Fail(ArithmeticException, "/ by zero")
	}
	if y == -1 {
		return 0, nil
	}
	return x % y, nil
}

func decimalArithmetic(op string, x, y value.Decimal) (value.Value, error) {
	a, b := value.BigDecimal(x), value.BigDecimal(y)
	var v value.Value
	var err error
	switch op {
	case "+":
		v, err = value.Add(a, b)
	case "-":
		v, err = value.Sub(a, b)
	case "*":
		v, err = value.Mul(a, b)
	case "/":
		if y.Sign() == 0 {
			return v, Fail(ArithmeticException, "Division by zero")
		}
		v, err = value.Div(a, b)
	default:
		return remainder(x, y)
	}
	return v, arithmeticError(err)
}

// arithmeticError gives errors of package value their Java class.
func arithmeticError(err error) error {
	var a value.ErrArithmetic
	switch {
	case err == nil:
		return nil
	case errors.As(err, &a):
		return Fail(ArithmeticException, "%s", a.Message)
	}
	return Fail(ArithmeticException, "%v", err)
}

const ScaleMax = 10_000 // digits that % and ** of decimals may need

func remainder(x, y value.Decimal) (value.Value, error) {
	if y.Sign() == 0 {
		return value.Null, Fail(ArithmeticException, "Division by zero")
	}
	scale := max(x.Scale, y.Scale)
	if int64(scale)-int64(min(x.Scale, y.Scale)) > ScaleMax {
		return value.Null, Fail(ArithmeticException, "the exponents of %% are more than %d digits apart", ScaleMax)
	}
	r := new(big.Int).Rem(x.Rounded(scale).Unscaled, y.Rounded(scale).Unscaled)
	return value.BigDecimal(value.Decimal{Unscaled: r, Scale: scale}), nil
}

func bigArithmetic(op string, x, y *big.Int) (value.Value, error) {
	a, b := value.BigInt(x), value.BigInt(y)
	var v value.Value
	var err error
	switch op {
	case "+":
		v, err = value.Add(a, b)
	case "-":
		v, err = value.Sub(a, b)
	case "*":
		v, err = value.Mul(a, b)
	default:
		if y.Sign() == 0 {
			return v, Fail(ArithmeticException, "BigInteger divide by zero")
		}
		return value.BigInt(new(big.Int).Rem(x, y)), nil
	}
	return v, arithmeticError(err)
}

const powerBitsMax = 1 << 20 // bits of a result of **

func (m *Machine) power(a, b value.Value) (value.Value, error) {
	x, y := a.Kind(), b.Kind()
	whole := y == value.KindInt || y == value.KindShort || y == value.KindByte || y == value.KindLong
	n := int64(0)
	if whole {
		n = b.Int64()
	}
	if Floating(x) || !whole || n < 0 || n > math.MaxInt32 {
		return value.Double(math.Pow(value.AsFloat64(a), value.AsFloat64(b))), nil
	}
	base, scale := value.AsBigInt(a), int64(0)
	if x == value.KindBigDecimal {
		base, scale = a.Decimal().Unscaled, int64(a.Decimal().Scale)
	}
	if int64(base.BitLen())*n > powerBitsMax || scale*n > math.MaxInt32 {
		return value.Null, Fail(ArithmeticException, "the result of ** has more than %d bits", powerBitsMax)
	}
	r := new(big.Int).Exp(base, big.NewInt(n), nil)
	switch {
	case x == value.KindBigDecimal:
		return value.BigDecimal(value.Decimal{Unscaled: r, Scale: int32(scale * n)}), nil
	case x != value.KindBigInteger && x != value.KindLong && r.IsInt64() && r.Int64() == int64(int32(r.Int64())):
		return value.Int(int32(r.Int64())), nil
	case x != value.KindBigInteger && r.IsInt64():
		return value.Long(r.Int64()), nil
	}
	return value.BigInt(r), nil
}

// bits applies the operators of bits to Int and Long.
func (m *Machine) bits(op string, a, b value.Value) (value.Value, error) {
	if a.Kind() > value.KindLong || b.Kind() > value.KindLong {
		return value.Null, m.noOperator(op, a, b)
	}
	x, y := a.Int64(), b.Int64()
	long := a.Kind() == value.KindLong
	var r int64
	switch op {
	case "&":
		r, long = x&y, long || b.Kind() == value.KindLong
	case "|":
		r, long = x|y, long || b.Kind() == value.KindLong
	case "^":
		r, long = x^y, long || b.Kind() == value.KindLong
	default:
		return value.Widened(shifted(op, x, y, long), a.Kind()), nil
	}
	if long {
		return value.Long(r), nil
	}
	return value.Int(int32(r)), nil
}

func shifted(op string, x, y int64, long bool) value.Value {
	if long {
		n := uint(y & 63)
		switch op {
		case "<<":
			return value.Long(x << n)
		case ">>":
			return value.Long(x >> n)
		}
		return value.Long(int64(uint64(x) >> n))
	}
	n := uint(y & 31)
	switch op {
	case "<<":
		return value.Int(int32(x) << n)
	case ">>":
		return value.Int(int32(x) >> n)
	}
	return value.Int(int32(uint32(x) >> n))
}

// Unary applies -, +, ! and ~.
func (m *Machine) Unary(op string, v value.Value) (value.Value, error) {
	if op == "!" {
		return value.Bool(!m.Truth(v)), nil
	}
	if op == "~" && v.Kind() == value.KindString {
		p, err := m.Compiled(v.Str())
		if err != nil {
			return value.Null, err
		}
		return Wrap(p), nil
	}
	if !v.Kind().IsNumber() {
		return value.Null, m.NoMethodName(v, map[string]string{"-": "negative", "+": "positive", "~": "bitwiseNegate"}[op])
	}
	switch op {
	case "+":
		return v, nil
	case "-":
		if Floating(v.Kind()) {
			return value.Widened(value.Double(-v.Float64()), v.Kind()), nil
		}
		r, err := m.arithmetic("-", value.Int(0), v)
		return value.Widened(r, v.Kind()), err
	}
	return m.bits("^", v, value.Widened(value.Int(-1), v.Kind()))
}

// Next is what ++ and -- make.
func (m *Machine) Next(v value.Value, up bool) (value.Value, error) {
	op := "+"
	if !up {
		op = "-"
	}
	if v.Kind().IsNumber() {
		return m.arithmetic(op, v, value.Int(1))
	}
	if s := v.Str(); v.Kind() == value.KindString && s != "" {
		r, n := utf8.DecodeLastRuneInString(s)
		return m.JoinedTexts(s[:len(s)-n], string(r+map[bool]rune{true: 1, false: -1}[up]))
	}
	if IsTime(v.Kind()) {
		return TimeLike(v.Kind(), v.Time().AddDate(0, 0, map[bool]int{true: 1, false: -1}[up])), nil
	}
	return value.Null, m.NoMethodName(v, map[bool]string{true: "next", false: "previous"}[up])
}

// NoMethodName is the error of a method without arguments.
func (m *Machine) NoMethodName(v value.Value, name string) error {
	if v.IsNull() {
		return Fail(nullPointer, "Cannot invoke method %s() on null object", name)
	}
	return m.NoMethod(v, name, nil)
}
