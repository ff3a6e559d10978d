package value

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// ParseTime reads the text form that JavaString prints of a date or time kind, which
// is ISO-8601 as java.time parses it: package time knows no durations and periods of it, and
// of dates none before the year 0 or behind 9999 (TestParseTime_BeyondTime).
func ParseTime(k Kind, s string) (Value, error) {
	p := timeParser{s: s}
	v := p.kind(k)
	if !p.bad && p.s == "" && !v.IsNull() {
		return v, nil
	}
	return Null, fmt.Errorf("%q is no %s", abbreviate(s, 40), k)
}

// timeParser consumes s from the front; bad sticks.
type timeParser struct {
	s   string
	bad bool
}

func (p *timeParser) kind(k Kind) Value {
	switch k {
	case KindInstant:
		return Instant(p.dateTime(true))
	case KindOffsetDateTime:
		return OffsetDateTime(p.dateTime(true))
	case KindZonedDateTime:
		return ZonedDateTime(p.zoned())
	case KindLocalDateTime:
		return LocalDateTime(p.dateTime(false))
	case KindLocalDate:
		return LocalDate(p.date())
	case KindLocalTime:
		return LocalTime(p.clock())
	case KindOffsetTime:
		t := p.clock()
		return OffsetTime{Time: t, OffsetSeconds: int32(p.offset())}.Value()
	case KindZoneOffset:
		return ZoneOffset(p.offset()).Value()
	case KindDuration:
		return p.duration().Value()
	case KindPeriod:
		return p.period().Value()
	case KindMonthDay:
		p.expect("--")
		m := p.digits(2, 2)
		p.expect("-")
		return MonthDay{Month: int8(m), Day: int8(p.digits(2, 2))}.Value()
	case KindYear:
		return Year(p.year()).Value()
	case KindYearMonth:
		y := p.year()
		p.expect("-")
		return YearMonth{Year: int32(y), Month: int8(p.digits(2, 2))}.Value()
	}
	return Null
}

func (p *timeParser) expect(prefix string) {
	if !strings.HasPrefix(p.s, prefix) {
		p.bad = true
		return
	}
	p.s = p.s[len(prefix):]
}

// accept consumes c when it is next.
func (p *timeParser) accept(c byte) bool {
	if len(p.s) > 0 && p.s[0] == c {
		p.s = p.s[1:]
		return true
	}
	return false
}

// digits reads between least and most digits.
func (p *timeParser) digits(least, most int) int {
	n, i := 0, 0
	for i < len(p.s) && i < most && p.s[i] >= '0' && p.s[i] <= '9' {
		n = n*10 + int(p.s[i]-'0')
		i++
	}
	p.bad = p.bad || i < least
	p.s = p.s[i:]
	return n
}

func (p *timeParser) year() int {
	negative := p.accept('-')
	if !negative {
		p.accept('+')
	}
	if y := p.digits(1, 9); negative {
		return -y
	} else {
		return y
	}
}

func (p *timeParser) date() time.Time {
	y := p.year()
	p.expect("-")
	m := p.digits(2, 2)
	p.expect("-")
	d := p.digits(2, 2)
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	p.bad = p.bad || int(t.Month()) != m || t.Day() != d
	return t
}

func (p *timeParser) clock() time.Duration {
	h := p.digits(2, 2)
	p.expect(":")
	m := p.digits(2, 2)
	var s int
	var nanos time.Duration
	if p.accept(':') {
		s = p.digits(2, 2)
		if p.accept('.') {
			nanos = p.fraction()
		}
	}
	p.bad = p.bad || h > 23 || m > 59 || s > 59
	return time.Duration(h*3600+m*60+s)*time.Second + nanos
}

// fraction reads up to nine digits after the point as nanoseconds.
func (p *timeParser) fraction() time.Duration {
	before := len(p.s)
	n := p.digits(1, 9)
	for i := before - len(p.s); i < 9; i++ {
		n *= 10
	}
	return time.Duration(n)
}

// offset reads Z, +01, +01:00 or +01:00:00.
func (p *timeParser) offset() int {
	if p.accept('Z') || p.accept('z') {
		return 0
	}
	negative := p.accept('-')
	if !negative {
		p.expect("+")
	}
	n := p.digits(1, 2) * 3600
	if p.accept(':') || len(p.s) >= 2 && p.s[0] >= '0' && p.s[0] <= '9' {
		n += p.digits(2, 2) * 60
		if p.accept(':') {
			n += p.digits(2, 2)
		}
	}
	p.bad = p.bad || n > 18*3600
	if negative {
		return -n
	}
	return n
}

func (p *timeParser) dateTime(withOffset bool) time.Time {
	t := p.date()
	if !p.accept('T') {
		p.expect("t")
	}
	clock := p.clock()
	if !withOffset {
		return t.Add(clock)
	}
	offset := p.offset()
	return t.Add(clock - time.Duration(offset)*time.Second).In(FixedZone(offset))
}

func (p *timeParser) zoned() time.Time {
	t := p.dateTime(true)
	if !p.accept('[') {
		return t
	}
	end := strings.IndexByte(p.s, ']')
	if end < 1 || end > 64 || strings.ContainsAny(p.s[:end], `\.`) {
		p.bad = true
		return t
	}
	name := p.s[:end]
	p.s = p.s[end+1:]
	return t.In(namedZone(name, offsetSeconds(t)))
}

// amount reads a signed number.
func (p *timeParser) amount() int64 {
	negative := p.accept('-')
	if !negative {
		p.accept('+')
	}
	n := int64(p.digits(0, 18))
	if negative {
		return -n
	}
	return n
}

// duration reads PnDTnHnMn.nS with signs before any number.
func (p *timeParser) duration() Duration {
	sign := int64(1)
	if p.accept('-') {
		sign = -1
	}
	p.expect("P")
	p.bad = p.bad || p.s == ""
	var secs, nanos int64
	for p.s != "" && !p.bad {
		if p.accept('T') {
			continue
		}
		minus := strings.HasPrefix(p.s, "-")
		n := p.amount()
		var fraction int64
		if p.accept('.') || p.accept(',') {
			if fraction = int64(p.fraction()); minus {
				fraction = -fraction
			}
		}
		unit, ok := durationUnit(p)
		p.bad = p.bad || !ok || fraction != 0 && unit != 1 || n > math.MaxInt64/unit || n < -math.MaxInt64/unit
		secs, nanos = secs+n*unit, nanos+fraction
	}
	secs, nanos = sign*secs, sign*nanos
	if nanos < 0 {
		secs, nanos = secs-1, nanos+1e9
	}
	return Duration{Seconds: secs, Nanos: int32(nanos)}
}

func durationUnit(p *timeParser) (int64, bool) {
	for _, u := range [...]struct {
		letter  byte
		seconds int64
	}{{'D', 86400}, {'H', 3600}, {'M', 60}, {'S', 1}} {
		if p.accept(u.letter) {
			return u.seconds, true
		}
	}
	return 1, false
}

func (p *timeParser) period() Period {
	sign := int64(1)
	if p.accept('-') {
		sign = -1
	}
	p.expect("P")
	p.bad = p.bad || p.s == ""
	var out Period
	for p.s != "" && !p.bad {
		n := sign * p.amount()
		p.bad = p.bad || n != int64(int32(n))
		switch {
		case p.accept('Y'):
			out.Years = int32(n)
		case p.accept('M'):
			out.Months = int32(n)
		case p.accept('W'):
			out.Days += int32(7 * n)
		case p.accept('D'):
			out.Days += int32(n)
		default:
			p.bad = true
		}
	}
	return out
}
