package value

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// The form of values in cells is MessagePack. Null, booleans, strings, byte strings,
// lists, maps and the fixed-width numbers use its own codes, always at the width of
// the kind, so that an Int comes back as an Int; everything else is an extension
// whose type is one of the codes below. Codes are on disk: never change or reuse one.
//
// The library writes and reads the same bytes with as many allocations, but through streams.
// BenchmarkMsgpack has both; in nanoseconds, this one first:
//
//	                write       read        allocated by reading
//	an Int          10,  23     19,  74     nothing
//	a short String  15,  28     45,  88     16 bytes, 1 allocation
//	a list of ten   102, 237    587, 811    320 bytes, 6 allocations
const (
	extChar           = 1  // 4 bytes code point
	extClass          = 2  // UTF-8
	extEnum           = 3  // 1 byte enumeration (enumCodes), UTF-8 name
	extBigInteger     = 4  // two's complement, big endian
	extBigDecimal     = 5  // 4 bytes scale, two's complement
	extUUID           = 6  // 16 bytes
	extDate           = 7  // 8 bytes milliseconds
	extTimestamp      = 8  // 8 bytes milliseconds
	extInstant        = 9  // 8 bytes seconds, 4 bytes nanoseconds
	extOffsetDateTime = 10 // seconds, nanoseconds, 4 bytes offset seconds
	extZonedDateTime  = 11 // seconds, nanoseconds, offset, UTF-8 zone
	extLocalDateTime  = 12 // seconds, nanoseconds
	extLocalDate      = 13 // 8 bytes seconds
	extLocalTime      = 14 // 8 bytes nanoseconds
	extOffsetTime     = 15 // 8 bytes nanoseconds, 4 bytes offset
	extZoneOffset     = 16 // 4 bytes
	extDuration       = 17 // 8 bytes seconds, 4 bytes nanoseconds
	extMonthDay       = 18 // 2 bytes
	extPeriod         = 19 // 3 x 4 bytes
	extYear           = 20 // 4 bytes
	extYearMonth      = 21 // 4 bytes, 1 byte
	extInetAddress    = 22 // 4 or 16 bytes
	extSet            = 23 // the elements one after the other
	extMapEntry       = 24 // key, value
	extBulkSet        = 25 // value and Long bulk, one pair after the other
)

// enumCodes numbers the enumerations on disk.
var enumCodes = map[Kind]byte{
	KindT: 1, KindDirection: 2, KindOrder: 3, KindScope: 4, KindPop: 5, KindCardinality: 6,
	KindColumn: 7, KindOperator: 8, KindPick: 9, KindBarrier: 10, KindMerge: 11, KindDT: 12,
	KindGType: 13,
}

// maxDepth bounds the nesting of collections in both byte forms.
const maxDepth = 256

// AppendMsgpack appends the cell form of v. Elements, traversals and other kinds that
// are no property values are an error.
func AppendMsgpack(dst []byte, v Value) ([]byte, error) { return appendMsgpack(dst, v, 0) }

func appendMsgpack(dst []byte, v Value, depth int) ([]byte, error) {
	if depth > maxDepth {
		return dst, fmt.Errorf("store value: nesting exceeds %d", maxDepth)
	}
	switch v.kind {
	case KindNull:
		return append(dst, msgpcode.Nil), nil
	case KindBool:
		if v.Bool() {
			return append(dst, msgpcode.True), nil
		}
		return append(dst, msgpcode.False), nil
	case KindByte:
		return append(dst, msgpcode.Int8, byte(v.num)), nil
	case KindShort:
		return binary.BigEndian.AppendUint16(append(dst, msgpcode.Int16), uint16(v.num)), nil
	case KindInt:
		return binary.BigEndian.AppendUint32(append(dst, msgpcode.Int32), uint32(v.num)), nil
	case KindLong:
		return binary.BigEndian.AppendUint64(append(dst, msgpcode.Int64), v.num), nil
	case KindFloat:
		return binary.BigEndian.AppendUint32(append(dst, msgpcode.Float), uint32(v.num)), nil
	case KindDouble:
		return binary.BigEndian.AppendUint64(append(dst, msgpcode.Double), v.num), nil
	case KindString:
		return append(appendStringHeader(dst, len(v.Str())), v.Str()...), nil
	case KindBinary:
		return append(appendBinaryHeader(dst, len(v.Bytes())), v.Bytes()...), nil
	case KindList:
		return appendValues(appendArrayHeader(dst, len(v.Elems())), v.Elems(), depth+1)
	case KindMap:
		return appendMap(dst, v.Map(), depth+1)
	case KindSet, KindMapEntry, KindBulkSet:
		return appendNested(dst, v, depth+1)
	}
	return appendExt(dst, v)
}

func appendStringHeader(dst []byte, n int) []byte {
	switch {
	case n < 32:
		return append(dst, msgpcode.FixedStrLow|byte(n))
	case n <= math.MaxUint8:
		return append(dst, msgpcode.Str8, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, msgpcode.Str16), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, msgpcode.Str32), uint32(n))
}

func appendBinaryHeader(dst []byte, n int) []byte {
	switch {
	case n <= math.MaxUint8:
		return append(dst, msgpcode.Bin8, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, msgpcode.Bin16), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, msgpcode.Bin32), uint32(n))
}

func appendArrayHeader(dst []byte, n int) []byte {
	switch {
	case n < 16:
		return append(dst, msgpcode.FixedArrayLow|byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, msgpcode.Array16), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, msgpcode.Array32), uint32(n))
}

func appendMapHeader(dst []byte, n int) []byte {
	switch {
	case n < 16:
		return append(dst, msgpcode.FixedMapLow|byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, msgpcode.Map16), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, msgpcode.Map32), uint32(n))
}

func appendValues(dst []byte, elems []Value, depth int) ([]byte, error) {
	var err error
	for _, e := range elems {
		if dst, err = appendMsgpack(dst, e, depth); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func appendMap(dst []byte, m *Map, depth int) ([]byte, error) {
	dst = appendMapHeader(dst, m.Len())
	var err error
	for i := range m.Len() {
		k, v := m.Entry(i)
		if dst, err = appendValues(dst, []Value{k, v}, depth); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// appendNested writes the collections that are extensions around further values.
func appendNested(dst []byte, v Value, depth int) ([]byte, error) {
	var code byte
	var elems []Value
	switch v.kind {
	case KindSet:
		code, elems = extSet, v.Set().Elems()
	case KindMapEntry:
		code, elems = extMapEntry, []Value{v.MapEntry().Key, v.MapEntry().Value}
	case KindBulkSet:
		code = extBulkSet
		for i := range v.BulkSet().Len() {
			e, n := v.BulkSet().Entry(i)
			elems = append(elems, e, Long(n))
		}
	}
	dst = append(dst, msgpcode.Ext32, 0, 0, 0, 0, code)
	start := len(dst)
	dst, err := appendValues(dst, elems, depth)
	if err != nil {
		return dst, err
	}
	binary.BigEndian.PutUint32(dst[start-5:], uint32(len(dst)-start))
	return dst, nil
}

// appendExt writes a scalar extension; the payloads are short, so their length is
// patched into one byte, or the payload moves for a longer one.
func appendExt(dst []byte, v Value) ([]byte, error) {
	var buf [64]byte
	payload, code := appendScalar(buf[:0], v)
	if code == 0 {
		return dst, fmt.Errorf("store value: a %s cannot be a property value", v.kind)
	}
	if len(payload) <= math.MaxUint8 {
		return append(append(dst, msgpcode.Ext8, byte(len(payload)), code), payload...), nil
	}
	dst = binary.BigEndian.AppendUint32(append(dst, msgpcode.Ext32), uint32(len(payload)))
	return append(append(dst, code), payload...), nil
}
