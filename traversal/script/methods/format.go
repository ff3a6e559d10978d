package methods

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

const (
	formatWidthMax     = 100_000
	formatPrecisionMax = 1_000
	formatException    = "java.util.UnknownFormatConversionException"
)

// directive is one %.. of a format.
type directive struct {
	index            int // of its argument from 1, 0 for the next
	flags            string
	width, precision int // -1 when not given
	verb             byte
}

// Format is String.format: %s, %d, %f and their like.
func Format(m *machine.Machine, pattern string, args []value.Value) (value.Value, error) {
	if len(args) == 1 {
		if l, ok := machine.ListElems(args[0]); ok {
			args = l // an array for several arguments
		}
	}
	var b strings.Builder
	next := 0
	for {
		at := strings.IndexByte(pattern, '%')
		if at < 0 {
			return m.JoinedTexts(b.String(), pattern)
		}
		d, rest, err := readDirective(pattern[at+1:])
		if err != nil {
			return value.Null, err
		}
		s, err := formatted(m, d, args, &next)
		if err == nil {
			err = m.Longer(&b, at+3*len(s)+max(d.width, 0))
		}
		if err != nil {
			return value.Null, err
		}
		b.WriteString(pattern[:at])
		b.WriteString(d.finished(s))
		pattern = rest
	}
}

func readDirective(s string) (d directive, rest string, err error) {
	digits := func() int {
		n := 0
		for n < len(s) && n < 7 && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		v, err := strconv.Atoi(s[:n])
		if s = s[n:]; err != nil {
			return -1
		}
		return v
	}
	before := s
	if n := digits(); n > 0 && strings.HasPrefix(s, "$") {
		d.index, s = n, s[1:]
	} else {
		s = before
	}
	for s != "" && strings.IndexByte("-+ 0,(#", s[0]) >= 0 {
		d.flags, s = d.flags+s[:1], s[1:]
	}
	d.width, d.precision = digits(), -1
	if strings.HasPrefix(s, ".") {
		s = s[1:]
		d.precision = digits()
	}
	if s == "" {
		return d, s, machine.Fail(formatException, "Conversion = '%%'")
	}
	if d.width > formatWidthMax || d.precision > formatPrecisionMax {
		return d, s, machine.Fail(machine.ArgumentException, "a format takes at most %d characters and %d digits", formatWidthMax, formatPrecisionMax)
	}
	d.verb = s[0]
	return d, s[1:], nil
}

func (d directive) has(flag byte) bool { return strings.IndexByte(d.flags, flag) >= 0 }

// formatted writes one directive with its argument.
func formatted(m *machine.Machine, d directive, args []value.Value, next *int) (string, error) {
	switch d.verb {
	case '%':
		return "%", nil
	case 'n':
		return "\n", nil
	}
	i := d.index - 1
	if d.index == 0 {
		i = *next
		*next++
	}
	if i >= len(args) {
		return "", machine.Fail("java.util.MissingFormatArgumentException", "Format specifier '%%%c'", d.verb)
	}
	if err := m.LooksAt(args[i]); err != nil {
		return "", err
	}
	return conversion(m, d, args[i])
}

// finished is what was converted in capitals and in its width.
func (d directive) finished(s string) string {
	if d.verb >= 'A' && d.verb <= 'Z' {
		s = strings.ToUpper(s)
	}
	return d.padded(s)
}

func conversion(m *machine.Machine, d directive, v value.Value) (string, error) {
	mismatch := func() error {
		return machine.Fail("java.util.IllegalFormatConversionException", "%c != %s", d.verb, m.ClassOf(v))
	}
	switch verb := d.verb | 0x20; verb {
	case 's', 'b', 'h':
		return d.cut(plain(m, verb, v)), nil
	case 'c':
		if v.Kind() != value.KindChar && !v.Kind().IsNumber() {
			return "", mismatch()
		}
		return string(rune(value.AsInt64(machine.CodeOf(v)))), nil
	case 'd', 'x', 'o':
		if v.IsNull() {
			return "null", nil
		}
		if k := v.Kind(); !k.IsNumber() || machine.Floating(k) || k == value.KindBigDecimal {
			return "", mismatch()
		}
		if err := m.Charge(4 * machine.Extent(v)); err != nil {
			return "", err
		}
		return d.whole(v, verb), nil
	case 'f', 'e', 'g':
		if v.IsNull() {
			return "null", nil
		}
		if k := v.Kind(); !machine.Floating(k) && k != value.KindBigDecimal {
			return "", mismatch()
		}
		if v.Kind() == value.KindBigDecimal {
			if s := v.Decimal().Scale; s > machine.ScaleMax || s < -machine.ScaleMax {
				return "", machine.Fail(machine.ArithmeticException, "a format of a number with more than %d digits", machine.ScaleMax)
			}
		}
		if err := m.Charge(decimalBytes(v)); err != nil {
			return "", err
		}
		return d.real(v, verb), nil
	}
	return "", machine.Fail(formatException, "Conversion = '%c'", d.verb)
}

// decimalBytes is about what the digits of a number take.
func decimalBytes(v value.Value) int {
	if v.Kind() != value.KindBigDecimal {
		return machine.ValueBytes
	}
	d := v.Decimal()
	return 4 * (d.Unscaled.BitLen()/8 + int(max(d.Scale, -d.Scale)))
}

func plain(m *machine.Machine, verb byte, v value.Value) string {
	switch verb {
	case 'b':
		return strconv.FormatBool(v.Kind() == value.KindBool && v.Bool() || v.Kind() != value.KindBool && !v.IsNull())
	case 'h':
		h, _ := m.Hash(v, 0)
		return strconv.FormatUint(uint64(uint32(h)), 16)
	}
	return m.String(v)
}

func (d directive) cut(s string) string {
	if d.precision >= 0 {
		return s[:machine.ByteOf(s, int64(d.precision))]
	}
	return s
}

func (d directive) whole(v value.Value, verb byte) string {
	n := value.AsBigInt(v)
	if verb == 'd' {
		return d.signed(n.Sign() < 0, new(big.Int).Abs(n).String())
	}
	base, prefix := 16, "0x"
	if verb == 'o' {
		base, prefix = 8, "0"
	}
	if n.Sign() < 0 && v.Kind() != value.KindBigInteger { // two's complement of its width
		bits := map[value.Kind]uint{value.KindByte: 8, value.KindShort: 16, value.KindInt: 32, value.KindLong: 64}[v.Kind()]
		n = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), bits))
	}
	s := n.Text(base)
	if d.has('#') {
		s = prefix + s
	}
	return d.zeros(s, 0)
}

func (d directive) real(v value.Value, verb byte) string {
	precision := d.precision
	if precision < 0 {
		precision = 6
	}
	f := value.AsFloat64(v)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return map[bool]string{true: "NaN", false: map[bool]string{true: "-Infinity", false: "Infinity"}[f < 0]}[math.IsNaN(f)]
	}
	abs := math.Abs(f)
	switch {
	case verb == 'e':
		return d.signed(math.Signbit(f), strconv.FormatFloat(abs, 'e', precision, 64))
	case verb == 'g' && (abs < 1e-4 || abs >= math.Pow(10, float64(max(precision, 1)))) && abs != 0:
		return d.signed(f < 0, strconv.FormatFloat(abs, 'e', max(precision, 1)-1, 64))
	case verb == 'g':
		digits := max(precision, 1) - 1
		if abs != 0 {
			digits -= int(math.Floor(math.Log10(abs)))
		}
		return d.signed(f < 0, strconv.FormatFloat(abs, 'f', max(digits, 0), 64))
	}
	return d.signed(math.Signbit(f), halfUp(v, precision))
}

// halfUp writes the absolute value with so many digits, halves away from zero, as Java
// rounds the decimal form of a number.
func halfUp(v value.Value, digits int) string {
	exact := value.AsDecimal(v)
	if machine.Floating(v.Kind()) {
		text := strconv.FormatFloat(math.Abs(value.AsFloat64(v)), 'f', -1, 64)
		if parsed, err := value.ParseDecimal(text); err == nil {
			exact = parsed
		}
	}
	n := new(big.Int).Abs(exact.Unscaled)
	if missing := int64(digits) - int64(exact.Scale); missing > 0 {
		n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(missing), nil))
	}
	if over := exact.Scale - int32(digits); over > 0 {
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(over)), nil)
		n.Add(n, new(big.Int).Rsh(unit, 1)).Quo(n, unit)
	}
	s := n.String()
	if digits == 0 {
		return s
	}
	if len(s) <= digits {
		s = strings.Repeat("0", digits-len(s)+1) + s
	}
	return s[:len(s)-digits] + "." + s[len(s)-digits:]
}

// signed adds sign, commas and zeros to digits.
func (d directive) signed(negative bool, s string) string {
	if d.has(',') {
		s = grouped(s)
	}
	sign := ""
	switch {
	case negative && d.has('('):
		return "(" + s + ")"
	case negative:
		sign = "-"
	case d.has('+'):
		sign = "+"
	case d.has(' '):
		sign = " "
	}
	return sign + d.zeros(s, len(sign))
}

func (d directive) zeros(s string, before int) string {
	if n := d.width - before - len(s); d.has('0') && n > 0 {
		return strings.Repeat("0", n) + s
	}
	return s
}

func grouped(s string) string {
	whole, rest := s, ""
	if dot := strings.IndexByte(s, '.'); dot >= 0 {
		whole, rest = s[:dot], s[dot:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole + rest
}

func (d directive) padded(s string) string {
	n := d.width - utf8.RuneCountInString(s)
	switch {
	case n <= 0:
		return s
	case d.has('-'):
		return s + strings.Repeat(" ", n)
	}
	return strings.Repeat(" ", n) + s
}
