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
