package lang

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// DateTime reads the text of datetime(..): yyyy-MM, a date, or a date and time with
// or without an offset (Z, +HHMM, +HHMMss, +HH:MM, +HH:MM:ss); UTC when none is given.
// No layout of package time reads what TestDateTime_BeyondTime lists, as the reference does.
func DateTime(s string) (time.Time, error) {
	if len(s) > 64 {
		return time.Time{}, fmt.Errorf("Text '%s' could not be parsed as a datetime", abbreviated(s))
	}
	date, clock, timed := cutAny(s, "tT")
	y, m, d, ok := readDate(date, timed)
	if !ok {
		return time.Time{}, fmt.Errorf("Text '%s' could not be parsed as a datetime", s)
	}
	if m < 1 || m > 12 {
		return time.Time{}, fmt.Errorf("Invalid value for MonthOfYear (valid values 1 - 12): %d", m)
	}
	if d < 1 || d > 31 {
		return time.Time{}, fmt.Errorf("Invalid value for DayOfMonth (valid values 1 - 28/31): %d", d)
	}
	d = min(d, time.Date(y, time.Month(m+1), 0, 0, 0, 0, 0, time.UTC).Day())
	day := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if !timed {
		return day, nil
	}
	since, zone, ok := readClock(clock)
	if !ok {
		return time.Time{}, fmt.Errorf("Text '%s' could not be parsed as a datetime", s)
	}
	at := day.Add(since)
	if zone == 0 {
		return at, nil
	}
	return at.Add(-time.Duration(zone) * time.Second).In(time.FixedZone("", zone)), nil
}

func cutAny(s, set string) (before, after string, found bool) {
	if i := strings.IndexAny(s, set); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// readDate reads [+-]yyyy-MM-dd, or yyyy-M without a day.
func readDate(s string, needDay bool) (y, m, d int, ok bool) {
	sign := 1
	body := s
	if body != "" && (body[0] == '+' || body[0] == '-') {
		if body[0] == '-' {
			sign = -1
		}
		body = body[1:]
	}
	parts := strings.Split(body, "-")
	year, okYear := number(parts[0], 4, 9)
	if !okYear || len(parts) > 3 || len(parts) < 2 || len(parts[0]) > 4 && body == s {
		return 0, 0, 0, false
	}
	if len(parts) == 2 {
		m, ok = number(parts[1], 1, 2)
		return sign * year, m, 1, ok && !needDay
	}
	m, okMonth := number(parts[1], 2, 2)
	d, okDay := number(parts[2], 2, 2)
	return sign * year, m, d, okMonth && okDay
}

// number reads between least and most digits.
func number(s string, least, most int) (int, bool) {
	if len(s) < least || len(s) > most {
		return 0, false
	}
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// readClock reads HH:mm[:ss[.fraction]] and an offset in seconds.
func readClock(s string) (time.Duration, int, bool) {
	zone := 0
	switch i := strings.IndexAny(s, "zZ+-"); {
	case i < 0:
	case lower(s[i]) == 'z':
		if i != len(s)-1 {
			return 0, 0, false
		}
		s = s[:i]
	default:
		z, ok := readOffset(s[i+1:])
		if !ok {
			return 0, 0, false
		}
		zone = z
		if s[i] == '-' {
			zone = -z
		}
		s = s[:i]
	}
	clock, fraction, _ := strings.Cut(s, ".")
	h, m, sec, ok := hms(strings.Split(clock, ":"))
	if !ok || m > 59 || sec > 59 || h > 24 || h == 24 && (m > 0 || sec > 0) {
		return 0, 0, false
	}
	nanos, ok := number((fraction + "000000000")[:max(9, len(fraction))], 9, 9)
	return time.Duration(h*3600+m*60+sec)*time.Second + time.Duration(nanos), zone, ok
}

func readOffset(s string) (int, bool) {
	parts := strings.Split(s, ":")
	if len(parts) == 1 && len(s)%2 == 0 {
		parts = nil
		for i := 0; i < len(s); i += 2 {
			parts = append(parts, s[i:i+2])
		}
	}
	h, m, sec, ok := hms(parts)
	return h*3600 + m*60 + sec, ok && m <= 59 && sec <= 59 && h*3600+m*60+sec <= 18*3600
}

// hms reads two or three parts of two digits.
func hms(parts []string) (h, m, s int, ok bool) {
	if len(parts) < 2 || len(parts) > 3 {
		return 0, 0, 0, false
	}
	var n [3]int
	for i, p := range parts {
		if n[i], ok = number(p, 2, 2); !ok {
			return 0, 0, 0, false
		}
	}
	return n[0], n[1], n[2], true
}
