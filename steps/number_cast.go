package steps

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
)

// castNumber converts a number to a type; what does not fit is an error. Fractions
// are cut off.
func castNumber(v value.Value, to value.Kind) (value.Value, error) {
	if v.Kind() == to {
		return v, nil
	}
	overflow := value.ErrArithmetic{Message: fmt.Sprintf("Can't convert number of type %s to %s due to overflow.", step.SimpleClass(v), to)}
	f := value.AsFloat64(v)
	switch to {
	case value.KindNull: // GType.NUMBER
		return value.Null, step.IllegalArgument("Unsupported numeric type: class java.lang.Number")
	case value.KindFloat:
		if math.Abs(f) > math.MaxFloat32 && isFinite(v) {
			return value.Null, overflow
		}
		return value.Float(float32(f)), nil
	case value.KindDouble:
		if math.IsInf(f, 0) && isFinite(v) {
			return value.Null, overflow
		}
		if v.Kind() == value.KindFloat {
			f, _ = strconv.ParseFloat(value.FormatFloat(v.Float32()), 64)
		}
		return value.Double(f), nil
	case value.KindBigDecimal:
		return castDecimal(v)
	case value.KindBigInteger: // of a double, the whole part of what it prints
		d, err := castDecimal(v)
		return value.BigInt(value.AsBigInt(d)), err
	}
	if !isFinite(v) {
		what := "floating point infinity"
		if math.IsNaN(f) {
			what = "NaN"
		}
		return value.Null, value.ErrArithmetic{Message: fmt.Sprintf("Can't convert %s to %s.", what, to)}
	}
	if to == value.KindLong && f == 1<<63 && fractional(v) { // not above the largest long as a double, to Java
		return value.Long(math.MaxInt64), nil
	}
	n := wholePart(v)
	bits := map[value.Kind]int{value.KindByte: 7, value.KindShort: 15, value.KindInt: 31, value.KindLong: 63}[to]
	limit := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	if n.Cmp(limit) >= 0 || n.Cmp(limit.Neg(limit)) < 0 {
		return value.Null, overflow
	}
	return value.Widened(value.Long(n.Int64()), to), nil
}

func castDecimal(v value.Value) (value.Value, error) {
	if !isFinite(v) {
		return value.Null, step.NumberFormat("Character %s is neither a decimal digit number, decimal point, nor \"e\" notation exponential mark.", strings.TrimPrefix(v.JavaString(), "-")[:1])
	}
	return value.BigDecimal(value.AsDecimal(v)), nil
}

func fractional(v value.Value) bool {
	return v.Kind() == value.KindFloat || v.Kind() == value.KindDouble
}

func isFinite(v value.Value) bool {
	if !fractional(v) {
		return true
	}
	f := v.Float64()
	return !math.IsNaN(f) && !math.IsInf(f, 0)
}

// wholePart cuts the fraction off.
func wholePart(v value.Value) *big.Int {
	if fractional(v) {
		n, _ := big.NewFloat(v.Float64()).Int(nil)
		return n
	}
	return value.AsBigInt(v)
}
