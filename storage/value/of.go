package value

import (
	"math/big"
	"net/netip"
	"time"

	"github.com/google/uuid"
)

// Of converts a Go value: int is Int when it fits, else Long; time.Time is
// OffsetDateTime; the order of Go's maps is lost. A type it does not know is kept as
// KindForeign.
func Of(x any) Value {
	v, ok := ofScalar(x)
	if ok {
		return v
	}
	switch x := x.(type) {
	case []byte:
		return Binary(x)
	case []any:
		elems := make([]Value, len(x))
		for i := range x {
			elems[i] = Of(x[i])
		}
		return List(elems)
	case []Value:
		return List(x)
	case []string:
		elems := make([]Value, len(x))
		for i := range x {
			elems[i] = String(x[i])
		}
		return List(elems)
	case map[string]any:
		m := NewMap()
		for k, e := range x {
			m.PutString(k, Of(e))
		}
		return m.Value()
	case interface{ Value() Value }:
		return x.Value()
	}
	return Object(KindForeign, x)
}

func ofScalar(x any) (Value, bool) {
	switch x := x.(type) {
	case nil:
		return Null, true
	case Value:
		return x, true
	case bool:
		return Bool(x), true
	case int:
		if int(int32(x)) == x {
			return Int(int32(x)), true
		}
		return Long(int64(x)), true
	case int8:
		return Byte(x), true
	case int16:
		return Short(x), true
	case int32:
		return Int(x), true
	case int64:
		return Long(x), true
	case float32:
		return Float(x), true
	case float64:
		return Double(x), true
	case string:
		return String(x), true
	case *big.Int:
		return BigInt(x), true
	case Decimal:
		return BigDecimal(x), true
	case uuid.UUID:
		return UUID(x), true
	case time.Time:
		return OffsetDateTime(x), true
	case time.Duration:
		return DurationOf(x).Value(), true
	case netip.Addr:
		return InetAddress(x), true
	}
	return Null, false
}

// WholeOf returns what is written in place of a KindForeign value that can be made into
// one of another kind when somebody asks; ok is false for all others.
func WholeOf(v Value) (whole Value, ok bool, err error) {
	if w, is := v.Object().(interface {
		Whole() (v Value, ok bool, err error)
	}); is {
		return w.Whole()
	}
	return Null, false, nil
}
