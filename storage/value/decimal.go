package value

import (
	"cmp"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Decimal is a java.math.BigDecimal: Unscaled * 10^-Scale. 1.0 and 1.00 differ in
// scale; they are equal, not identical. A nil Unscaled reads as zero.
type Decimal struct {
	Unscaled *big.Int
	Scale    int32
}

var bigZero = new(big.Int)

func (d Decimal) unscaled() *big.Int {
	if d.Unscaled == nil {
		return bigZero
	}
	return d.Unscaled
}

// maxDecimalDigits bounds the exponent span that arithmetic and comparison expand,
// so that 1e999999999m cannot exhaust memory.
const maxDecimalDigits = 1 << 16

// ParseDecimal reads the forms that new BigDecimal(String) reads.
func ParseDecimal(s string) (Decimal, error) {
	mantissa, exp := s, int64(0)
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.ParseInt(s[i+1:], 10, 32)
		if err != nil {
			return Decimal{}, fmt.Errorf("decimal %q: bad exponent", abbreviate(s, 40))
		}
		mantissa, exp = s[:i], e
	}
	digits, scale := mantissa, int64(0)
	if i := strings.IndexByte(mantissa, '.'); i >= 0 {
		scale = int64(len(mantissa) - i - 1)
		digits = mantissa[:i] + mantissa[i+1:]
	}
	n, ok := new(big.Int).SetString(digits, 10)
	scale -= exp
	if !ok || strings.ContainsRune(digits, '_') || scale != int64(int32(scale)) {
		return Decimal{}, fmt.Errorf("decimal %q: not a number", abbreviate(s, 40))
	}
	return Decimal{Unscaled: n, Scale: int32(scale)}, nil
}

// Sign returns -1, 0 or 1.
func (d Decimal) Sign() int { return d.unscaled().Sign() }

// Precision returns the number of decimal digits of the unscaled value; 1 for zero.
func (d Decimal) Precision() int {
	if d.Sign() == 0 {
		return 1
	}
	return len(new(big.Int).Abs(d.unscaled()).String())
}

// Cmp compares by value.
func (d Decimal) Cmp(e Decimal) int {
	if d.Sign() != e.Sign() || d.Sign() == 0 {
		return cmp.Compare(d.Sign(), e.Sign())
	}
	if d.Scale == e.Scale {
		return d.unscaled().Cmp(e.unscaled())
	}
	// Different magnitudes decide without expanding either.
	lowD, highD := d.magnitude()
	lowE, highE := e.magnitude()
	switch {
	case lowD > highE:
		return d.Sign()
	case highD < lowE:
		return -d.Sign()
	}
	scale := max(d.Scale, e.Scale)
	return d.rescaled(scale).Cmp(e.rescaled(scale))
}

// magnitude bounds the decimal logarithm of a number that is not zero. It is told by the
// number of bits: numbers of one magnitude differ in scale by little more than they have digits.
func (d Decimal) magnitude() (low, high int64) {
	const lowLog2, highLog2, unit = 30102, 30103, 100_000 // the logarithm of 2 is between them
	bits := int64(d.unscaled().BitLen())
	return (bits-1)*lowLog2/unit - int64(d.Scale), bits*highLog2/unit + 1 - int64(d.Scale)
}

// rescaled returns the unscaled value at a scale not smaller than d's.
func (d Decimal) rescaled(scale int32) *big.Int {
	if scale == d.Scale {
		return d.unscaled()
	}
	return new(big.Int).Mul(d.unscaled(), pow10(int64(scale)-int64(d.Scale)))
}

func pow10(n int64) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil)
}

// errTooLarge is returned when a result would have more digits than anyone needs.
var errTooLarge = fmt.Errorf("number too large: the result has more than %d digits", maxDecimalDigits)

func (d Decimal) tooFar(e Decimal) bool {
	diff := int64(d.Scale) - int64(e.Scale)
	return diff > maxDecimalDigits || diff < -maxDecimalDigits
}

func addDecimals(a, b Decimal, negate bool) (Decimal, error) {
	if a.tooFar(b) {
		return Decimal{}, errTooLarge
	}
	scale := max(a.Scale, b.Scale)
	x, y := a.rescaled(scale), b.rescaled(scale)
	if negate {
		return Decimal{Unscaled: new(big.Int).Sub(x, y), Scale: scale}, nil
	}
	return Decimal{Unscaled: new(big.Int).Add(x, y), Scale: scale}, nil
}

func mulDecimals(a, b Decimal) (Decimal, error) {
	scale := int64(a.Scale) + int64(b.Scale)
	if scale != int64(int32(scale)) {
		return Decimal{}, ErrArithmetic{"Overflow"}
	}
	return Decimal{Unscaled: new(big.Int).Mul(a.unscaled(), b.unscaled()), Scale: int32(scale)}, nil
}

// divDecimals divides exactly when the quotient terminates, else to ten digits more
// than the operands have, rounded half up.
func divDecimals(a, b Decimal) (Decimal, error) {
	if b.Sign() == 0 {
		return Decimal{}, ErrArithmetic{"/ by zero"}
	}
	preferred := int64(a.Scale) - int64(b.Scale)
	if a.Sign() == 0 {
		return Decimal{Unscaled: new(big.Int), Scale: int32(max(min(preferred, 1<<31-1), -1<<31))}, nil
	}
	if a.tooFar(b) {
		return Decimal{}, errTooLarge
	}
	if d, ok := exactQuotient(a, b, preferred); ok {
		return d, nil
	}
	precision := max(a.Precision(), b.Precision()) + 10
	d := roundedQuotient(a, b, precision)
	scale := max(a.Scale, b.Scale, 10)
	if d.Scale > scale {
		d = d.Rounded(scale)
	}
	return d, nil
}

// exactQuotient tries the quotient with as many digits as a terminating one can have.
func exactQuotient(a, b Decimal, preferred int64) (Decimal, bool) {
	r := new(big.Rat).SetFrac(a.unscaled(), b.unscaled())
	digits, ok := terminating(r.Denom())
	if !ok {
		return Decimal{}, false
	}
	n := new(big.Int).Mul(r.Num(), pow10(digits))
	n.Quo(n, r.Denom())
	d := Decimal{Unscaled: n, Scale: int32(preferred + digits)}
	return d, true
}

// terminating returns how many decimal digits 1/den has, false when it repeats.
func terminating(den *big.Int) (int64, bool) {
	twos := int64(den.TrailingZeroBits())
	rest := new(big.Int).Rsh(den, uint(twos))
	fives, five, rem := int64(0), big.NewInt(5), new(big.Int)
	for rest.Cmp(big.NewInt(1)) > 0 {
		q, m := new(big.Int).QuoRem(rest, five, rem)
		if m.Sign() != 0 {
			return 0, false
		}
		rest = q
		fives++
	}
	return max(twos, fives), true
}

// roundedQuotient returns a/b to precision significant digits, rounded half up.
func roundedQuotient(a, b Decimal, precision int) Decimal {
	shift := int64(precision) + int64(b.Precision()) - int64(a.Precision()) + 1
	num, den := new(big.Int).Set(a.unscaled()), new(big.Int).Set(b.unscaled())
	if shift > 0 {
		num.Mul(num, pow10(shift))
	} else {
		den.Mul(den, pow10(-shift))
	}
	q := num.Quo(num, den)
	d := Decimal{Unscaled: q, Scale: int32(int64(a.Scale) - int64(b.Scale) + shift)}
	if over := d.Precision() - precision; over > 0 {
		d = d.Rounded(d.Scale - int32(over))
	}
	return d
}

// Rounded returns d with at most scale digits after the point, half up.
func (d Decimal) Rounded(scale int32) Decimal {
	if scale >= d.Scale {
		return Decimal{Unscaled: d.rescaled(scale), Scale: scale}
	}
	unit := pow10(int64(d.Scale) - int64(scale))
	q, r := new(big.Int).QuoRem(d.unscaled(), unit, new(big.Int))
	if r.Abs(r).Lsh(r, 1).Cmp(unit) >= 0 {
		q.Add(q, big.NewInt(int64(d.Sign())))
	}
	return Decimal{Unscaled: q, Scale: scale}
}

// String is BigDecimal's toString: plain unless the scale is negative or the number
// is below 0.000001.
func (d Decimal) String() string {
	digits := new(big.Int).Abs(d.unscaled()).String()
	sign := ""
	if d.Sign() < 0 {
		sign = "-"
	}
	adjusted := -int64(d.Scale) + int64(len(digits)-1)
	switch {
	case d.Scale == 0:
		return sign + digits
	case d.Scale > 0 && adjusted >= -6:
		point := len(digits) - int(d.Scale)
		if point <= 0 {
			return sign + "0." + strings.Repeat("0", -point) + digits
		}
		return sign + digits[:point] + "." + digits[point:]
	}
	s := sign + digits[:1]
	if len(digits) > 1 {
		s += "." + digits[1:]
	}
	if adjusted != 0 {
		s += "E" + fmt.Sprintf("%+d", adjusted)
	}
	return s
}

// Int returns the unscaled value, never nil. Do not change it.
func (d Decimal) Int() *big.Int { return d.unscaled() }
