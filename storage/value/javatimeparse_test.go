package value_test

import (
	"testing"
	"time"

	"github.com/gremlind/gremlind/storage/value"
)

// Texts that JavaString prints, and package time does not read: why there is a reader.
func TestParseTime_BeyondTime(t *testing.T) {
	for _, v := range []value.Value{
		value.LocalDate(time.Date(12345, 1, 1, 0, 0, 0, 0, time.UTC)), value.LocalDate(time.Date(-44, 3, 15, 0, 0, 0, 0, time.UTC)),
		value.Instant(time.Date(12345, 1, 1, 2, 3, 4, 5, time.UTC)), value.Duration{Seconds: 3723}.Value(),
	} {
		text := v.JavaString()
		if got, err := value.ParseTime(v.Kind(), text); err != nil || !value.Identical(got, v) {
			t.Errorf("%s: %s, %v", text, got.JavaString(), err)
		}
		for _, layout := range []string{time.DateOnly, time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
			if at, err := time.Parse(layout, text); err == nil {
				t.Errorf("%s reads %s as %v", layout, text, at)
			}
		}
		if d, err := time.ParseDuration(text); err == nil {
			t.Errorf("package time reads %s as %v", text, d)
		}
	}
}
