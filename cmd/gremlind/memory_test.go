package main

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestTuneCollector: garbage may be half of what is in use, unless GOGC says how much.
func TestTuneCollector(t *testing.T) {
	const other = 123
	before := debug.SetGCPercent(other)
	defer debug.SetGCPercent(before)
	t.Setenv("GOGC", "77")
	tuneCollector()
	if got := debug.SetGCPercent(other); got != other {
		t.Errorf("against GOGC it is %d", got)
	}
	os.Unsetenv("GOGC")
	tuneCollector()
	if got := debug.SetGCPercent(other); got != 50 {
		t.Errorf("it is %d", got)
	}
}

// TestLoadPercentOf: garbage of 40 MiB may gather in a load, never more than half of what is in
// use and always a tenth of it.
func TestLoadPercentOf(t *testing.T) {
	for inUse, want := range map[uint64]int{0: 50, 4 << 20: 50, 80 << 20: 50, 160 << 20: 25, 400 << 20: 10, 8 << 30: 10} {
		if got := loadPercentOf(inUse); got != want {
			t.Errorf("%d MiB: %d%%, want %d", inUse>>20, got, want)
		}
	}
}
