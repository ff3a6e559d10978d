package graphbinary

import (
	"fmt"
	"math"
	"net/netip"
	"time"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// body reads the bare value of a type code; start is where the code stood.
func (r *Reader) body(code byte, start int) value.Value {
	switch code {
	case codeInt:
		return value.Int(r.int32())
	case codeLong:
		return value.Long(r.int64())
	case codeString:
		return value.String(r.string())
	case codeBoolean:
		return r.boolean()
	case codeDouble:
		return value.Double(math.Float64frombits(uint64(r.int64())))
	case codeFloat:
		return value.Float(math.Float32frombits(uint32(r.int32())))
	case codeByte:
		return value.Byte(int8(r.byte()))
	case codeShort:
		return value.Short(r.int16())
	case codeList:
		return value.List(r.list(r.count(2)))
	case codeMap:
		return r.mapBody().Value()
	case codeSet:
		return r.set()
	case codeUUID:
		return value.UUID(r.uuid())
	case codeClass:
		return value.Class(r.string())
	case codeChar:
		return r.char()
	case codeBigInteger:
		return value.BigInt(r.bigInt())
	case codeBigDecimal:
		scale := r.int32()
		return value.BigDecimal(value.Decimal{Scale: scale, Unscaled: r.bigInt()})
	case codeByteBuffer:
		b := r.bytes()
		r.owe(len(b))
		return value.Binary(append([]byte{}, b...))
	case codeInetAddress:
		return r.inet()
	case codeBulkSet:
		return r.bulkSet()
	}
	if k, ok := enumKind(code); ok {
		return r.enum(k)
	}
	if code >= codeDuration || code == codeDate || code == codeTimestamp {
		return r.timeBody(code, start)
	}
	return r.composite(code, start)
}

func (r *Reader) unknown(code byte, start int) value.Value {
	r.fail(fmt.Errorf("unknown GraphBinary type code 0x%02x at byte %d", code, start))
	return value.Null
}

func (r *Reader) boolean() value.Value {
	b := r.byte()
	if b > 1 {
		r.fail(fmt.Errorf("boolean is 0x%02x, neither 00 nor 01", b))
	}
	return value.Bool(b == 1)
}

// mapBody reads a bare map; a repeated key keeps its last value.
func (r *Reader) mapBody() *value.Map {
	m := &value.Map{}
	r.mapInto(m)
	return m
}

func (r *Reader) mapInto(m *value.Map) {
	n := r.count(4)
	r.owe(mapEntry * n)
	*m = value.MapIn(r.values(n), r.values(n))
	for i := 0; i < n && r.err == nil; i++ {
		k := r.Value()
		m.Put(k, r.Value())
	}
}

func (r *Reader) set() value.Value {
	s := value.NewSet()
	for n := r.count(2); n > 0 && r.err == nil; n-- {
		r.owe(setEntry)
		s.Add(r.Value())
	}
	return s.Value()
}

func (r *Reader) bulkSet() value.Value {
	s := value.NewBulkSet()
	for n := r.count(10); n > 0 && r.err == nil; n-- {
		r.owe(setEntry)
		v, bulk := r.Value(), r.int64()
		if r.err == nil && (bulk < 1 || s.Size()+bulk < bulk) {
			r.fail(fmt.Errorf("bulk %d of a BulkSet is out of range", bulk))
			break
		}
		s.Add(v, bulk)
	}
	return s.Value()
}

// char reads one UTF-8 character, whose first byte says its length.
func (r *Reader) char() value.Value {
	lead := r.byte()
	n := 1
	switch {
	case lead >= 0xF0:
		n = 4
	case lead >= 0xE0:
		n = 3
	case lead >= 0xC0:
		n = 2
	}
	buf := [4]byte{lead}
	copy(buf[1:], r.take(n-1))
	c, size := utf8.DecodeRune(buf[:n])
	if r.err == nil && (size != n || c == utf8.RuneError && n == 1) {
		r.fail(fmt.Errorf("char is no UTF-8: %x", buf[:n]))
	}
	return value.Char(c)
}

func (r *Reader) inet() value.Value {
	p := r.bytes()
	a, ok := netip.AddrFromSlice(p)
	if r.err == nil && !ok {
		r.fail(fmt.Errorf("InetAddress of %d bytes, neither 4 nor 16", len(p)))
	}
	return value.InetAddress(a)
}

func (r *Reader) enum(k value.Kind) value.Value {
	name := r.expect(value.KindString)
	v, ok := value.ParseEnum(k, name.Str())
	if r.err == nil && !ok {
		r.fail(fmt.Errorf("%s has no constant %q", k, name.Str()))
	}
	return v
}

// maxSecond is Instant.MAX; within it no arithmetic of time.Time overflows.
const maxSecond = 31556889864403199

func (r *Reader) timeBody(code byte, start int) value.Value {
	switch code {
	case codeDate:
		return value.Date(time.UnixMilli(r.int64()))
	case codeTimestamp:
		return value.Timestamp(time.UnixMilli(r.int64()))
	case codeInstant:
		sec, nanos := r.int64(), r.nanos()
		if sec < -maxSecond || sec > maxSecond {
			r.fail(fmt.Errorf("instant of second %d is out of range", sec))
		}
		return value.Instant(time.Unix(sec, int64(nanos)))
	case codeDuration:
		sec := r.int64()
		return value.Duration{Seconds: sec, Nanos: r.nanos()}.Value()
	case codeLocalDate:
		return value.LocalDate(r.date())
	case codeLocalTime:
		return value.LocalTime(r.clock())
	case codeLocalDateTime:
		return value.LocalDateTime(r.dateTime(false))
	case codeOffsetDateTime:
		return value.OffsetDateTime(r.dateTime(true))
	case codeZonedDateTime:
		return value.ZonedDateTime(r.dateTime(true))
	case codeOffsetTime:
		t := r.clock()
		return value.OffsetTime{Time: t, OffsetSeconds: r.offset()}.Value()
	case codeZoneOffset:
		return value.ZoneOffset(r.offset()).Value()
	case codeMonthDay:
		m := int8(r.byte())
		return value.MonthDay{Month: m, Day: int8(r.byte())}.Value()
	case codePeriod:
		y, m := r.int32(), r.int32()
		return value.Period{Years: y, Months: m, Days: r.int32()}.Value()
	case codeYear:
		return value.Year(r.int32()).Value()
	case codeYearMonth:
		y := r.int32()
		return value.YearMonth{Year: y, Month: int8(r.byte())}.Value()
	}
	return r.unknown(code, start)
}

func (r *Reader) nanos() int32 {
	n := r.int32()
	if n < 0 || n >= 1e9 {
		r.fail(fmt.Errorf("%d nanoseconds are not within a second", n))
	}
	return n
}

func (r *Reader) clock() time.Duration {
	n := r.int64()
	if n < 0 || n >= int64(24*time.Hour) {
		r.fail(fmt.Errorf("%d nanoseconds are not within a day", n))
	}
	return time.Duration(n)
}

func (r *Reader) offset() int32 {
	n := r.int32()
	if n < -18*3600 || n > 18*3600 {
		r.fail(fmt.Errorf("offset of %d seconds is out of range", n))
	}
	return n
}

// date reads year, month and day.
func (r *Reader) date() time.Time {
	y, m, d := r.int32(), r.byte(), r.byte()
	return r.checkedDate(y, m, d, 0, time.UTC)
}

func (r *Reader) checkedDate(y int32, m, d byte, clock time.Duration, zone *time.Location) time.Time {
	t := time.Date(int(y), time.Month(m), int(d), 0, 0, 0, 0, zone)
	if r.err == nil && (y < -999999999 || y > 999999999 || t.Month() != time.Month(m) || t.Day() != int(d)) {
		r.fail(fmt.Errorf("there is no date %d-%02d-%02d", y, m, d))
	}
	return t.Add(clock)
}

func (r *Reader) dateTime(withOffset bool) time.Time {
	y, m, d := r.int32(), r.byte(), r.byte()
	clock, zone := r.clock(), time.UTC
	if withOffset {
		zone = value.FixedZone(int(r.offset()))
	}
	return r.checkedDate(y, m, d, clock, zone)
}
