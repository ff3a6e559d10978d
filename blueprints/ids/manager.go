package ids

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/google/uuid"
	"github.com/gremlind/gremlind/storage/value"
)

// Manager names how user-supplied ids are brought to a canonical form.
type Manager string

// TinkerGraph's id managers.
const (
	Any     Manager = "ANY"
	Integer Manager = "INTEGER"
	Long    Manager = "LONG"
	UUID    Manager = "UUID"
	String  Manager = "STRING"
)

// Max is the longest user-supplied id in bytes of its stored form.
const Max = 64 << 10

// Convert brings a user's id to the manager's canonical form. Null stays null.
func (m Manager) Convert(id value.Value) (value.Value, error) {
	if id.IsNull() {
		return id, nil
	}
	switch m {
	case Integer:
		return convertNumber(id, value.KindInt)
	case Long:
		return convertNumber(id, value.KindLong)
	case UUID:
		return convertUUID(id)
	case String:
		if id.Kind() == value.KindString {
			return id, nil
		}
		return value.String(id.JavaString()), nil
	}
	return id, nil
}

// Generated returns the id that the manager makes of the next number.
func (m Manager) Generated(n uint64) value.Value {
	switch m {
	case Integer:
		return value.Int(int32(n))
	case UUID:
		return value.UUID(uuid.New())
	case String:
		return value.String(strconv.FormatUint(n, 10))
	}
	return value.Long(int64(n))
}

// Valid reports whether there is such a manager.
func (m Manager) Valid() bool {
	switch m {
	case Any, Integer, Long, UUID, String:
		return true
	}
	return false
}

func notConvertible(k value.Kind, id value.Value) error {
	return refused("Expected an id that is convertible to class %s but received class %s - [%s]",
		k.JavaClass(), id.Kind().JavaClass(), id.Brief())
}

func convertNumber(id value.Value, to value.Kind) (value.Value, error) {
	bits := 64
	if to == value.KindInt {
		bits = 32
	}
	var n int64
	switch id.Kind() {
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		n = id.Int64()
	case value.KindFloat, value.KindDouble:
		n = saturate(id.Float64(), bits)
	case value.KindBigInteger:
		n = lowBits(id.BigInt())
	case value.KindBigDecimal:
		d := id.Decimal()
		n = lowBits(truncated(d.Unscaled, d.Scale))
	case value.KindString:
		parsed, err := strconv.ParseInt(id.Str(), 10, bits)
		if err != nil {
			return value.Null, notConvertible(to, id)
		}
		n = parsed
	default:
		return value.Null, notConvertible(to, id)
	}
	if to == value.KindInt {
		return value.Int(int32(n)), nil
	}
	return value.Long(n), nil
}

// saturate is Java's narrowing of a double.
func saturate(f float64, bits int) int64 {
	top := math.Ldexp(1, bits-1)
	switch {
	case math.IsNaN(f):
		return 0
	case f >= top:
		return int64(1)<<(bits-1) - 1
	case f < -top:
		return -1 << (bits - 1)
	}
	return int64(f)
}

func lowBits(n *big.Int) int64 {
	var b [8]byte
	new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).FillBytes(b[:])
	return int64(binary.BigEndian.Uint64(b[:]))
}

// truncated drops the fraction; a scale beyond any id counts as zero or overflow.
func truncated(unscaled *big.Int, scale int32) *big.Int {
	const scaleMax = 4096
	switch {
	case scale > scaleMax || scale < -scaleMax:
		return new(big.Int)
	case scale >= 0:
		return new(big.Int).Quo(unscaled, pow10(scale))
	}
	return new(big.Int).Mul(unscaled, pow10(-scale))
}

func pow10(n int32) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func convertUUID(id value.Value) (value.Value, error) {
	switch id.Kind() {
	case value.KindUUID:
		return id, nil
	case value.KindString:
		if len(id.Str()) == 36 {
			if u, err := uuid.Parse(id.Str()); err == nil {
				return value.UUID(u), nil
			}
		}
	}
	return value.Null, notConvertible(value.KindUUID, id)
}

// Refused says that a manager does not take an id.
type Refused struct{ message string }

func (e *Refused) Error() string { return e.message }

// JavaClass names the exception that the reference throws.
func (e *Refused) JavaClass() string { return "java.lang.IllegalArgumentException" }

func refused(format string, args ...any) error {
	return &Refused{message: fmt.Sprintf(format, args...)}
}
