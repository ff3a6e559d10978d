package classes

import (
	"math"
	"time"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
)

const (
	dateParseException = "java.time.format.DateTimeParseException"
	durationSecondsMax = math.MaxInt64 / 1000
)

// timeStatics are the static methods of java.time's classes.
func timeStatics() machine.Methods {
	now := func(make func(time.Time) value.Value) machine.Method {
		return machine.Method{0, 1, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return make(time.Now().UTC()), nil
		}}
	}
	out := machine.Methods{
		"LocalDate.now": now(value.LocalDate), "LocalDateTime.now": now(value.LocalDateTime), "ZonedDateTime.now": now(value.ZonedDateTime),
		"LocalDate.of": {3, 3, dateOf(value.LocalDate)}, "LocalDateTime.of": {5, 7, dateOf(value.LocalDateTime)},
		"LocalDate.parse":     {1, 1, timeParse("2006-01-02", value.LocalDate)},
		"LocalDateTime.parse": {1, 1, timeParse("2006-01-02T15:04:05", value.LocalDateTime)},
		"Instant.parse":       {1, 1, timeParse(time.RFC3339, value.Instant)},
		"LocalDate.ofEpochDay": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.LocalDate(time.Unix(86400*(value.AsInt64(a[0])%methods.ShiftMax), 0).UTC()), nil
		}},
		"Instant.ofEpochMilli": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Instant(time.UnixMilli(value.AsInt64(a[0]))), nil
		}},
		"Instant.ofEpochSecond": {1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Instant(time.Unix(value.AsInt64(a[0]), 0)), nil
		}},
		"Duration.between": {2, 2, durationBetween},
	}
	for name, seconds := range map[string]int64{"Days": 86400, "Hours": 3600, "Minutes": 60, "Seconds": 1} {
		out["Duration.of"+name] = machine.Method{1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			n := value.AsInt64(a[0])
			if n > durationSecondsMax/seconds || n < -durationSecondsMax/seconds {
				return value.Null, machine.Fail(machine.ArithmeticException, "long overflow")
			}
			return value.Duration{Seconds: n * seconds}.Value(), nil
		}}
	}
	out["Duration.ofMillis"] = machine.Method{1, 1, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
		s, ms := methods.FloorDivision(value.AsInt64(a[0]), 1000)
		return value.Duration{Seconds: s, Nanos: int32(ms) * 1_000_000}.Value(), nil
	}}
	return out
}

func dateOf(make func(time.Time) value.Value) methods.Call {
	return func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
		parts := [7]int{}
		for i, v := range a {
			n := value.AsInt64(v)
			if !v.Kind().IsNumber() || n < -methods.ShiftMax || n > methods.ShiftMax {
				return value.Null, machine.Fail(methods.DateTimeException, "%s is no part of a date", m.String(v))
			}
			parts[i] = int(n)
		}
		t := time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], parts[6], time.UTC)
		if int(t.Month()) != parts[1] || t.Day() != parts[2] || t.Hour() != parts[3] || t.Minute() != parts[4] {
			return value.Null, machine.Fail(methods.DateTimeException, "Invalid date")
		}
		return make(t), nil
	}
}

func timeParse(layout string, make func(time.Time) value.Value) methods.Call {
	return func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
		s := m.String(a[0])
		t, err := time.Parse(layout, s)
		if err != nil {
			return value.Null, machine.Fail(dateParseException, "Text '%s' could not be parsed", machine.Clip(s))
		}
		return make(t), nil
	}
}

func durationBetween(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
	if !machine.IsTime(a[0].Kind()) || !machine.IsTime(a[1].Kind()) {
		return value.Null, m.NoMethod(machine.Wrap(&Class{"java.time.Duration"}), "between", a)
	}
	x, y := a[0].Time(), a[1].Time()
	seconds, nanos := y.Unix()-x.Unix(), y.Nanosecond()-x.Nanosecond()
	if nanos < 0 {
		seconds, nanos = seconds-1, nanos+1_000_000_000
	}
	return value.Duration{Seconds: seconds, Nanos: int32(nanos)}.Value(), nil
}

// durationMethods are those of java.time.Duration.
func durationMethods() machine.Methods {
	in := func(unit int64) machine.Method {
		return machine.Method{0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Long(self.Duration().Seconds / unit), nil
		}}
	}
	return machine.Methods{
		"toDays": in(86400), "toHours": in(3600), "toMinutes": in(60), "getSeconds": in(1), "toSeconds": in(1),
		"toMillis": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			d := self.Duration()
			return value.Long(d.Seconds*1000 + int64(d.Nanos)/1_000_000), nil
		}},
	}
}
