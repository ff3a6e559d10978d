package steps

import (
	"time"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// asDate() turns ISO 8601 texts and milliseconds since 1970 into dates.
//
//	inject("2024-02-03T10:11:12+01:00").asDate()  inject(1694017707000).asDate()
var asDateSpec = step.Mapped(traversal.Spec{
	Name: "asDate", Class: "AsDateStep", Doc: "Turns objects into dates.",
}, func(*traversal.Node, *traversal.Run) (traversal.Func, error) {
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		v, err := asDate(t.Value)
		return v, err == nil, err
	}, nil
})

func asDate(v value.Value) (value.Value, error) {
	if at, ok := dateOf(v); ok {
		return value.OffsetDateTime(at), nil
	}
	switch v.Kind() {
	case value.KindNull:
		return v, step.IllegalArgument("Can't parse null as OffsetDateTime.")
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return value.OffsetDateTime(time.UnixMilli(v.Int64()).UTC()), nil
	case value.KindBigInteger:
		if v.BigInt().IsInt64() {
			return value.OffsetDateTime(time.UnixMilli(v.BigInt().Int64()).UTC()), nil
		}
		return value.Null, step.IllegalArgument("Can't parse %s as OffsetDateTime.", v.Brief())
	case value.KindString:
		at, err := lang.DateTime(v.Str())
		if err != nil {
			return value.Null, step.IllegalArgument("Can't parse %s as OffsetDateTime.", v.Brief())
		}
		return value.OffsetDateTime(at), nil
	}
	return value.Null, step.IllegalArgument("Can't parse %s as OffsetDateTime.", value.JavaClass(v))
}

// dateOf returns the instant of a date, with its offset.
func dateOf(v value.Value) (time.Time, bool) {
	switch v.Kind() {
	case value.KindOffsetDateTime:
		return v.Time(), true
	case value.KindDate, value.KindTimestamp:
		return v.Time().UTC(), true
	}
	return time.Time{}, false
}
