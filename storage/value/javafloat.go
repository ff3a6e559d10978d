package value

import (
	"math"
	"strconv"
)

// FormatDouble is Double.toString: the shortest digits that read back, plain from
// 0.001 to below 10^7, else with an exponent: 1.0, 1.0E7, 1.0E-4, NaN, Infinity.
func FormatDouble(f float64) string { return string(appendFloat(nil, f, 64)) }

// FormatFloat is Float.toString.
func FormatFloat(f float32) string { return string(appendFloat(nil, float64(f), 32)) }

func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	if abs := math.Abs(f); abs == 0 || abs >= 1e-3 && abs < 1e7 {
		start := len(dst)
		dst = strconv.AppendFloat(dst, f, 'f', -1, bits)
		for _, c := range dst[start:] {
			if c == '.' {
				return dst
			}
		}
		return append(dst, ".0"...)
	}
	return appendScientific(dst, f, bits)
}

// appendScientific turns Go's 1e+07 into Java's 1.0E7.
func appendScientific(dst []byte, f float64, bits int) []byte {
	var buf [32]byte
	s := strconv.AppendFloat(buf[:0], f, 'e', -1, bits)
	if f < 0 && s[2] == 'e' || f > 0 && s[1] == 'e' {
		s = strconv.AppendFloat(buf[:0], f, 'e', 1, bits) // Java prints two digits: 4.9E-324
	}
	point, exp := false, 0
	for i, c := range s {
		if c == 'e' {
			exp = i
			break
		}
		point = point || c == '.'
	}
	dst = append(dst, s[:exp]...)
	if !point {
		dst = append(dst, ".0"...)
	}
	dst = append(dst, 'E')
	rest := s[exp+1:]
	if rest[0] == '-' {
		dst = append(dst, '-')
	}
	rest = rest[1:]
	for len(rest) > 1 && rest[0] == '0' {
		rest = rest[1:]
	}
	return append(dst, rest...)
}
