package value

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

// The arithmetic of sum(), sack operators and scripts follows TinkerPop's promotion:
// operands meet in the wider type, floating point wins, an overflow widens by one
// step (byte 127+1 is a Short, Int overflow a Long), and a Long overflow is
// ErrArithmetic. BigInteger and BigDecimal never overflow.

type operation uint8

const (
	opAdd operation = iota
	opSub
	opMul
	opDiv
)

// Add returns a+b; when either is null the result is a.
func Add(a, b Value) (Value, error) { return arithmetic(opAdd, a, b, false) }

// Sub returns a-b; when either is null the result is a.
func Sub(a, b Value) (Value, error) { return arithmetic(opSub, a, b, false) }

// Mul returns a*b; when either is null the result is a.
func Mul(a, b Value) (Value, error) { return arithmetic(opMul, a, b, false) }

// Div returns a/b, whole for integers; when either is null the result is a.
func Div(a, b Value) (Value, error) { return arithmetic(opDiv, a, b, false) }

// DivFloat is Div with the operands brought to floating point first, as mean() does.
func DivFloat(a, b Value) (Value, error) { return arithmetic(opDiv, a, b, true) }

func arithmetic(op operation, a, b Value, forceFP bool) (Value, error) {
	for _, v := range [...]Value{a, b} {
		if !v.IsNull() && !v.kind.IsNumber() {
			return Null, castError(v, "java.lang.Number")
		}
	}
	if a.IsNull() || b.IsNull() {
		return a, nil
	}
	k := common(a, b)
	if forceFP {
		k = floatingKind(k)
	}
	if (k == KindBigInteger || k == KindBigDecimal) && !(isFinite(a) && isFinite(b)) {
		return Null, errNotFinite
	}
	switch k {
	case KindBigInteger:
		return bigOperation(op, AsBigInt(a), AsBigInt(b))
	case KindBigDecimal:
		return decimalOperation(op, a, b)
	case KindFloat, KindDouble:
		return floatOperation(op, k, a, b), nil
	}
	return wholeOperation(op, k, AsInt64(a), AsInt64(b))
}

// castError is Java's complaint about an operand of another class than needed.
func castError(v Value, class string) error {
	return fmt.Errorf("class %s cannot be cast to class %s", JavaClass(v), class)
}

func floatingKind(k Kind) Kind {
	switch k {
	case KindByte, KindShort, KindInt:
		return KindFloat
	case KindLong:
		return KindDouble
	case KindBigInteger:
		return KindBigDecimal
	}
	return k
}

// wholeOperation computes in 64 bits and takes the narrowest kind from k on that holds
// the result.
func wholeOperation(op operation, k Kind, x, y int64) (Value, error) {
	r, overflow, err := wholeResult(op, x, y)
	if err != nil {
		return Null, err
	}
	if overflow {
		return Null, ErrArithmetic{"long overflow"}
	}
	for !fits(r, k) {
		k++
	}
	return narrowed(k, r), nil
}

func wholeResult(op operation, x, y int64) (r int64, overflow bool, err error) {
	switch op {
	case opAdd:
		r = x + y
		return r, (x^r)&(y^r) < 0, nil
	case opSub:
		r = x - y
		return r, (x^y)&(x^r) < 0, nil
	case opMul:
		hi, lo := bits.Mul64(uint64(x), uint64(y))
		hi -= uint64(x>>63)&uint64(y) + uint64(y>>63)&uint64(x)
		return int64(lo), int64(hi) != int64(lo)>>63, nil
	}
	if y == 0 {
		return 0, false, ErrArithmetic{"/ by zero"}
	}
	return x / y, x == math.MinInt64 && y == -1, nil
}

func fits(n int64, k Kind) bool {
	switch k {
	case KindByte:
		return n == int64(int8(n))
	case KindShort:
		return n == int64(int16(n))
	case KindInt:
		return n == int64(int32(n))
	}
	return true
}

func narrowed(k Kind, n int64) Value {
	switch k {
	case KindByte:
		return Byte(int8(n))
	case KindShort:
		return Short(int16(n))
	case KindInt:
		return Int(int32(n))
	}
	return Long(n)
}

// floatOperation computes in k; a Float result that is infinite is computed again
// in Double.
func floatOperation(op operation, k Kind, a, b Value) Value {
	if k == KindFloat {
		r := floatResult(op, asFloat32(a), asFloat32(b))
		if !math.IsInf(float64(r), 0) {
			return Float(r)
		}
	}
	return Double(floatResult(op, AsFloat64(a), AsFloat64(b)))
}

func floatResult[T float32 | float64](op operation, x, y T) T {
	switch op {
	case opAdd:
		return x + y
	case opSub:
		return x - y
	case opMul:
		return x * y
	}
	return x / y
}

// maxResultBits bounds what one multiplication may make.
const maxResultBits = 1 << 20

func bigOperation(op operation, x, y *big.Int) (Value, error) {
	r := new(big.Int)
	switch op {
	case opAdd:
		r.Add(x, y)
	case opSub:
		r.Sub(x, y)
	case opMul:
		if x.BitLen()+y.BitLen() > maxResultBits {
			return Null, errTooLarge
		}
		r.Mul(x, y)
	case opDiv:
		if y.Sign() == 0 {
			return Null, ErrArithmetic{"BigInteger divide by zero"}
		}
		r.Quo(x, y)
	}
	return BigInt(r), nil
}

func isFinite(v Value) bool { return !isNaN(v) && infinity(v) == 0 }

var errNotFinite = errors.New("Infinite or NaN") // Java's words

func decimalOperation(op operation, a, b Value) (Value, error) {
	var r Decimal
	var err error
	x, y := AsDecimal(a), AsDecimal(b)
	switch op {
	case opAdd, opSub:
		r, err = addDecimals(x, y, op == opSub)
	case opMul:
		if x.unscaled().BitLen()+y.unscaled().BitLen() > maxResultBits {
			return Null, errTooLarge
		}
		r, err = mulDecimals(x, y)
	case opDiv:
		r, err = divDecimals(x, y)
	}
	if err != nil {
		return Null, err
	}
	return BigDecimal(r), nil
}

// Min returns the smaller value in the common type of two numbers, or the smaller of
// two comparable values; null and NaN lose against anything.
func Min(a, b Value) (Value, error) { return extreme(a, b, -1) }

// Max returns the larger value in the common type of two numbers, or the larger of
// two comparable values; null and NaN lose against anything.
func Max(a, b Value) (Value, error) { return extreme(a, b, 1) }

func extreme(a, b Value, sign int) (Value, error) {
	for _, v := range [...]Value{a, b} {
		if !v.IsNull() && !v.kind.comparable() {
			return Null, castError(v, "java.lang.Comparable")
		}
	}
	switch {
	case a.IsNull() || isNaN(a):
		if b.IsNull() {
			return a, nil
		}
		return b, nil
	case b.IsNull() || isNaN(b):
		return a, nil
	}
	if a.kind.IsNumber() && b.kind.IsNumber() {
		k := common(a, b)
		c := compareNumbers(a, b)
		if k == KindFloat || k == KindDouble {
			c = cmp.Compare(AsFloat64(Widened(a, k)), AsFloat64(Widened(b, k))) // 0.0 and -0.0 tie
		}
		if c*sign >= 0 {
			return Widened(a, k), nil
		}
		return Widened(b, k), nil
	}
	c, ok := Compare(a, b)
	if !ok {
		return Null, castError(b, JavaClass(a))
	}
	if c*sign > 0 {
		return a, nil
	}
	return b, nil
}

// Widened converts a number to a kind of numbers as Java's intValue and its siblings
// do; a number of that kind stays as it is, and so does NaN or an infinity where the
// kind has none.
func Widened(v Value, k Kind) Value {
	if v.kind == k || !isFinite(v) && (k == KindBigInteger || k == KindBigDecimal) {
		return v
	}
	switch k {
	case KindByte, KindShort, KindInt, KindLong:
		return narrowed(k, AsInt64(v))
	case KindFloat:
		return Float(asFloat32(v))
	case KindDouble:
		return Double(AsFloat64(v))
	case KindBigInteger:
		return BigInt(AsBigInt(v))
	case KindBigDecimal:
		return BigDecimal(AsDecimal(v))
	}
	return v
}
