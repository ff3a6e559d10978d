// Package valuetest generates values for property tests.
package valuetest

import (
	"math"
	"math/big"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/value"
)

// Storable generates property values of every kind that a cell can hold, collections
// nested at most depth deep.
func Storable(depth int) *rapid.Generator[value.Value] {
	if depth == 0 {
		return Scalar()
	}
	return rapid.OneOf(Scalar(), Scalar(), collection(depth-1))
}

// Scalar generates values without parts.
func Scalar() *rapid.Generator[value.Value] {
	return rapid.OneOf(Number(), Text(), Time(), other())
}

// Number generates numbers of every kind, often equal across kinds.
func Number() *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		switch rapid.IntRange(0, 8).Draw(t, "kind") {
		case 0:
			return value.Byte(rapid.Int8().Draw(t, "byte"))
		case 1:
			return value.Short(rapid.Int16().Draw(t, "short"))
		case 2:
			return value.Int(rapid.Int32().Draw(t, "int"))
		case 3:
			return value.Long(rapid.Int64().Draw(t, "long"))
		case 4:
			return value.Float(rapid.Float32().Draw(t, "float"))
		case 5:
			return value.Double(rapid.Float64().Draw(t, "double"))
		case 6:
			return value.BigInt(bigInt(t))
		case 7:
			return value.BigDecimal(value.Decimal{
				Unscaled: bigInt(t), Scale: int32(rapid.IntRange(-40, 40).Draw(t, "scale"))})
		}
		return special(t)
	})
}

// special draws from the corners, so that equal numbers of different kinds meet.
func special(t *rapid.T) value.Value {
	n := rapid.IntRange(-3, 3).Draw(t, "small")
	tenth := value.Decimal{Unscaled: big.NewInt(int64(n)), Scale: 1}
	return rapid.SampledFrom([]value.Value{
		value.Byte(int8(n)), value.Short(int16(n)), value.Int(int32(n)), value.Long(int64(n)),
		value.Float(float32(n)), value.Double(float64(n)), value.Double(float64(n) / 10),
		value.Float(float32(n) / 10), value.BigInt(big.NewInt(int64(n))), value.BigDecimal(tenth),
		value.BigDecimal(value.Decimal{Unscaled: big.NewInt(int64(n) * 100), Scale: 2}),
		value.Double(math.NaN()), value.Float(float32(math.NaN())), value.Double(math.Inf(1)),
		value.Double(math.Inf(-1)), value.Float(float32(math.Inf(1))),
		value.Double(math.Copysign(0, -1)), value.Float(float32(math.Copysign(0, -1))),
		value.Long(math.MaxInt64), value.Long(math.MinInt64), value.Double(math.MaxInt64),
		value.Double(1 << 53), value.Long(1<<53 + 1), value.Double(math.MaxFloat64),
		value.Double(math.SmallestNonzeroFloat64),
	}).Draw(t, "special")
}

func bigInt(t *rapid.T) *big.Int {
	b := rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "bytes")
	return value.ReadTwosComplement(b)
}

// Text generates strings around the corners of UTF-16 order, classes and characters.
func Text() *rapid.Generator[value.Value] {
	corner := rapid.SampledFrom([]string{"", "a", "ab", "\x00", "a\x00", "a\x00b", "\uD7FF", "\uE000",
		"\uFFFD", "\uFF5E", "\U0001F600", "\U00010000", "\U0010FFFF", "é"})
	return rapid.Custom(func(t *rapid.T) value.Value {
		s := corner.Draw(t, "head") + rapid.OneOf(corner, rapid.String()).Draw(t, "tail")
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			return value.Class("java.lang." + s)
		case 1:
			return value.Char(rapid.SampledFrom([]rune{'a', 0, 'é', 0xE000, 0x1F600}).Draw(t, "char"))
		}
		return value.String(s)
	})
}

// Time generates the date and time kinds.
func Time() *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		at := time.Unix(rapid.Int64Range(-1<<36, 1<<36).Draw(t, "sec"), rapid.Int64Range(0, 999999999).Draw(t, "nanos")).UTC()
		offset := rapid.IntRange(-64800, 64800).Draw(t, "offset")
		zone := value.FixedZone(rapid.SampledFrom([]int{0, 3600, offset}).Draw(t, "zone"))
		n := int32(rapid.IntRange(1, 12).Draw(t, "n"))
		day := time.Duration(rapid.Int64Range(0, 24*int64(time.Hour)-1).Draw(t, "day"))
		return rapid.SampledFrom([]value.Value{
			value.OffsetDateTime(at.In(zone)), value.OffsetDateTime(at.In(zone)), value.Date(at), value.Timestamp(at),
			value.Instant(at), value.ZonedDateTime(at.In(zone)), value.LocalDateTime(at), value.LocalDate(at),
			value.LocalTime(day), value.OffsetTime{Time: day, OffsetSeconds: int32(offset)}.Value(),
			value.ZoneOffset(offset).Value(), value.Duration{Seconds: int64(offset), Nanos: n * 1000}.Value(),
			value.MonthDay{Month: int8(n), Day: int8(n)}.Value(), value.Period{Years: n, Months: -n, Days: 3}.Value(),
			value.Year(2000 - n*300).Value(), value.YearMonth{Year: int32(offset), Month: int8(n)}.Value(),
		}).Draw(t, "time")
	})
}

func other() *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		var u uuid.UUID
		copy(u[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "uuid"))
		raw := rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "binary")
		kind := rapid.SampledFrom([]value.Kind{value.KindT, value.KindDirection, value.KindOrder,
			value.KindScope, value.KindPop, value.KindCardinality, value.KindColumn, value.KindOperator,
			value.KindPick, value.KindBarrier, value.KindMerge, value.KindDT, value.KindGType}).Draw(t, "enum")
		name := rapid.SampledFrom(value.EnumNames(kind)).Draw(t, "constant")
		return rapid.SampledFrom([]value.Value{
			value.Null, value.Bool(true), value.Bool(false), value.UUID(u), value.Binary(raw),
			value.Enum(kind, name), value.InetAddress(netip.AddrFrom4([4]byte(u[:4]))),
			value.InetAddress(netip.AddrFrom16(u)),
		}).Draw(t, "other")
	})
}

func collection(depth int) *rapid.Generator[value.Value] {
	return rapid.Custom(func(t *rapid.T) value.Value {
		elems := rapid.SliceOfN(Storable(depth), 0, 12).Draw(t, "elems")
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return value.NewSet(elems...).Value()
		case 1:
			m := value.NewMap()
			for i, e := range elems {
				m.Put(e, elems[len(elems)-1-i])
			}
			return m.Value()
		case 2:
			s := value.NewBulkSet()
			for i, e := range elems {
				s.Add(e, int64(i+1))
			}
			return s.Value()
		case 3:
			if len(elems) > 0 {
				return value.OfMapEntry(&value.MapEntry{Key: elems[0], Value: elems[len(elems)-1]})
			}
		}
		return value.List(elems)
	})
}
