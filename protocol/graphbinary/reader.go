package graphbinary

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// MaxDepth bounds how deep values may nest.
const MaxDepth = 256

const (
	// preallocateMax is how many elements are reserved on the word of a length prefix,
	// unless an account was charged for more.
	preallocateMax = 1024
	// shareMax is the longest message whose strings share one copy of it; in longer
	// ones each string is copied, so that a small value does not keep all of it.
	shareMax = 64 << 10
	// arenaSize is how many values are allocated together for small lists.
	arenaSize = 32
	// valueBytes is what a value takes in a message, about: a short message has few.
	valueBytes = 12
	// keptBytes is what a value takes in memory, about.
	keptBytes = 40
	// placeBytes is what of that is its place in a collection.
	placeBytes = 24
	// freeBytes is how much is read between two charges, and for nothing at the end.
	freeBytes = 4 << 10
)

// Reader decodes values from one message. The first error sticks: everything read
// after it is zero, and Err returns it.
type Reader struct {
	b     []byte
	at    int
	text  string // b as a string, when short
	depth int
	err   error
	arena []value.Value

	memory *account.Account // charged for what is read; may be nil
	owed   int              // bytes not yet charged
	paid   int              // bytes charged for places of values that are still to come
}

// NewReader returns a Reader of b, which must not change while it reads.
func NewReader(b []byte) *Reader {
	r := &Reader{b: b}
	if len(b) <= shareMax {
		r.text = string(b)
	}
	return r
}

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

// Remaining returns how many bytes are unread.
func (r *Reader) Remaining() int { return len(r.b) - r.at }

// End is an error when bytes are left over.
func (r *Reader) End() error {
	if r.err == nil && r.Remaining() > 0 {
		r.fail(fmt.Errorf("%d bytes left over after the value", r.Remaining()))
	}
	return r.err
}

func (r *Reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.at = len(r.b)
}

// owe counts bytes that are about to be taken for what is read.
func (r *Reader) owe(n int) {
	if r.owed += n; r.owed < freeBytes {
		return
	}
	if err := r.memory.Charge(int64(r.owed)); err != nil {
		r.fail(err)
	}
	r.owed = 0
}

// take returns the next n bytes, nil when there are too few.
func (r *Reader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if r.Remaining() < n {
		r.fail(fmt.Errorf("message ends at byte %d, %d more expected", len(r.b), n-r.Remaining()))
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *Reader) byte() byte {
	if p := r.take(1); p != nil {
		return p[0]
	}
	return 0
}

func (r *Reader) int16() int16 {
	if p := r.take(2); p != nil {
		return int16(binary.BigEndian.Uint16(p))
	}
	return 0
}

func (r *Reader) int32() int32 {
	if p := r.take(4); p != nil {
		return int32(binary.BigEndian.Uint32(p))
	}
	return 0
}

func (r *Reader) int64() int64 {
	if p := r.take(8); p != nil {
		return int64(binary.BigEndian.Uint64(p))
	}
	return 0
}

func (r *Reader) uuid() uuid.UUID {
	var u uuid.UUID
	copy(u[:], r.take(16))
	return u
}

// count reads a length prefix of things that take at least size bytes each.
func (r *Reader) count(size int) int {
	n := r.int32()
	if r.err == nil && (n < 0 || int(n) > r.Remaining()/size) {
		r.fail(fmt.Errorf("Invalid GraphBinary length prefix: %d (readable bytes: %d)", n, r.Remaining()))
		return 0
	}
	return int(n)
}

func (r *Reader) bytes() []byte { return r.take(r.count(1)) }

func (r *Reader) string() string {
	p := r.bytes()
	if len(p) == 0 {
		return ""
	}
	s := r.text
	if s != "" {
		s = s[r.at-len(p) : r.at]
	} else {
		if r.owe(len(p)); r.err != nil {
			return ""
		}
		s = string(p)
	}
	if !utf8.ValidString(s) {
		r.fail(fmt.Errorf("string before byte %d is not valid UTF-8", r.at))
		return ""
	}
	return s
}

// bigInt reads the two's complement of a whole number.
func (r *Reader) bigInt() *big.Int {
	p := r.bytes()
	if len(p) > value.MaxBigIntBytes {
		r.fail(fmt.Errorf("number too large: BigInteger of %d bytes, the limit is %d", len(p), value.MaxBigIntBytes))
		return nil
	}
	r.owe(len(p))
	return value.ReadTwosComplement(p)
}

// place is what was charged already for the place of the next value.
func (r *Reader) place() int {
	n := min(r.paid, placeBytes)
	r.paid -= n
	return n
}

// reserve charges for n places at once, so that a long list need not grow: what it grew
// out of would be garbage of several times its size.
func (r *Reader) reserve(n int) int {
	if r.memory == nil || n <= preallocateMax {
		return min(n, preallocateMax)
	}
	if err := r.memory.Charge(int64(n * placeBytes)); err != nil {
		r.fail(err)
		return 0
	}
	r.paid += n * placeBytes
	return n
}

// values returns room for n values to append to, taken from a shared block when small.
func (r *Reader) values(n int) []value.Value {
	if n = r.reserve(n); n > arenaSize/2 {
		return make([]value.Value, 0, n)
	}
	if len(r.arena) < n {
		r.arena = make([]value.Value, max(n, min(arenaSize, len(r.b)/valueBytes)))
	}
	out := r.arena[:0:n]
	r.arena = r.arena[n:]
	return out
}

// list reads n fully qualified values.
func (r *Reader) list(n int) []value.Value {
	out := r.values(n)
	for i := 0; i < n && r.err == nil; i++ {
		out = append(out, r.Value())
	}
	return out
}

var errDepth = fmt.Errorf("nesting exceeds %d", MaxDepth)

// enter counts one level of nesting; leave must follow.
func (r *Reader) enter() bool {
	if r.depth++; r.depth > MaxDepth {
		r.fail(errDepth)
	}
	return r.err == nil
}

func (r *Reader) leave() { r.depth-- }

// Value reads one fully qualified value.
func (r *Reader) Value() value.Value {
	start := r.at
	code := r.byte()
	if code == codeCustom && r.err == nil {
		r.fail(fmt.Errorf("custom GraphBinary types are not supported (type %q)", r.string()))
	}
	switch flag := r.byte(); {
	case r.err != nil || flag == flagNull:
		r.owe(keptBytes)
		return value.Null
	case code == codeNull || flag != flagValue:
		r.fail(fmt.Errorf("unknown value flag 0x%02x of type code 0x%02x at byte %d", flag, code, start))
		return value.Null
	}
	if r.owe(keptBytes + int(keptBehind[code]) - r.place()); !r.enter() {
		return value.Null
	}
	v := r.body(code, start)
	r.leave()
	if r.err != nil {
		return value.Null
	}
	return v
}

// expect reads a fully qualified value of one kind, or null.
func (r *Reader) expect(k value.Kind) value.Value {
	v := r.Value()
	if r.err == nil && !v.IsNull() && v.Kind() != k {
		r.fail(fmt.Errorf("%s found where %s is expected", v.Kind(), k))
		return value.Null
	}
	return v
}

// DecodeValue reads the one fully qualified value that b is.
func DecodeValue(b []byte) (value.Value, error) {
	r := NewReader(b)
	v := r.Value()
	if err := r.End(); err != nil {
		return value.Null, fmt.Errorf("decode GraphBinary: %w", err)
	}
	return v, nil
}

// ReadValue reads one fully qualified value and returns the bytes behind it.
func ReadValue(b []byte) (v value.Value, rest []byte, err error) {
	r := NewReader(b)
	v = r.Value()
	if r.err != nil {
		return value.Null, nil, fmt.Errorf("decode GraphBinary: %w", r.err)
	}
	return v, b[r.at:], nil
}

var errVersion = errors.New("not a GraphBinary 1.0 message")
