package gryo

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf16"
)

// Limits of what a file may ask for.
const (
	depthMax  = 256
	stringMax = 64 << 20 // UTF-16 units of one string
)

// input reads Kryo's primitives. The first error sticks; readers return zeros then.
type input struct {
	r    *bufio.Reader
	off  int64
	err  error
	refs []any // the referable objects of the current star graph, in order
}

func (in *input) fail(format string, args ...any) {
	if in.err == nil {
		in.err = fmt.Errorf("gryo at byte %d: "+format, append([]any{in.off}, args...)...)
	}
}

func (in *input) byte() byte {
	if in.err != nil {
		return 0
	}
	b, err := in.r.ReadByte()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		in.fail("%w", err)
		return 0
	}
	in.off++
	return b
}

// bytes reads n bytes, growing as they arrive, so that a wrong length costs nothing.
func (in *input) bytes(n int) []byte {
	if in.err != nil {
		return nil
	}
	if n < 0 {
		in.fail("length %d is negative", n)
		return nil
	}
	buf := make([]byte, 0, min(n, 4096))
	for len(buf) < n && in.err == nil {
		buf = append(buf, in.byte())
	}
	return buf
}

// varint is Kryo's positive int: seven bits a byte, least first.
func (in *input) varint() int {
	return int(uint32(in.uvarint(5)))
}

func (in *input) uvarint(bytesMax int) uint64 {
	var v uint64
	for i := 0; i < bytesMax; i++ {
		b := in.byte()
		if i == 8 { // the ninth byte of a long holds eight bits
			return v | uint64(b)<<56
		}
		v |= uint64(b&0x7f) << (7 * i)
		if b&0x80 == 0 {
			return v
		}
	}
	return v
}

func (in *input) int() int32 {
	v := uint32(in.uvarint(5))
	return int32(v>>1) ^ -int32(v&1)
}

func (in *input) long() int64 {
	v := in.uvarint(9)
	return int64(v>>1) ^ -int64(v&1)
}

func (in *input) fixed16() uint16 {
	return uint16(in.byte())<<8 | uint16(in.byte())
}

func (in *input) fixed32() uint32 {
	return uint32(in.fixed16())<<16 | uint32(in.fixed16())
}

func (in *input) fixed64() uint64 {
	b := in.bytes(8)
	if len(b) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(b)
}

func (in *input) float() float32 { return math.Float32frombits(in.fixed32()) }

func (in *input) double() float64 { return math.Float64frombits(in.fixed64()) }

func (in *input) bool() bool { return in.byte() != 0 }

// text reads a string in either of Kryo's forms.
func (in *input) text() string {
	b := in.byte()
	if b&0x80 == 0 {
		return in.ascii(b)
	}
	n := int(b & 0x3f)
	if b&0x40 != 0 {
		for shift := 6; shift <= 27; shift += 7 {
			c := in.byte()
			n |= int(c&0x7f) << shift
			if c&0x80 == 0 {
				break
			}
		}
	}
	if n <= 1 {
		return ""
	}
	if n > stringMax {
		in.fail("a string of %d characters is longer than the limit of %d", n-1, stringMax)
		return ""
	}
	return in.utf16(n - 1)
}

func (in *input) ascii(first byte) string {
	buf := []byte{first}
	for in.err == nil {
		b := in.byte()
		buf = append(buf, b&0x7f)
		if b&0x80 != 0 {
			break
		}
	}
	return string(buf)
}

// utf16 reads n UTF-16 units, each in one to three bytes.
func (in *input) utf16(n int) string {
	units := make([]uint16, 0, min(n, 4096))
	for len(units) < n && in.err == nil {
		b := in.byte()
		switch b >> 4 {
		case 12, 13:
			units = append(units, uint16(b&0x1f)<<6|uint16(in.byte()&0x3f))
		case 14:
			units = append(units, uint16(b&0x0f)<<12|uint16(in.byte()&0x3f)<<6|uint16(in.byte()&0x3f))
		default:
			units = append(units, uint16(b))
		}
	}
	return string(utf16.Decode(units))
}

// newRef reads a reference. It returns the object when it was read before; otherwise
// the caller reads it now and hands it to keep(slot).
func (in *input) newRef() (known any, slot int, null bool) {
	switch n := in.varint(); {
	case n == 0:
		return nil, -1, true
	case n == 1:
		in.refs = append(in.refs, nil)
		return nil, len(in.refs) - 1, false
	case n-2 < len(in.refs):
		if in.refs[n-2] == nil {
			in.fail("object %d refers to itself", n-2)
		}
		return in.refs[n-2], -1, false
	default:
		in.fail("reference to object %d of %d", n-2, len(in.refs))
		return nil, -1, true
	}
}

func (in *input) keep(slot int, x any) { in.refs[slot] = x }
