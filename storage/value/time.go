package value

import (
	"time"
	"unsafe"
)

// The java.time types that Go has no counterpart for.
type (
	// OffsetTime is a wall time with an offset from UTC in seconds.
	OffsetTime struct {
		Time          time.Duration // since midnight
		OffsetSeconds int32
	}
	// ZoneOffset is an offset from UTC in seconds.
	ZoneOffset int32
	// Duration is a java.time.Duration: Nanos is 0 to 999,999,999 also when
	// Seconds is negative.
	Duration struct {
		Seconds int64
		Nanos   int32
	}
	// MonthDay is a day of any year.
	MonthDay struct{ Month, Day int8 }
	// Period is an amount of calendar time.
	Period struct{ Years, Months, Days int32 }
	// Year is a proleptic year.
	Year int32
	// YearMonth is a month of a year.
	YearMonth struct {
		Year  int32
		Month int8
	}
)

func timeValue(k Kind, t time.Time) Value { return Value{kind: k, ptr: unsafe.Pointer(&t)} }

// Date wraps a java.util.Date; t is cut to milliseconds.
func Date(t time.Time) Value { return timeValue(KindDate, cutMilli(t)) }

// Timestamp wraps a java.sql.Timestamp; t is cut to milliseconds.
func Timestamp(t time.Time) Value { return timeValue(KindTimestamp, cutMilli(t)) }

func cutMilli(t time.Time) time.Time { return time.UnixMilli(t.UnixMilli()).UTC() }

// Instant wraps a java.time.Instant.
func Instant(t time.Time) Value { return timeValue(KindInstant, t.UTC()) }

// OffsetDateTime wraps a java.time.OffsetDateTime: t's instant and current offset.
func OffsetDateTime(t time.Time) Value { return timeValue(KindOffsetDateTime, t) }

// ZonedDateTime wraps a java.time.ZonedDateTime.
func ZonedDateTime(t time.Time) Value { return timeValue(KindZonedDateTime, t) }

// LocalDateTime wraps a java.time.LocalDateTime: t's fields as they read in UTC.
func LocalDateTime(t time.Time) Value { return timeValue(KindLocalDateTime, t.UTC()) }

// LocalDate wraps a java.time.LocalDate: t's date as it reads in UTC.
func LocalDate(t time.Time) Value {
	y, m, d := t.UTC().Date()
	return timeValue(KindLocalDate, time.Date(y, m, d, 0, 0, 0, 0, time.UTC))
}

// Time returns the content of the kinds from Date to LocalDate, the zero Time for others.
func (v Value) Time() time.Time {
	if v.kind < KindDate || v.kind > KindLocalDate || v.ptr == nil {
		return time.Time{}
	}
	return *(*time.Time)(v.ptr)
}

// LocalTime wraps a java.time.LocalTime, the time since midnight.
func LocalTime(d time.Duration) Value { return Value{kind: KindLocalTime, num: uint64(d)} }

// LocalTime returns the content of a LocalTime.
func (v Value) LocalTime() time.Duration {
	if v.kind != KindLocalTime {
		return 0
	}
	return time.Duration(v.num)
}

// Value wraps t.
func (t OffsetTime) Value() Value { return Value{kind: KindOffsetTime, ptr: unsafe.Pointer(&t)} }

// OffsetTime returns the content of an OffsetTime.
func (v Value) OffsetTime() OffsetTime { return content[OffsetTime](v, KindOffsetTime) }

// Value wraps z.
func (z ZoneOffset) Value() Value { return Value{kind: KindZoneOffset, ptr: unsafe.Pointer(&z)} }

// ZoneOffset returns the content of a ZoneOffset.
func (v Value) ZoneOffset() ZoneOffset { return content[ZoneOffset](v, KindZoneOffset) }

// Value wraps d.
func (d Duration) Value() Value { return Value{kind: KindDuration, ptr: unsafe.Pointer(&d)} }

// DurationOf converts Go's duration.
func DurationOf(d time.Duration) Duration {
	s, n := int64(d/time.Second), int32(d%time.Second)
	if n < 0 {
		s, n = s-1, n+1e9
	}
	return Duration{Seconds: s, Nanos: n}
}

// Duration returns the content of a Duration.
func (v Value) Duration() Duration { return content[Duration](v, KindDuration) }

// Value wraps m.
func (m MonthDay) Value() Value { return Value{kind: KindMonthDay, ptr: unsafe.Pointer(&m)} }

// MonthDay returns the content of a MonthDay.
func (v Value) MonthDay() MonthDay { return content[MonthDay](v, KindMonthDay) }

// Value wraps p.
func (p Period) Value() Value { return Value{kind: KindPeriod, ptr: unsafe.Pointer(&p)} }

// Period returns the content of a Period.
func (v Value) Period() Period { return content[Period](v, KindPeriod) }

// Value wraps y.
func (y Year) Value() Value { return Value{kind: KindYear, ptr: unsafe.Pointer(&y)} }

// Year returns the content of a Year.
func (v Value) Year() Year { return content[Year](v, KindYear) }

// Value wraps y.
func (y YearMonth) Value() Value { return Value{kind: KindYearMonth, ptr: unsafe.Pointer(&y)} }

// YearMonth returns the content of a YearMonth.
func (v Value) YearMonth() YearMonth { return content[YearMonth](v, KindYearMonth) }
