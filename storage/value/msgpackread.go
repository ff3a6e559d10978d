package value

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

var errTruncated = errors.New("decode value: unexpected end of bytes")

// DecodeMsgpack reads what AppendMsgpack wrote; bytes left over are an error. The
// result does not alias b.
func DecodeMsgpack(b []byte) (Value, error) {
	v, rest, err := ReadMsgpack(b)
	if err == nil && len(rest) > 0 {
		return Null, fmt.Errorf("decode value: %d bytes left over", len(rest))
	}
	return v, err
}

// ReadMsgpack reads one value and returns the bytes behind it.
func ReadMsgpack(b []byte) (Value, []byte, error) {
	r := msgpackReader{b: b}
	v, err := r.value(0)
	return v, r.b, err
}

type msgpackReader struct{ b []byte }

func (r *msgpackReader) take(n int) ([]byte, error) {
	if n < 0 || n > len(r.b) {
		return nil, errTruncated
	}
	p := r.b[:n]
	r.b = r.b[n:]
	return p, nil
}

// length reads a big-endian length of size bytes.
func (r *msgpackReader) length(size int) (int, error) {
	p, err := r.take(size)
	if err != nil {
		return 0, err
	}
	switch size {
	case 1:
		return int(p[0]), nil
	case 2:
		return int(binary.BigEndian.Uint16(p)), nil
	}
	return int(binary.BigEndian.Uint32(p)), nil
}

func (r *msgpackReader) value(depth int) (Value, error) {
	if depth > maxDepth {
		return Null, fmt.Errorf("decode value: nesting exceeds %d", maxDepth)
	}
	p, err := r.take(1)
	if err != nil {
		return Null, err
	}
	c := p[0]
	switch c {
	case msgpcode.Nil:
		return Null, nil
	case msgpcode.False, msgpcode.True:
		return Bool(c == msgpcode.True), nil
	case msgpcode.Int8, msgpcode.Int16, msgpcode.Int32, msgpcode.Int64, msgpcode.Float, msgpcode.Double:
		return r.number(c)
	case msgpcode.Str8, msgpcode.Str16, msgpcode.Str32:
		return r.text(1 << (c - msgpcode.Str8))
	case msgpcode.Bin8, msgpcode.Bin16, msgpcode.Bin32:
		return r.binary(1 << (c - msgpcode.Bin8))
	case msgpcode.Ext8, msgpcode.Ext32:
		return r.ext(c, depth)
	case msgpcode.Array16, msgpcode.Array32:
		n, err := r.length(2 << (c - msgpcode.Array16))
		return r.list(n, depth, err)
	case msgpcode.Map16, msgpcode.Map32:
		n, err := r.length(2 << (c - msgpcode.Map16))
		return r.entries(n, depth, err)
	}
	switch {
	case msgpcode.IsFixedString(c):
		p, err := r.take(int(c & msgpcode.FixedStrMask))
		return String(string(p)), err
	case msgpcode.IsFixedArray(c):
		return r.list(int(c&msgpcode.FixedArrayMask), depth, nil)
	case msgpcode.IsFixedMap(c):
		return r.entries(int(c&msgpcode.FixedMapMask), depth, nil)
	}
	return Null, fmt.Errorf("decode value: unknown code 0x%02x", c)
}

func (r *msgpackReader) number(c byte) (Value, error) {
	n := 8
	switch c {
	case msgpcode.Int8:
		n = 1
	case msgpcode.Int16:
		n = 2
	case msgpcode.Int32, msgpcode.Float:
		n = 4
	}
	p, err := r.take(n)
	if err != nil {
		return Null, err
	}
	switch c {
	case msgpcode.Int8:
		return Byte(int8(p[0])), nil
	case msgpcode.Int16:
		return Short(int16(binary.BigEndian.Uint16(p))), nil
	case msgpcode.Int32:
		return Int(get32(p)), nil
	case msgpcode.Float:
		return Float(math.Float32frombits(binary.BigEndian.Uint32(p))), nil
	case msgpcode.Double:
		return Double(math.Float64frombits(binary.BigEndian.Uint64(p))), nil
	}
	return Long(get64(p)), nil
}

func (r *msgpackReader) text(size int) (Value, error) {
	n, err := r.length(size)
	if err != nil {
		return Null, err
	}
	p, err := r.take(n)
	return String(string(p)), err
}

func (r *msgpackReader) binary(size int) (Value, error) {
	n, err := r.length(size)
	if err != nil {
		return Null, err
	}
	p, err := r.take(n)
	return Binary(append([]byte(nil), p...)), err
}

func (r *msgpackReader) list(n, depth int, err error) (Value, error) {
	if err != nil || n > len(r.b) { // every element takes a byte
		return Null, errTruncated
	}
	elems := make([]Value, n)
	for i := range elems {
		if elems[i], err = r.value(depth + 1); err != nil {
			return Null, err
		}
	}
	return List(elems), nil
}

func (r *msgpackReader) entries(n, depth int, err error) (Value, error) {
	if err != nil || n > len(r.b)/2 {
		return Null, errTruncated
	}
	m := NewMapSize(n)
	for range n {
		k, err := r.value(depth + 1)
		if err != nil {
			return Null, err
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return Null, err
		}
		m.Put(k, v)
	}
	return m.Value(), nil
}

func (r *msgpackReader) ext(c byte, depth int) (Value, error) {
	size := 1
	if c == msgpcode.Ext32 {
		size = 4
	}
	n, err := r.length(size)
	if err != nil {
		return Null, err
	}
	code, err := r.take(1)
	if err != nil {
		return Null, err
	}
	p, err := r.take(n)
	if err != nil {
		return Null, err
	}
	if code[0] != extSet && code[0] != extMapEntry && code[0] != extBulkSet {
		return readScalar(code[0], p)
	}
	return readNested(code[0], p, depth)
}

func readNested(code byte, p []byte, depth int) (Value, error) {
	inner := msgpackReader{b: p}
	var elems []Value
	for len(inner.b) > 0 {
		e, err := inner.value(depth + 1)
		if err != nil {
			return Null, err
		}
		elems = append(elems, e)
	}
	switch code {
	case extSet:
		return NewSet(elems...).Value(), nil
	case extMapEntry:
		if len(elems) != 2 {
			return Null, errExtLength
		}
		return OfMapEntry(&MapEntry{Key: elems[0], Value: elems[1]}), nil
	}
	s := NewBulkSet()
	for i := 0; i < len(elems); i += 2 {
		if i+1 == len(elems) || elems[i+1].kind != KindLong {
			return Null, errExtLength
		}
		s.Add(elems[i], elems[i+1].Int64())
	}
	return s.Value(), nil
}
