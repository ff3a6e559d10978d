package value

import (
	"fmt"
	"strconv"
	"time"
)

// appendTimeString prints the date and time kinds as their Java classes do.
func appendTimeString(dst []byte, v Value) []byte {
	switch v.kind {
	case KindDate:
		return v.Time().UTC().AppendFormat(dst, "Mon Jan 02 15:04:05 MST 2006")
	case KindTimestamp:
		dst = v.Time().UTC().AppendFormat(dst, "2006-01-02 15:04:05.")
		return append(dst, trimZeros(fmt.Sprintf("%09d", v.Time().Nanosecond()))...)
	case KindInstant:
		return append(appendInstantTime(appendDate(dst, v.Time()), v.Time()), 'Z')
	case KindOffsetDateTime:
		return appendOffset(appendDateTime(dst, v.Time()), offsetSeconds(v.Time()))
	case KindZonedDateTime:
		return appendZoned(dst, v.Time())
	case KindLocalDateTime:
		return appendDateTime(dst, v.Time())
	case KindLocalDate:
		return appendDate(dst, v.Time())
	case KindLocalTime:
		return appendClock(dst, v.LocalTime())
	case KindOffsetTime:
		t := v.OffsetTime()
		return appendOffset(appendClock(dst, t.Time), int(t.OffsetSeconds))
	case KindZoneOffset:
		return appendOffset(dst, int(v.ZoneOffset()))
	case KindDuration:
		return appendDuration(dst, v.Duration())
	case KindMonthDay:
		return fmt.Appendf(dst, "--%02d-%02d", v.MonthDay().Month, v.MonthDay().Day)
	case KindPeriod:
		return appendPeriod(dst, v.Period())
	case KindYear:
		return strconv.AppendInt(dst, int64(v.Year()), 10)
	}
	return appendYearMonth(dst, v.YearMonth())
}

// appendYearMonth prints no sign before years beyond 9999, unlike a date.
func appendYearMonth(dst []byte, y YearMonth) []byte {
	if y.Year > 9999 {
		dst = strconv.AppendInt(dst, int64(y.Year), 10)
	} else {
		dst = appendYear(dst, int(y.Year))
	}
	return fmt.Appendf(dst, "-%02d", y.Month)
}

// appendYear pads to four digits and marks years beyond them with a sign.
func appendYear(dst []byte, y int) []byte {
	switch {
	case y > 9999:
		return fmt.Appendf(dst, "+%d", y)
	case y < 0:
		return fmt.Appendf(dst, "-%04d", -y)
	}
	return fmt.Appendf(dst, "%04d", y)
}

func appendDate(dst []byte, t time.Time) []byte {
	y, m, d := t.Date()
	return fmt.Appendf(appendYear(dst, y), "-%02d-%02d", m, d)
}

func appendDateTime(dst []byte, t time.Time) []byte {
	h, m, s := t.Clock()
	day := time.Duration(h*3600+m*60+s)*time.Second + time.Duration(t.Nanosecond())
	return appendClock(append(appendDate(dst, t), 'T'), day)
}

// appendClock leaves out zero seconds and groups the fraction by three digits.
func appendClock(dst []byte, d time.Duration) []byte {
	secs, nanos := int64(d/time.Second), int64(d%time.Second)
	dst = fmt.Appendf(dst, "%02d:%02d", secs/3600, secs/60%60)
	if secs%60 == 0 && nanos == 0 {
		return dst
	}
	return appendFraction(fmt.Appendf(dst, ":%02d", secs%60), nanos)
}

// appendInstantTime prints seconds always, as Instant does.
func appendInstantTime(dst []byte, t time.Time) []byte {
	return appendFraction(t.AppendFormat(dst, "T15:04:05"), int64(t.Nanosecond()))
}

func appendFraction(dst []byte, nanos int64) []byte {
	switch {
	case nanos == 0:
		return dst
	case nanos%1e6 == 0:
		return fmt.Appendf(dst, ".%03d", nanos/1e6)
	case nanos%1e3 == 0:
		return fmt.Appendf(dst, ".%06d", nanos/1e3)
	}
	return fmt.Appendf(dst, ".%09d", nanos)
}

func appendOffset(dst []byte, secs int) []byte {
	if secs == 0 {
		return append(dst, 'Z')
	}
	sign := byte('+')
	if secs < 0 {
		sign, secs = '-', -secs
	}
	dst = fmt.Appendf(append(dst, sign), "%02d:%02d", secs/3600, secs/60%60)
	if secs%60 != 0 {
		dst = fmt.Appendf(dst, ":%02d", secs%60)
	}
	return dst
}

func appendZoned(dst []byte, t time.Time) []byte {
	dst = appendOffset(appendDateTime(dst, t), offsetSeconds(t))
	if name := t.Location().String(); name != "UTC" && name != "" && name != "Local" {
		dst = fmt.Appendf(dst, "[%s]", name)
	}
	return dst
}

// appendDuration prints ISO-8601 with hours as the largest unit: PT49H, PT-1.5S.
func appendDuration(dst []byte, d Duration) []byte {
	if d == (Duration{}) {
		return append(dst, "PT0S"...)
	}
	total, nanos := d.Seconds, int64(d.Nanos)
	if total < 0 && nanos > 0 {
		total++ // count the whole part towards zero
		nanos -= 1e9
	}
	dst = append(dst, "PT"...)
	if h := total / 3600; h != 0 {
		dst = append(strconv.AppendInt(dst, h, 10), 'H')
	}
	if m := total / 60 % 60; m != 0 {
		dst = append(strconv.AppendInt(dst, m, 10), 'M')
	}
	s := total % 60
	if s == 0 && nanos == 0 {
		return dst
	}
	if s == 0 && nanos < 0 {
		dst = append(dst, '-')
	}
	dst = strconv.AppendInt(dst, s, 10)
	if nanos != 0 {
		dst = append(append(dst, '.'), trimZeros(fmt.Sprintf("%09d", max(nanos, -nanos)))...)
	}
	return append(dst, 'S')
}

// trimZeros drops trailing zeros but keeps one digit.
func trimZeros(s string) string {
	for len(s) > 1 && s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	return s
}

func appendPeriod(dst []byte, p Period) []byte {
	if p == (Period{}) {
		return append(dst, "P0D"...)
	}
	dst = append(dst, 'P')
	for _, part := range [3]struct {
		n    int32
		unit byte
	}{{p.Years, 'Y'}, {p.Months, 'M'}, {p.Days, 'D'}} {
		if part.n != 0 {
			dst = append(strconv.AppendInt(dst, int64(part.n), 10), part.unit)
		}
	}
	return dst
}
