package value

import (
	"cmp"
	"math"
	"math/big"
)

// ErrArithmetic is java.lang.ArithmeticException: overflow of a Long, division by zero.
type ErrArithmetic struct{ Message string }

func (e ErrArithmetic) Error() string { return e.Message }

// JavaClass is the class that clients find in the attribute exceptions.
func (e ErrArithmetic) JavaClass() string { return "java.lang.ArithmeticException" }

func (v Value) isIntegral() bool { return v.kind >= KindByte && v.kind <= KindLong }

// AsBigInt returns any number as BigInteger does: longValue for all but BigInteger,
// and the whole part of a BigDecimal.
func AsBigInt(v Value) *big.Int {
	switch v.kind {
	case KindBigInteger:
		return v.BigInt()
	case KindBigDecimal:
		d := v.Decimal()
		switch {
		case d.Scale < -maxDecimalDigits:
			return new(big.Int).Mul(d.unscaled(), pow10(maxDecimalDigits)) // as far as it goes
		case d.Scale <= 0:
			return d.rescaled(0)
		case d.Scale > maxDecimalDigits:
			return new(big.Int) // nothing in range has that many digits
		}
		return new(big.Int).Quo(d.unscaled(), pow10(int64(d.Scale)))
	}
	return big.NewInt(AsInt64(v))
}

// AsInt64 is Number.longValue: truncation, saturating for floating point, the low
// bits of a BigInteger.
func AsInt64(v Value) int64 {
	switch v.kind {
	case KindFloat, KindDouble:
		f := v.Float64()
		switch {
		case math.IsNaN(f):
			return 0
		case f >= math.MaxInt64:
			return math.MaxInt64
		case f <= math.MinInt64:
			return math.MinInt64
		}
		return int64(f)
	case KindBigInteger, KindBigDecimal:
		return lowBits(AsBigInt(v))
	}
	return int64(v.num)
}

func lowBits(n *big.Int) int64 {
	if n.IsInt64() {
		return n.Int64()
	}
	u := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	return int64(u.Uint64())
}

// AsFloat64 is Number.doubleValue.
func AsFloat64(v Value) float64 {
	switch v.kind {
	case KindFloat, KindDouble:
		return v.Float64()
	case KindBigInteger:
		f, _ := new(big.Float).SetInt(v.BigInt()).Float64()
		return f
	case KindBigDecimal:
		f, _, err := big.ParseFloat(v.Decimal().String(), 10, 64, big.ToNearestEven)
		if err != nil {
			return math.NaN()
		}
		x, _ := f.Float64()
		return x
	}
	return float64(int64(v.num))
}

func asFloat32(v Value) float32 {
	if v.isIntegral() {
		return float32(int64(v.num))
	}
	return float32(AsFloat64(v))
}

// AsDecimal returns any finite number as a BigDecimal; floating point by its shortest
// text, so that 0.1f becomes 0.1.
func AsDecimal(v Value) Decimal {
	switch v.kind {
	case KindBigDecimal:
		return v.Decimal()
	case KindBigInteger:
		return Decimal{Unscaled: v.BigInt()}
	case KindFloat, KindDouble:
		d, err := ParseDecimal(string(appendPlainFloat(nil, v)))
		if err != nil {
			return Decimal{} // NaN and infinities have no decimal; callers ask before
		}
		return d
	}
	return Decimal{Unscaled: big.NewInt(int64(v.num))}
}

// common returns the kind that two numbers are brought to before an operation:
// the wider width, floating point when either is.
func common(a, b Value) Kind {
	bits, fp := 8, false
	for _, v := range [2]Value{a, b} {
		if isNaN(v) {
			continue
		}
		switch v.kind {
		case KindShort:
			bits = max(bits, 16)
		case KindInt:
			bits = max(bits, 32)
		case KindLong:
			bits = max(bits, 64)
		case KindBigInteger:
			bits = 128
		case KindFloat:
			bits, fp = max(bits, 32), true
		case KindDouble:
			bits, fp = max(bits, 64), true
		case KindBigDecimal:
			return KindBigDecimal
		}
	}
	return kindOf(bits, fp)
}

func kindOf(bits int, fp bool) Kind {
	switch {
	case bits > 64 && fp:
		return KindBigDecimal
	case bits > 64:
		return KindBigInteger
	case fp && bits <= 32:
		return KindFloat
	case fp:
		return KindDouble
	case bits <= 8:
		return KindByte
	case bits <= 16:
		return KindShort
	case bits <= 32:
		return KindInt
	}
	return KindLong
}

// compareNumbers compares as Java's promotion has it, so 16777217 equals 16777216.0f;
// NaN comes last. -0.0 is below 0.0.
func compareNumbers(a, b Value) int {
	if isNaN(a) || isNaN(b) {
		return compareNaN(a, b)
	}
	switch k := common(a, b); k {
	case KindFloat:
		return compareFloats(float64(asFloat32(a)), float64(asFloat32(b)))
	case KindDouble:
		return compareFloats(AsFloat64(a), AsFloat64(b))
	case KindBigInteger:
		return AsBigInt(a).Cmp(AsBigInt(b))
	case KindBigDecimal:
		if c, ok := compareInfinite(a, b); ok {
			return c
		}
		return AsDecimal(a).Cmp(AsDecimal(b))
	}
	return cmp.Compare(int64(a.num), int64(b.num))
}

func compareNaN(a, b Value) int {
	switch {
	case isNaN(a) && isNaN(b):
		return 0
	case isNaN(a):
		return 1
	}
	return -1
}

func compareFloats(x, y float64) int {
	if x == 0 && y == 0 {
		return cmp.Compare(zeroSign(x), zeroSign(y))
	}
	return cmp.Compare(x, y)
}

func zeroSign(f float64) int {
	if math.Signbit(f) {
		return -1
	}
	return 0
}

func infinity(v Value) int {
	if v.kind != KindFloat && v.kind != KindDouble {
		return 0
	}
	switch f := v.Float64(); {
	case math.IsInf(f, 1):
		return 1
	case math.IsInf(f, -1):
		return -1
	}
	return 0
}

func compareInfinite(a, b Value) (int, bool) {
	x, y := infinity(a), infinity(b)
	return cmp.Compare(x, y), x != 0 || y != 0
}

// orderNumbers is the total order of numbers by exact value: floating point by its
// shortest decimal text (below 2^53, where that is the value for whole numbers), NaN
// last, -0.0 just below every other zero. Unlike compareNumbers it is transitive.
func orderNumbers(a, b Value) int {
	if isNaN(a) || isNaN(b) {
		return compareNaN(a, b)
	}
	fa, fb := a.isFloat(), b.isFloat()
	if fa && fb {
		return compareFloats(a.Float64(), b.Float64())
	}
	if c, ok := compareInfinite(a, b); ok {
		return c
	}
	if c, ok := compareSmall(a, b, fa, fb); ok {
		return c
	}
	return cmp.Or(exactDecimal(a).Cmp(exactDecimal(b)), cmp.Compare(minusZero(a), minusZero(b)))
}

func (v Value) isFloat() bool { return v.kind == KindFloat || v.kind == KindDouble }

// compareSmall compares an integer below 2^53 with a float without any allocation.
func compareSmall(a, b Value, fa, fb bool) (int, bool) {
	const exact = 1 << 53
	switch {
	case fa && b.isIntegral() && int64(b.num) > -exact && int64(b.num) < exact:
		return compareFloats(a.Float64(), float64(int64(b.num))), true
	case fb && a.isIntegral() && int64(a.num) > -exact && int64(a.num) < exact:
		return compareFloats(float64(int64(a.num)), b.Float64()), true
	}
	return 0, false
}

func minusZero(v Value) int {
	if v.isFloat() && v.Float64() == 0 {
		return zeroSign(v.Float64())
	}
	return 0
}

// exactDecimal is the value that orderNumbers and the ordered form give a number.
func exactDecimal(v Value) Decimal {
	if f := v.Float64(); v.isFloat() && math.Abs(f) >= 1<<53 {
		n, _ := new(big.Float).SetFloat64(f).Int(nil)
		return Decimal{Unscaled: n}
	}
	if v.kind == KindFloat {
		v = Double(v.Float64()) // in one order with the doubles
	}
	return AsDecimal(v)
}

func appendPlainFloat(dst []byte, v Value) []byte {
	if v.kind == KindFloat {
		return appendFloat(dst, v.Float64(), 32)
	}
	return appendFloat(dst, v.Float64(), 64)
}
