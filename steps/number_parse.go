package steps

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
)

// numberTextMax bounds the text of a number: arithmetic on millions of digits is no
// work for a query.
const numberTextMax = 4096

// parseNumber reads a number as Apache Commons' NumberUtils does, on which the
// reference relies: hexadecimal, octal, type letters, and otherwise the smallest type
// that holds the number exactly.
func parseNumber(text string) (value.Value, error) {
	s := strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
	if len(s) > numberTextMax {
		return value.Null, step.IllegalArgument("a number has at most %d digits here, not %d", numberTextMax, len(s))
	}
	bad := step.NumberFormat("Can't parse string '%s' as number.", value.Brief(text))
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" {
		return value.Null, bad
	}
	neg := s[0] == '-'
	if len(digits) > 1 && digits[0] == '0' && !strings.Contains(digits, ".") {
		switch {
		case digits[1] == 'x' || digits[1] == 'X':
			return parseInteger(digits[2:], 16, neg, bad)
		case digits[1] >= '0' && digits[1] <= '9':
			return parseInteger(digits[1:], 8, neg, bad)
		}
	}
	if !isDecimal(digits) {
		return value.Null, bad
	}
	number, letter := s, byte(0)
	if last := s[len(s)-1]; last != '.' && (last < '0' || last > '9') {
		number, letter = s[:len(s)-1], last|0x20
	}
	if letter == 'l' || letter == 0 && !strings.ContainsAny(number, ".eE") {
		v, err := parseInteger(strings.TrimLeft(number, "+-"), 10, neg, bad)
		if letter == 'l' && v.Kind() == value.KindInt {
			v = value.Long(v.Int64())
		}
		return v, err
	}
	return parseFloat(number, letter, bad)
}

// isDecimal checks digits, at most one point, an exponent and a type letter; there is
// no sign in front any more.
func isDecimal(s string) bool {
	body := s
	letter := byte(0)
	if last := s[len(s)-1]; strings.IndexByte("dDfFlL", last) >= 0 {
		body, letter = s[:len(s)-1], last|0x20
	}
	mantissa, exp, hasExp := body, "", false
	if i := strings.IndexAny(body, "eE"); i >= 0 {
		mantissa, exp, hasExp = body[:i], body[i+1:], true
		if exp != "" && (exp[0] == '+' || exp[0] == '-') {
			exp = exp[1:]
		}
		if !allDigits(exp) || exp == "" {
			return false
		}
	}
	whole, fraction, hasPoint := strings.Cut(mantissa, ".")
	if !allDigits(whole) || !allDigits(fraction) || whole+fraction == "" {
		return false
	}
	return letter != 'l' || !hasExp && !hasPoint
}

func allDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

// parseInteger gives the first of Int, Long and BigInteger that holds the number.
func parseInteger(digits string, base int, neg bool, bad error) (value.Value, error) {
	n, ok := new(big.Int).SetString(digits, base)
	if !ok || digits[0] == '+' || digits[0] == '-' || strings.Contains(digits, "_") {
		return value.Null, bad
	}
	if neg {
		n.Neg(n)
	}
	switch {
	case !n.IsInt64():
		return value.BigInt(n), nil
	case n.Int64() < math.MinInt32 || n.Int64() > math.MaxInt32:
		return value.Long(n.Int64()), nil
	}
	return value.Int(int32(n.Int64())), nil
}

// parseFloat gives a Float when its text is that of the Double too, a Double when
// that is exact, else a BigDecimal. The letters f and d ask for their type.
func parseFloat(s string, letter byte, bad error) (value.Value, error) {
	d, err := value.ParseDecimal(s)
	if err != nil {
		return value.Null, bad
	}
	f32, _ := strconv.ParseFloat(s, 32)
	f64, _ := strconv.ParseFloat(s, 64)
	fits := func(f float64) bool { return !math.IsInf(f, 0) && (f != 0 || d.Sign() == 0) }
	if letter != 'd' && fits(f32) && (letter == 'f' || value.FormatFloat(float32(f32)) == value.FormatDouble(f64)) {
		return value.Float(float32(f32)), nil
	}
	if fits(f64) && (letter != 0 || value.AsDecimal(value.Double(f64)).Cmp(d) == 0) {
		return value.Double(f64), nil
	}
	return value.BigDecimal(d), nil
}
