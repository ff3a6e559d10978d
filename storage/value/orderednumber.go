package value

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"strconv"

	"github.com/cespare/xxhash/v2"
)

// A number in a key:
//
//	sign class | exponent | digit pairs | kind [| scale 4, of a BigDecimal]
//
// The number is 0.P1P2.. * 100^exponent with pairs P of decimal digits, P1 not 00. A
// pair p is the byte 2p, or 2p+1 when more follow; the exponent is 80+e, or 08 or F0
// and 4 bytes beyond -100..100. For negative numbers exponent and pairs are inverted.
// A number of more than MaxOrdered pairs is cut: FF (never a pair), hash 8.
const (
	numNegInf   = 1
	numNegative = 2
	numNegZero  = 3
	numZero     = 4
	numPositive = 5
	numPosInf   = 6
	numNaN      = 7

	pairCut = 0xFF
)

// numberKinds is the order of kinds among equal numbers.
var numberKinds = [...]Kind{
	1: KindByte, 2: KindShort, 3: KindInt, 4: KindLong, 5: KindBigInteger, 6: KindFloat,
	7: KindDouble, 8: KindBigDecimal,
}

func appendNumberKind(dst []byte, v Value) []byte {
	for i, k := range numberKinds {
		if k == v.kind {
			dst = append(dst, byte(i))
		}
	}
	if v.kind == KindBigDecimal {
		return binary.BigEndian.AppendUint32(dst, uint32(v.Decimal().Scale)^signedFlip)
	}
	return dst
}

func appendOrderedNumber(dst []byte, v Value) ([]byte, bool) {
	switch {
	case isNaN(v):
		return append(dst, numNaN), true
	case infinity(v) > 0:
		return append(dst, numPosInf), true
	case infinity(v) < 0:
		return append(dst, numNegInf), true
	case minusZero(v) < 0:
		return append(dst, numNegZero), true
	}
	var buf [48]byte
	digits, point, negative := decimalDigits(buf[:0], v)
	if len(digits) == 0 {
		return append(dst, numZero), true
	}
	if !negative {
		return appendPairs(append(dst, numPositive), digits, point, 0)
	}
	return appendPairs(append(dst, numNegative), digits, point, 0xFF)
}

// decimalDigits returns the significant digits of v, without zeros at either end, and
// the place of the point: the number is 0.digits * 10^point.
func decimalDigits(buf []byte, v Value) (digits []byte, point int64, negative bool) {
	switch {
	case v.isIntegral():
		digits = strconv.AppendInt(buf, int64(v.num), 10)
	case v.isFloat() && math.Abs(v.Float64()) < 1<<53:
		return floatDigits(buf, v.Float64())
	default:
		d := exactDecimal(v)
		digits = d.unscaled().Append(buf, 10)
		point = -int64(d.Scale)
	}
	if digits[0] == '-' {
		negative, digits = true, digits[1:]
	}
	point += int64(len(digits))
	return trimDigits(digits, point, negative)
}

// floatDigits uses the shortest text that reads back.
func floatDigits(buf []byte, f float64) ([]byte, int64, bool) {
	s := strconv.AppendFloat(buf, math.Abs(f), 'e', -1, 64)
	exp := int64(0)
	digits := s[:0]
	for i, c := range s {
		if c == 'e' {
			exp, _ = strconv.ParseInt(string(s[i+1:]), 10, 32) // AppendFloat wrote it
			break
		}
		if c != '.' {
			digits = append(digits, c)
		}
	}
	return trimDigits(digits, exp+1, f < 0)
}

func trimDigits(digits []byte, point int64, negative bool) ([]byte, int64, bool) {
	for len(digits) > 0 && digits[0] == '0' {
		digits, point = digits[1:], point-1
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return digits, point, negative
}

// appendPairs writes exponent and digit pairs, inverted by flip for negative numbers.
func appendPairs(dst, digits []byte, point int64, flip byte) ([]byte, bool) {
	odd := point&1 != 0
	exp := (point + 1) >> 1 // pairs before the point
	start := len(dst)
	switch {
	case exp < -100:
		dst = binary.BigEndian.AppendUint32(append(dst, 0x08), uint32(int32(exp))^signedFlip)
	case exp > 100:
		dst = binary.BigEndian.AppendUint32(append(dst, 0xF0), uint32(int32(exp))^signedFlip)
	default:
		dst = append(dst, byte(0x80+exp))
	}
	all := digits
	for pairs := 0; len(digits) > 0 && pairs < MaxOrdered; pairs++ {
		var p byte
		if odd && pairs == 0 {
			p, digits = digits[0]-'0', digits[1:]
		} else {
			p = (digits[0] - '0') * 10
			if digits = digits[1:]; len(digits) > 0 {
				p, digits = p+digits[0]-'0', digits[1:]
			}
		}
		p *= 2
		if len(digits) > 0 {
			p++
		}
		dst = append(dst, p)
	}
	cut := len(digits) > 0
	if cut {
		dst = append(dst, pairCut)
	}
	for i := start; i < len(dst); i++ {
		dst[i] ^= flip
	}
	if cut {
		dst = binary.BigEndian.AppendUint64(dst, xxhash.Sum64(all))
	}
	return dst, !cut
}

var errOrdered = errors.New("decode key value: damaged bytes")

// readOrderedNumber reads what appendOrderedNumber and appendNumberKind wrote.
func readOrderedNumber(b []byte) (v Value, rest []byte, exact bool, err error) {
	if len(b) == 0 {
		return Null, nil, false, errOrdered
	}
	sign := b[0]
	b = b[1:]
	var digits []byte
	var point int64
	exact = true
	if sign == numPositive || sign == numNegative {
		flip := byte(0)
		if sign == numNegative {
			flip = 0xFF
			digits = append(digits, '-')
		}
		if digits, point, b, exact, err = readPairs(b, digits, flip); err != nil {
			return Null, nil, false, err
		}
	}
	if len(b) == 0 || b[0] == 0 || int(b[0]) >= len(numberKinds) {
		return Null, nil, false, errOrdered
	}
	kind, b := numberKinds[b[0]], b[1:]
	scale := int32(0)
	if kind == KindBigDecimal {
		if len(b) < 4 {
			return Null, nil, false, errOrdered
		}
		scale, b = int32(binary.BigEndian.Uint32(b)^signedFlip), b[4:]
	}
	if !exact {
		return Null, b, false, nil
	}
	v, err = numberFromDigits(kind, sign, digits, point, scale)
	return v, b, true, err
}

// orderedNumberLen returns the length of what appendOrderedNumber wrote, 0 when b is
// damaged.
func orderedNumberLen(b []byte) int {
	if len(b) == 0 || b[0] != numPositive && b[0] != numNegative {
		return min(len(b), 1)
	}
	flip := byte(0)
	if b[0] == numNegative {
		flip = 0xFF
	}
	n := 2
	if len(b) > 1 && (b[1]^flip == 0x08 || b[1]^flip == 0xF0) {
		n += 4
	}
	for ; n < len(b); n++ {
		switch p := b[n] ^ flip; {
		case p == pairCut:
			if n += 9; n > len(b) {
				return 0
			}
			return n
		case p&1 == 0:
			return n + 1
		}
	}
	return 0
}

func readPairs(b, digits []byte, flip byte) (_ []byte, point int64, rest []byte, exact bool, err error) {
	if len(b) == 0 {
		return nil, 0, nil, false, errOrdered
	}
	e := b[0] ^ flip
	b = b[1:]
	exp := int64(e) - 0x80
	if e == 0x08 || e == 0xF0 {
		if len(b) < 4 {
			return nil, 0, nil, false, errOrdered
		}
		x := binary.BigEndian.Uint32(b)
		if flip != 0 {
			x = ^x
		}
		exp, b = int64(int32(x^signedFlip)), b[4:]
	}
	signs := len(digits)
	for more := true; more; {
		if len(b) == 0 {
			return nil, 0, nil, false, errOrdered
		}
		p := b[0] ^ flip
		b = b[1:]
		if p == pairCut {
			if len(b) < 8 {
				return nil, 0, nil, false, errOrdered
			}
			return digits, 0, b[8:], false, nil
		}
		more = p&1 != 0
		if p /= 2; p > 99 {
			return nil, 0, nil, false, errOrdered
		}
		digits = append(digits, '0'+p/10, '0'+p%10)
	}
	// The value is 0.digits * 100^exp: as a whole number it loses two places a pair.
	return digits, 2*exp - int64(len(digits)-signs), b, true, nil
}

// numberFromDigits rebuilds digits * 10^shift in a kind.
func numberFromDigits(kind Kind, sign byte, digits []byte, shift int64, scale int32) (Value, error) {
	if special, ok := specialNumber(kind, sign); ok {
		return special, nil
	}
	if sign == numZero {
		digits, shift = []byte{'0'}, 0
	}
	if kind == KindFloat || kind == KindDouble {
		f, err := strconv.ParseFloat(string(digits)+"e"+strconv.FormatInt(shift, 10), 64)
		if kind == KindFloat {
			return Float(float32(f)), err
		}
		return Double(f), err
	}
	n, ok := new(big.Int).SetString(string(digits), 10)
	if shift += int64(scale); n != nil && n.Sign() == 0 {
		shift = 0
	}
	if !ok || shift > maxDecimalDigits || shift < -2 {
		return Null, errOrdered
	}
	if shift >= 0 {
		n.Mul(n, pow10(shift))
	} else {
		n.Quo(n, pow10(-shift)) // the last pair's second digit was padding
	}
	switch kind {
	case KindBigInteger:
		return BigInt(n), nil
	case KindBigDecimal:
		return BigDecimal(Decimal{Unscaled: n, Scale: scale}), nil
	}
	if !n.IsInt64() {
		return Null, errOrdered
	}
	return narrowed(kind, n.Int64()), nil
}

func specialNumber(kind Kind, sign byte) (Value, bool) {
	f := map[byte]float64{
		numNaN: math.NaN(), numPosInf: math.Inf(1), numNegInf: math.Inf(-1),
		numNegZero: math.Copysign(0, -1),
	}
	x, ok := f[sign]
	if !ok {
		return Null, false
	}
	if kind == KindFloat {
		return Float(float32(x)), true
	}
	return Double(x), true
}

// nextFloat returns the float beside f, upwards for a positive direction.
func nextFloat(f float32, direction int) float32 {
	return math.Nextafter32(f, float32(math.Inf(direction)))
}
