package lang

import (
	"strings"
	"testing"
	"time"
)

// TestDateTime reads times at the bounds of what they may be; what is empty is an error.
func TestDateTime(t *testing.T) {
	for text, want := range map[string]string{
		"2024-02":                         "2024-02-01T00:00:00Z",
		"2024-2":                          "2024-02-01T00:00:00Z",
		"2024-02-29":                      "2024-02-29T00:00:00Z",
		"+2024-02-29":                     "2024-02-29T00:00:00Z",
		"+12345-01-01":                    "12345-01-01T00:00:00Z",
		"2023-02-31":                      "2023-02-28T00:00:00Z",
		"2024-12-31T23:59:59Z":            "2024-12-31T23:59:59Z",
		"2024-12-31T23:59":                "2024-12-31T23:59:00Z",
		"2024-12-31T24:00":                "2025-01-01T00:00:00Z",
		"2024-01-01t00:00:00.1z":          "2024-01-01T00:00:00.1Z",
		"2024-01-01T00:00:00.123456789Z":  "2024-01-01T00:00:00.123456789Z",
		"2024-01-01T12:00:00+18:00":       "2024-01-01T12:00:00+18:00",
		"2024-01-01T12:00:00-0130":        "2024-01-01T12:00:00-01:30",
		"2024-01-01T12:00:00+01:59:59":    "",
		"2024-01-01T12:00:00+18:00:01":    "",
		"2024-01-01T12:00:00+01:60":       "",
		"2024-01-01T12:60:00":             "",
		"2024-01-01T12:00:60":             "",
		"2024-01-01T24:00:01":             "",
		"2024-01-01T24:01":                "",
		"2024-01-01T25:00":                "",
		"2024-01-01T1:00":                 "",
		"2024-01-01T12":                   "",
		"2024-01-01T12:00Zx":              "",
		"2024-01-01T00:00:00.1234567890Z": "",
		"2024-02T12:00":                   "",
		"12345-01-01":                     "",
		"2024":                            "",
		"2024-00":                         "",
		"2024-13-01":                      "",
		"2024-01-00":                      "",
		"2024-01-32":                      "",
		"2024-01-01-01":                   "",
		"2024-1-01":                       "",
		"-":                               "",
		"":                                "",
	} {
		at, err := DateTime(text)
		if text == "2024-01-01T12:00:00+01:59:59" { // Go's text has no seconds of a zone
			_, zone := at.Zone()
			if err != nil || zone != 2*3600-1 {
				t.Errorf("%s: a zone of %d seconds, %v", text, zone, err)
			}
			continue
		}
		if want == "" && err == nil || want != "" && (err != nil || at.Format(time.RFC3339Nano) != want) {
			t.Errorf("%s: %s, %v, want %q", text, at.Format(time.RFC3339Nano), err, want)
		}
	}
	if at, err := DateTime("-0044-03-15"); err != nil || at.Year() != -44 {
		t.Errorf("before the common era: %v, %v", at, err)
	}
	for _, n := range []int{64, 65} {
		_, err := DateTime(strings.Repeat("1", n))
		if shown := err != nil && strings.Contains(err.Error(), strings.Repeat("1", 64)); shown != (n == 64) {
			t.Errorf("%d digits: %v", n, err)
		}
	}
}

// Texts that the reference reads, and no layout of package time does: why there is a reader.
func TestDateTime_BeyondTime(t *testing.T) {
	for _, text := range []string{"+12345-01-01", "-0044-03-15", "2023-02-31", "2024-12-31T24:00", "2024-01-01t00:00:00.1z"} {
		if _, err := DateTime(text); err != nil {
			t.Error(err)
		}
		for _, date := range []string{"2006-01-02", "2006-1", "2006-01"} {
			for _, clock := range []string{"", "T15:04", "T15:04:05", "T15:04:05Z07:00", "T15:04:05Z0700", "T15:04:05Z07:00:00"} {
				if at, err := time.Parse(date+clock, text); err == nil {
					t.Errorf("%s reads %s as %v", date+clock, text, at)
				}
			}
		}
	}
}

// TestIntegerRange_Limit: as in the reference, a range may hold one item more than its
// limit.
func TestIntegerRange_Limit(t *testing.T) {
	for _, x := range []struct {
		start, end int32
		items      int
	}{{0, 9, 10}, {0, 10, 11}, {0, 11, 0}, {9, 0, 10}, {10, 0, 11}, {11, 0, 0}, {5, 5, 1}, {-1 << 31, 1<<31 - 1, 0}, {1<<31 - 1, -1 << 31, 0}} {
		v, err := IntegerRange(nil, x.start, x.end, 10)
		if x.items == 0 {
			if err == nil || !strings.Contains(err.Error(), "Current limit is 10 items") {
				t.Errorf("%d..%d: %v", x.start, x.end, err)
			}
			continue
		}
		if err != nil || len(v.Elems()) != x.items || v.Elems()[0].Int64() != int64(x.start) || v.Elems()[x.items-1].Int64() != int64(x.end) {
			t.Errorf("%d..%d: %s, %v", x.start, x.end, v.JavaString(), err)
		}
	}
}
