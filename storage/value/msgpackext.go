package value

import (
	"encoding/binary"
	"errors"
	"math/big"
	"net/netip"
	"time"

	"github.com/google/uuid"
)

// appendScalar appends the payload of a scalar extension and returns its code, 0 for
// a kind that has none.
func appendScalar(dst []byte, v Value) ([]byte, byte) {
	if v.kind.IsEnum() {
		return append(append(dst, enumCodes[v.kind]), v.Str()...), extEnum
	}
	switch v.kind {
	case KindChar:
		return put32(dst, int32(v.num)), extChar
	case KindClass:
		return append(dst, v.Str()...), extClass
	case KindBigInteger:
		return AppendTwosComplement(dst, v.BigInt()), extBigInteger
	case KindBigDecimal:
		return AppendTwosComplement(put32(dst, v.Decimal().Scale), v.Decimal().unscaled()), extBigDecimal
	case KindUUID:
		u := v.UUID()
		return append(dst, u[:]...), extUUID
	case KindInetAddress:
		return append(dst, v.InetAddress().AsSlice()...), extInetAddress
	}
	return appendTimeScalar(dst, v)
}

func appendTimeScalar(dst []byte, v Value) ([]byte, byte) {
	t := v.Time()
	switch v.kind {
	case KindDate:
		return put64(dst, t.UnixMilli()), extDate
	case KindTimestamp:
		return put64(dst, t.UnixMilli()), extTimestamp
	case KindInstant:
		return putInstant(dst, t), extInstant
	case KindOffsetDateTime:
		return put32(putInstant(dst, t), int32(offsetSeconds(t))), extOffsetDateTime
	case KindZonedDateTime:
		dst = put32(putInstant(dst, t), int32(offsetSeconds(t)))
		return append(dst, t.Location().String()...), extZonedDateTime
	case KindLocalDateTime:
		return putInstant(dst, t), extLocalDateTime
	case KindLocalDate:
		return put64(dst, t.Unix()), extLocalDate
	case KindLocalTime:
		return put64(dst, int64(v.LocalTime())), extLocalTime
	case KindOffsetTime:
		return put32(put64(dst, int64(v.OffsetTime().Time)), v.OffsetTime().OffsetSeconds), extOffsetTime
	case KindZoneOffset:
		return put32(dst, int32(v.ZoneOffset())), extZoneOffset
	case KindDuration:
		return put32(put64(dst, v.Duration().Seconds), v.Duration().Nanos), extDuration
	case KindMonthDay:
		return append(dst, byte(v.MonthDay().Month), byte(v.MonthDay().Day)), extMonthDay
	case KindPeriod:
		p := v.Period()
		return put32(put32(put32(dst, p.Years), p.Months), p.Days), extPeriod
	case KindYear:
		return put32(dst, int32(v.Year())), extYear
	case KindYearMonth:
		return append(put32(dst, v.YearMonth().Year), byte(v.YearMonth().Month)), extYearMonth
	}
	return dst, 0
}

func put32(dst []byte, n int32) []byte { return binary.BigEndian.AppendUint32(dst, uint32(n)) }
func put64(dst []byte, n int64) []byte { return binary.BigEndian.AppendUint64(dst, uint64(n)) }

func putInstant(dst []byte, t time.Time) []byte {
	return put32(put64(dst, t.Unix()), int32(t.Nanosecond()))
}

// AppendTwosComplement appends n as BigInteger.toByteArray does: big endian, the
// fewest bytes that keep the sign.
func AppendTwosComplement(dst []byte, n *big.Int) []byte {
	if n.Sign() >= 0 {
		if n.BitLen()%8 == 0 {
			dst = append(dst, 0)
		}
		return append(dst, n.Bytes()...)
	}
	// -n-1 has the bits of n inverted.
	inv := new(big.Int).Not(n)
	if inv.BitLen()%8 == 0 {
		dst = append(dst, 0xff)
	}
	start := len(dst)
	dst = append(dst, inv.Bytes()...)
	for i := start; i < len(dst); i++ {
		dst[i] = ^dst[i]
	}
	return dst
}

// MaxBigIntBytes is the longest whole number that the wire forms accept.
const MaxBigIntBytes = 16 << 10

// ReadTwosComplement is the inverse of AppendTwosComplement; no bytes are zero.
func ReadTwosComplement(b []byte) *big.Int {
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(len(b))*8))
	}
	return n
}

var errExtLength = errors.New("decode value: extension has a wrong length")

// readScalar decodes the payload of a scalar extension.
func readScalar(code byte, b []byte) (Value, error) {
	if n, fixed := extLength[code]; fixed && len(b) != n || !fixed && !extVariable[code] {
		return Null, errExtLength
	}
	switch code {
	case extChar:
		return Char(get32(b)), nil
	case extClass:
		return Class(string(b)), nil
	case extEnum:
		return readEnum(b)
	case extBigInteger:
		return BigInt(ReadTwosComplement(b)), nil
	case extBigDecimal:
		if len(b) < 4 {
			return Null, errExtLength
		}
		return BigDecimal(Decimal{Unscaled: ReadTwosComplement(b[4:]), Scale: get32(b)}), nil
	case extUUID:
		return UUID(uuid.UUID(b)), nil
	case extInetAddress:
		a, ok := netip.AddrFromSlice(b)
		if !ok {
			return Null, errExtLength
		}
		return InetAddress(a), nil
	}
	return readTimeScalar(code, b)
}

// extLength gives the payload lengths of the extensions that have a fixed one.
var extLength = map[byte]int{
	extChar: 4, extUUID: 16, extDate: 8, extTimestamp: 8, extInstant: 12, extOffsetDateTime: 16,
	extLocalDateTime: 12, extLocalDate: 8, extLocalTime: 8, extOffsetTime: 12, extZoneOffset: 4,
	extDuration: 12, extMonthDay: 2, extPeriod: 12, extYear: 4, extYearMonth: 5,
}

var extVariable = map[byte]bool{
	extClass: true, extEnum: true, extBigInteger: true, extBigDecimal: true,
	extZonedDateTime: true, extInetAddress: true,
}

func readEnum(b []byte) (Value, error) {
	if len(b) > 0 {
		for k, code := range enumCodes {
			if code == b[0] {
				if v, ok := ParseEnum(k, string(b[1:])); ok {
					return v, nil
				}
			}
		}
	}
	return Null, errors.New("decode value: unknown enum constant")
}

func readTimeScalar(code byte, b []byte) (Value, error) {
	switch code {
	case extDate:
		return Date(time.UnixMilli(get64(b))), nil
	case extTimestamp:
		return Timestamp(time.UnixMilli(get64(b))), nil
	case extInstant:
		return Instant(getInstant(b)), nil
	case extOffsetDateTime:
		return OffsetDateTime(getInstant(b).In(FixedZone(int(get32(b[12:]))))), nil
	case extZonedDateTime:
		if len(b) < 16 {
			return Null, errExtLength
		}
		return ZonedDateTime(getInstant(b).In(namedZone(string(b[16:]), int(get32(b[12:]))))), nil
	case extLocalDateTime:
		return LocalDateTime(getInstant(b)), nil
	case extLocalDate:
		return LocalDate(time.Unix(get64(b), 0)), nil
	case extLocalTime:
		return LocalTime(time.Duration(get64(b))), nil
	case extOffsetTime:
		return OffsetTime{Time: time.Duration(get64(b)), OffsetSeconds: get32(b[8:])}.Value(), nil
	case extZoneOffset:
		return ZoneOffset(get32(b)).Value(), nil
	case extDuration:
		return Duration{Seconds: get64(b), Nanos: get32(b[8:])}.Value(), nil
	case extMonthDay:
		return MonthDay{Month: int8(b[0]), Day: int8(b[1])}.Value(), nil
	case extPeriod:
		return Period{Years: get32(b), Months: get32(b[4:]), Days: get32(b[8:])}.Value(), nil
	case extYear:
		return Year(get32(b)).Value(), nil
	}
	return YearMonth{Year: get32(b), Month: int8(b[4])}.Value(), nil
}

func get32(b []byte) int32 { return int32(binary.BigEndian.Uint32(b)) }
func get64(b []byte) int64 { return int64(binary.BigEndian.Uint64(b)) }

func getInstant(b []byte) time.Time { return time.Unix(get64(b), int64(get32(b[8:]))).UTC() }

// FixedZone returns the unnamed zone of an offset in seconds, UTC for zero.
func FixedZone(seconds int) *time.Location {
	if seconds == 0 {
		return time.UTC
	}
	return time.FixedZone("", seconds)
}

// namedZone falls back to the offset when the host does not know the zone.
func namedZone(name string, offset int) *time.Location {
	if name == "" {
		return FixedZone(offset)
	}
	if l, err := time.LoadLocation(name); err == nil && name != "Local" {
		return l
	}
	return time.FixedZone(name, offset)
}
