package machine

import (
	"time"

	"github.com/gremlind/gremlind/storage/value"
)

// IsTime reports whether a kind holds a time.Time.
func IsTime(k value.Kind) bool {
	switch k {
	case value.KindDate, value.KindTimestamp, value.KindInstant, value.KindOffsetDateTime, value.KindZonedDateTime, value.KindLocalDateTime, value.KindLocalDate:
		return true
	}
	return false
}

// TimeLike makes a value of the kind of another.
func TimeLike(k value.Kind, t time.Time) value.Value {
	switch k {
	case value.KindTimestamp:
		return value.Timestamp(t)
	case value.KindInstant:
		return value.Instant(t)
	case value.KindOffsetDateTime:
		return value.OffsetDateTime(t)
	case value.KindZonedDateTime:
		return value.ZonedDateTime(t)
	case value.KindLocalDateTime:
		return value.LocalDateTime(t)
	case value.KindLocalDate:
		return value.LocalDate(t)
	}
	return value.Date(t)
}
