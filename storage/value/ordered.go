package value

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/cespare/xxhash/v2"
)

// The form of values in keys: byte order is Order's order, and where Order finds two
// values equal, the kind decides. Every form ends itself, so that key parts can
// follow. The codes are on disk: never change or reuse one.
//
//	null     10
//	boolean  18 | 00 or 01
//	number   20 | sign class | exponent | digits | kind       (orderednumber.go)
//	date     30 | seconds 8 | nanoseconds 4 | offset 4
//	string   40 | UTF-16 ordered bytes, escaped | 00 01
//	              cut after MaxOrdered bytes     | 00 02 | hash 8
//	UUID     50 | 16 bytes, sign bits of both halves flipped
//	elements, paths, collections   60 + type space | hash 8   (not ordered)
//	others   A0 | rank of the class | its own form            (orderedother.go)
//
// Escaping writes 00 as 00 FF. Strings are in CESU-8, whose byte order is Java's
// UTF-16 order.
const (
	ordNull    = 0x10
	ordBool    = 0x18
	ordNumber  = 0x20
	ordDate    = 0x30
	ordString  = 0x40
	ordUUID    = 0x50
	ordHashed  = 0x60
	ordOther   = 0xA0
	endExact   = 0x01
	endCut     = 0x02
	signedFlip = 1 << 31
)

// MaxOrdered is how many bytes of a string, or digit pairs of a number, a key keeps.
// Longer values are cut and end in a hash.
const MaxOrdered = 256

// AppendOrdered appends the key form of v. When exact is false, other values may have
// the same form, and ranges bounded by cut values need a recheck.
func AppendOrdered(dst []byte, v Value) (key []byte, exact bool, err error) {
	dst, exact, err = AppendOrderedEqual(dst, v)
	switch {
	case err != nil:
		return dst, false, err
	case v.kind.IsNumber():
		return appendNumberKind(dst, v), exact, nil
	}
	switch classOf(v) {
	case classVertex, classEdge, classVertexProperty, classProperty, classPath, classSet,
		classList, classMap, classMapEntry:
		return appendContentHash(dst, v)
	}
	return dst, exact, nil
}

// AppendOrderedEqual appends the part of the key form that all values share that
// Order finds equal to v: for a number the form without its kind, for a collection
// only the code of its type space.
func AppendOrderedEqual(dst []byte, v Value) (key []byte, exact bool, err error) {
	switch c := classOf(v); c {
	case classNull:
		return append(dst, ordNull), true, nil
	case classBool:
		return append(dst, ordBool, byte(v.num)), true, nil
	case classNumber:
		dst, exact = appendOrderedNumber(append(dst, ordNumber), v)
		return dst, exact, nil
	case classDate:
		return appendOrderedTime(append(dst, ordDate), v), true, nil
	case classString:
		dst, exact = appendOrderedText(append(dst, ordString), v.Str())
		return dst, exact, nil
	case classUUID:
		u := v.UUID()
		u[0], u[8] = u[0]^0x80, u[8]^0x80
		return append(append(dst, ordUUID), u[:]...), true, nil
	case classUnknown:
		return appendOrderedOther(append(dst, ordOther), v)
	default:
		return append(dst, ordHashed+byte(c)), false, nil
	}
}

// AppendOrderedPrefix appends what the key forms of all strings beginning with prefix
// begin with; exact is false when prefix is longer than a key keeps.
func AppendOrderedPrefix(dst []byte, prefix string) (key []byte, exact bool) {
	dst, cut := appendCESU(append(dst, ordString), prefix)
	return dst, !cut
}

// appendContentHash makes the forms of different collections differ, mostly.
func appendContentHash(dst []byte, v Value) ([]byte, bool, error) {
	if v.kind.IsElement() || v.kind == KindProperty || v.kind == KindPath || v.kind == KindTree {
		return dst, false, fmt.Errorf("index value: a %s cannot be a property value", v.kind)
	}
	b, err := AppendMsgpack(nil, v)
	if err != nil {
		return dst, false, fmt.Errorf("index value: %w", err)
	}
	return binary.BigEndian.AppendUint64(dst, xxhash.Sum64(b)), false, nil
}

// appendOrderedText appends s and its end; a string that is too long or no valid
// UTF-8 is cut and hashed.
func appendOrderedText(dst []byte, s string) ([]byte, bool) {
	dst, cut := appendCESU(dst, s)
	if !cut {
		return append(dst, 0, endExact), true
	}
	return binary.BigEndian.AppendUint64(append(dst, 0, endCut), xxhash.Sum64String(s)), false
}

// appendCESU appends at most MaxOrdered bytes of s in CESU-8, escaped, and reports
// whether that was not all, or not valid.
func appendCESU(dst []byte, s string) ([]byte, bool) {
	room := MaxOrdered
	for i, c := range s {
		var buf [6]byte
		n := 1
		switch {
		case c < 0x80:
			buf[0] = byte(c)
		case c == 0xFFFD && (len(s)-i < 3 || s[i:i+3] != "\uFFFD"):
			return dst, true // not UTF-8
		case c > 0xFFFF:
			c -= 0x10000
			encodeUnit(buf[:], 0xD800+c>>10)
			encodeUnit(buf[3:], 0xDC00+c&0x3FF)
			n = 6
		case c > 0x7FF:
			encodeUnit(buf[:], c)
			n = 3
		default:
			buf[0], buf[1] = 0xC0|byte(c>>6), 0x80|byte(c&0x3F)
			n = 2
		}
		take := min(n, room)
		for _, b := range buf[:take] {
			if dst = append(dst, b); b == 0 {
				dst = append(dst, 0xFF)
			}
		}
		if room -= take; take < n {
			return dst, true
		}
	}
	return dst, false
}

// encodeUnit writes one UTF-16 unit from U+0800 on in three bytes.
func encodeUnit(b []byte, c rune) {
	b[0], b[1], b[2] = 0xE0|byte(c>>12), 0x80|byte(c>>6&0x3F), 0x80|byte(c&0x3F)
}

// appendOrderedTime appends instant and offset, so that every date-time of one
// instant stands together.
func appendOrderedTime(dst []byte, v Value) []byte {
	t := v.Time()
	dst = binary.BigEndian.AppendUint64(dst, uint64(t.Unix())^1<<63)
	dst = binary.BigEndian.AppendUint32(dst, uint32(t.Nanosecond()))
	return binary.BigEndian.AppendUint32(dst, uint32(offsetSeconds(t))^signedFlip)
}

// EqualRange returns the smallest range of Order that holds every value equal to v
// under Equal. It is wider than v alone where Java compares a large whole number with
// a float by rounding; exact is false when the range may hold unequal values.
func EqualRange(v Value) (lo, hi Value, exact bool) {
	if !v.kind.IsNumber() {
		return v, v, true
	}
	if isNaN(v) {
		return v, v, false
	}
	f := asFloat32(v)
	if v.kind == KindBigInteger && v.BigInt().Sign() == 0 ||
		v.kind == KindBigDecimal && v.Decimal().Sign() == 0 || minusZero(v) < 0 {
		return Double(math.Copysign(0, -1)), Int(0), false // -0.0 is a BigDecimal's zero too
	}
	// A BigDecimal equals the Float that its text is nearest to.
	whole := v.kind != KindFloat && v.kind != KindBigDecimal || float64(f) == math.Trunc(float64(f))
	if f > -1<<24 && f < 1<<24 && whole {
		return v, v, true
	}
	return Float(nextFloat(f, -1)), Float(nextFloat(f, 1)), false
}
