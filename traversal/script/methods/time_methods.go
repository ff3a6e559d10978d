package methods

import (
	"strings"
	"time"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// DateTimeException is the class of the errors of times.
const DateTimeException = "java.time.DateTimeException"

func timeMethods() machine.Methods {
	out := machine.Methods{
		"getTime":        {0, 0, timeNumber(time.Time.UnixMilli)},
		"toEpochMilli":   {0, 0, timeNumber(time.Time.UnixMilli)},
		"getEpochSecond": {0, 0, timeNumber(time.Time.Unix)},
		"toEpochSecond":  {0, 1, timeNumber(time.Time.Unix)},
		"toEpochDay":     {0, 0, timeNumber(func(t time.Time) int64 { return floorDays(t) })},
		"toInstant": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Instant(self.Time()), nil
		}},
		"toLocalDate": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.LocalDate(self.Time()), nil
		}},
		"toLocalDateTime": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.LocalDateTime(self.Time()), nil
		}},
		"atStartOfDay": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.LocalDateTime(self.Time()), nil
		}},
		"before": {1, 1, timeCompared(-1)}, "isBefore": {1, 1, timeCompared(-1)},
		"after": {1, 1, timeCompared(1)}, "isAfter": {1, 1, timeCompared(1)},
		"isEqual":   {1, 1, timeCompared(0)},
		"compareTo": operatorMethod("<=>"),
		"plus":      {1, 2, timePlus(1)}, "minus": {1, 2, timePlus(-1)},
		"format": {0, 1, timeFormat},
		"getDayOfWeek": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(strings.ToUpper(self.Time().Weekday().String())), nil
		}},
		"getMonth": {0, 0, timeMonth},
	}
	for name, get := range map[string]func(time.Time) int{
		"getMonthValue": func(t time.Time) int { return int(t.Month()) }, "getDayOfMonth": time.Time.Day, "getDayOfYear": time.Time.YearDay,
		"getHour": time.Time.Hour, "getMinute": time.Time.Minute, "getSecond": time.Time.Second, "getNano": time.Time.Nanosecond,
		"getHours": time.Time.Hour, "getMinutes": time.Time.Minute, "getSeconds": time.Time.Second, "getDate": time.Time.Day,
	} {
		out[name] = machine.Method{0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(get(self.Time()))), nil
		}}
	}
	out["getYear"] = machine.Method{0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
		year := self.Time().Year()
		if self.Kind() == value.KindDate || self.Kind() == value.KindTimestamp {
			year -= 1900 // as java.util.Date counts
		}
		return value.Int(int32(year)), nil
	}}
	for name, add := range Shifts {
		out["plus"+name] = machine.Method{1, 1, timeShift(add, 1)}
		out["minus"+name] = machine.Method{1, 1, timeShift(add, -1)}
	}
	return out
}

// Shifts add n units to a time.
var Shifts = map[string]func(t time.Time, n int) time.Time{
	"Years":   func(t time.Time, n int) time.Time { return addMonths(t, 12*n) },
	"Months":  addMonths,
	"Weeks":   func(t time.Time, n int) time.Time { return t.AddDate(0, 0, 7*n) },
	"Days":    func(t time.Time, n int) time.Time { return t.AddDate(0, 0, n) },
	"Hours":   func(t time.Time, n int) time.Time { return t.Add(time.Duration(n) * time.Hour) },
	"Minutes": func(t time.Time, n int) time.Time { return t.Add(time.Duration(n) * time.Minute) },
	"Seconds": func(t time.Time, n int) time.Time { return t.Add(time.Duration(n) * time.Second) },
	"Millis":  func(t time.Time, n int) time.Time { return t.Add(time.Duration(n) * time.Millisecond) },
	"Nanos":   func(t time.Time, n int) time.Time { return t.Add(time.Duration(n)) },
}

// addMonths keeps the day, or takes the last of a shorter month, as java.time does.
func addMonths(t time.Time, n int) time.Time {
	first := time.Date(t.Year(), t.Month(), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location()).AddDate(0, n, 0)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

func floorDays(t time.Time) int64 {
	q, _ := FloorDivision(t.Unix(), 86400)
	return q
}

// ShiftMax is how far a time is moved at most, in any unit.
const ShiftMax = 1_000_000_000

func timeShift(add func(time.Time, int) time.Time, sign int) Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		n := value.AsInt64(a[0])
		if !a[0].Kind().IsNumber() || n > ShiftMax || n < -ShiftMax {
			return value.Null, machine.Fail(DateTimeException, "%s is too much to add to a date", m.String(a[0]))
		}
		return machine.TimeLike(self.Kind(), add(self.Time(), sign*int(n))), nil
	}
}

func timeNumber(get func(time.Time) int64) Call {
	return func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
		return value.Long(get(self.Time())), nil
	}
}

func timeCompared(want int) Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		if !machine.IsTime(a[0].Kind()) {
			return value.Null, m.NoMethod(self, "isBefore", a)
		}
		return value.Bool(self.Time().Compare(a[0].Time()) == want), nil
	}
}

// timePlus adds a Duration, days to a Date, or a number of ChronoUnits.
func timePlus(sign int) Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		switch {
		case len(a) == 2:
			name := m.String(a[1])
			if add, ok := Shifts[machine.Capital(strings.ToLower(name))]; ok {
				return timeShift(add, sign)(m, self, a[:1])
			}
		case a[0].Kind() == value.KindDuration:
			d := a[0].Duration()
			t := self.Time().Add(time.Duration(sign) * (time.Duration(min(max(d.Seconds, -ShiftMax), ShiftMax))*time.Second + time.Duration(d.Nanos)))
			return machine.TimeLike(self.Kind(), t), nil
		case a[0].Kind().IsNumber():
			return timeShift(Shifts["Days"], sign)(m, self, a)
		case machine.IsTime(a[0].Kind()) && sign < 0: // Groovy: days between two dates
			return value.Int(int32(floorDays(self.Time()) - floorDays(a[0].Time()))), nil
		}
		return value.Null, m.NoMethod(self, "plus", a)
	}
}

func timeMonth(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	if self.Kind() == value.KindDate || self.Kind() == value.KindTimestamp {
		return value.Int(int32(self.Time().Month()) - 1), nil
	}
	return value.String(strings.ToUpper(self.Time().Month().String())), nil
}

// layouts are the letters of a java.text pattern as Go writes them, longer ones first.
var layouts = []struct{ java, layout string }{
	{"yyyy", "2006"}, {"uuuu", "2006"}, {"yy", "06"}, {"MMMM", "January"}, {"MMM", "Jan"}, {"MM", "01"}, {"M", "1"},
	{"dd", "02"}, {"d", "2"}, {"EEEE", "Monday"}, {"EEE", "Mon"}, {"E", "Mon"}, {"HH", "15"}, {"hh", "03"}, {"h", "3"},
	{"mm", "04"}, {"m", "4"}, {"ss", "05"}, {"s", "5"}, {"SSS", "000"}, {"a", "PM"}, {"XXX", "Z07:00"}, {"Z", "-0700"}, {"z", "MST"},
}

// timeFormat takes a pattern such as yyyy-MM-dd.
func timeFormat(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if k := self.Kind(); len(a) == 0 || k == value.KindDate || k == value.KindTimestamp {
		return value.Null, m.NoMethod(self, "format", a) // Groovy's for dates is no part of the server
	}
	pattern, t := m.String(a[0]), self.Time()
	var b strings.Builder
	for pattern != "" {
		if err := m.Step(); err != nil {
			return value.Null, err
		}
		if pattern[0] == '\'' {
			text, rest, _ := strings.Cut(pattern[1:], "'")
			b.WriteString(text)
			pattern = rest
			continue
		}
		pattern = writeTime(&b, t, pattern)
	}
	return m.Text(b.String())
}

// writeTime writes what the pattern begins with and returns the rest.
func writeTime(b *strings.Builder, t time.Time, pattern string) string {
	for _, l := range layouts {
		if rest, ok := strings.CutPrefix(pattern, l.java); ok {
			if l.java == "SSS" {
				b.WriteString(t.Format(".000")[1:])
			} else {
				b.WriteString(t.Format(l.layout))
			}
			return rest
		}
	}
	b.WriteByte(pattern[0])
	return pattern[1:]
}

// FloorDivision divides towards minus infinity; the rest is never negative.
func FloorDivision(x, y int64) (q, r int64) {
	if y == -1 {
		return -x, 0 // the smallest number wraps around
	}
	q, r = x/y, x%y
	if r != 0 && (r < 0) != (y < 0) {
		return q - 1, r + y
	}
	return q, r
}
