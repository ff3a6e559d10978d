package main

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

var errRange = errors.New("out of range")

// wholeNumber reads 8 or 1_000.
func wholeNumber(text string, most int64) (int64, error) {
	n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	if err == nil && (n < 0 || n > most) {
		err = errRange
	}
	return n, err
}

// sizes are the units of bytes, in lower case.
var sizes = map[string]float64{
	"b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// readSize reads bytes: a plain number, or one with a unit: 512MiB, 1.5 GB.
func readSize(text string, most int64) (int64, error) {
	number, unit := splitUnit(text)
	if unit == "" {
		return wholeNumber(text, most)
	}
	factor, ok := sizes[strings.ToLower(unit)]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil {
		return 0, errors.New("want bytes, or a number with kB, MB, GB, TB, KiB, MiB, GiB or TiB")
	}
	n = math.Round(n * factor)
	if n < 0 || n >= math.MaxInt64 || n > float64(most) {
		return 0, errRange
	}
	return int64(n), nil
}

// splitUnit cuts 512MiB behind its digits.
func splitUnit(text string) (number, unit string) {
	i := strings.LastIndexAny(text, "0123456789_.") + 1
	return strings.ReplaceAll(strings.TrimSpace(text[:i]), "_", ""), strings.TrimSpace(text[i:])
}

// readDuration reads milliseconds: a plain number, or one with units: 30s, 5m, 1h30m.
func readDuration(text string) (time.Duration, error) {
	if _, unit := splitUnit(text); unit == "" {
		ms, err := wholeNumber(text, math.MaxInt64/int64(time.Millisecond))
		return time.Duration(ms) * time.Millisecond, err
	}
	d, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	switch {
	case err != nil:
		return 0, errors.New("want milliseconds, or a number with ms, s, m or h")
	case d < 0 || d%time.Millisecond != 0:
		return 0, errRange
	}
	return d, nil
}
