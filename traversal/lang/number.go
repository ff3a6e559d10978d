package lang

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// number reads an integer or a floating-point literal, with its sign and suffix.
func (l *lexer) number(start int) token {
	i := start
	if l.src[i] == '+' || l.src[i] == '-' {
		i++
	}
	n, float := ScanNumber(l.src[i:])
	l.pos = i + n
	t := token{kind: tokenInteger, start: start, end: l.pos}
	if float {
		t.kind = tokenFloat
	}
	if l.pos < len(l.src) && (isNameStart(l.src[l.pos]) || l.src[l.pos] >= '0' && l.src[l.pos] <= '9') {
		from := l.pos
		l.skipName()
		return l.bad(start, l.pos, fmt.Sprintf("malformed number: unexpected %q after %s",
			abbreviated(l.src[from:l.pos]), abbreviated(l.src[start:from])))
	}
	return t
}

// ScanNumber returns the length of the number literal without a sign that begins s,
// suffix included, and whether it is a floating-point one.
func ScanNumber(s string) (n int, float bool) {
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && isHex(s[2]) {
		n = 2
		for n < len(s) && (isHex(s[n]) || s[n] == '_') {
			n++
		}
		return n + suffixLen(s[n:], "bBsSnNiIlLgG"), false
	}
	n = digits(s)
	whole := n
	if n+1 < len(s) && s[n] == '.' && isDigit(s[n+1]) {
		n++
		n += digits(s[n:])
		float = true
	}
	if e := exponentLen(s[n:]); e > 0 {
		n += e
		float = true
	}
	if k := suffixLen(s[n:], "fFdDmM"); k > 0 {
		return n + k, true
	}
	if float {
		return n + suffixLen(s[n:], "gG"), true
	}
	return whole + suffixLen(s[whole:], "bBsSnNiIlLgG"), false
}

// beginsFraction reports whether .5 stands at a place, and not the end of 1..5.
func (l *lexer) beginsFraction(at int) bool {
	return at+1 < len(l.src) && l.src[at] == '.' && isDigit(l.src[at+1]) && (at == 0 || l.src[at-1] != '.')
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// digits counts digits and the underscores between them.
func digits(s string) int {
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n] == '_') {
		n++
	}
	for n > 0 && s[n-1] == '_' {
		n--
	}
	return n
}

func exponentLen(s string) int {
	if len(s) < 2 || s[0] != 'e' && s[0] != 'E' {
		return 0
	}
	i := 1
	if s[i] == '+' || s[i] == '-' {
		i++
	}
	if n := digits(s[i:]); n > 0 && s[i] != '_' {
		return i + n
	}
	return 0
}

func suffixLen(s, set string) int {
	if s != "" && strings.IndexByte(set, s[0]) >= 0 {
		return 1
	}
	return 0
}

// Integer returns the value of an integer literal: the type of its suffix, or the
// first of Int, Long and BigInteger that holds it. A leading 0 means octal.
func Integer(lit string) (value.Value, error) {
	if n, ok := smallInteger(lit); ok {
		return value.Int(n), nil
	}
	text, sign := strings.ReplaceAll(lit, "_", ""), ""
	if text[0] == '+' || text[0] == '-' {
		sign, text = text[:1], text[1:]
	}
	suffix := lower(text[len(text)-1])
	if isDigit(suffix) || isHex(suffix) && suffix != 'b' {
		suffix = 0
	} else {
		text = text[:len(text)-1]
	}
	base, text := radix(text, suffix)
	n, ok := new(big.Int).SetString(sign+text, base)
	if !ok {
		return value.Null, fmt.Errorf("%s is not an integer of base %d", abbreviated(lit), base)
	}
	return integerOf(lit, n, suffix)
}

// smallInteger is the short cut for up to nine plain digits.
func smallInteger(lit string) (int32, bool) {
	i, neg := 0, lit[0] == '-'
	if neg || lit[0] == '+' {
		i++
	}
	if len(lit)-i > 9 || len(lit)-i > 1 && lit[i] == '0' {
		return 0, false
	}
	n := int32(0)
	for ; i < len(lit); i++ {
		if !isDigit(lit[i]) {
			return 0, false
		}
		n = n*10 + int32(lit[i]-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}

func lower(c byte) byte { return c | 0x20 }

// radix strips the mark of the base. With the suffix n the reference reads decimal
// digits only, so a leading 0 does not mean octal there.
func radix(text string, suffix byte) (int, string) {
	switch {
	case len(text) > 2 && lower(text[1]) == 'x':
		return 16, text[2:]
	case len(text) > 2 && lower(text[1]) == 'b': // Groovy's alone
		return 2, text[2:]
	case len(text) > 1 && text[0] == '0' && suffix != 'n':
		return 8, text[1:]
	}
	return 10, text
}

func integerOf(lit string, n *big.Int, suffix byte) (value.Value, error) {
	small := n.Int64()
	is := n.IsInt64()
	switch {
	case suffix == 'n' || suffix == 'g':
		return value.BigInt(n), nil
	case suffix == 'b' && is && small == int64(int8(small)):
		return value.Byte(int8(small)), nil
	case suffix == 's' && is && small == int64(int16(small)):
		return value.Short(int16(small)), nil
	case (suffix == 'i' || suffix == 0) && is && small == int64(int32(small)):
		return value.Int(int32(small)), nil
	case (suffix == 'l' || suffix == 0) && is:
		return value.Long(small), nil
	case suffix == 0:
		return value.BigInt(n), nil
	}
	return value.Null, fmt.Errorf("%s is out of range for its type", abbreviated(lit))
}

// Float returns the value of a floating-point literal: the type of its suffix, else
// Double or, for Groovy, BigDecimal.
func Float(lit string, groovy bool) (value.Value, error) {
	text := strings.ReplaceAll(lit, "_", "")
	suffix := lower(text[len(text)-1])
	if isDigit(suffix) {
		suffix = 'd'
		if groovy {
			suffix = 'm'
		}
	} else {
		text = text[:len(text)-1]
	}
	if suffix == 'm' || suffix == 'g' {
		d, err := value.ParseDecimal(strings.TrimPrefix(text, "+"))
		if err != nil {
			return value.Null, fmt.Errorf("%s is not a BigDecimal", abbreviated(lit))
		}
		return value.BigDecimal(d), nil
	}
	bits := 64
	if suffix == 'f' {
		bits = 32
	}
	f, err := strconv.ParseFloat(text, bits)
	if infinite := math.IsInf(f, 0); err != nil && !infinite || groovy && infinite { // Java reads 1e400 as infinite
		return value.Null, fmt.Errorf("%s is out of range for its type", abbreviated(lit))
	}
	if suffix == 'f' {
		return value.Float(float32(f)), nil
	}
	return value.Double(f), nil
}
