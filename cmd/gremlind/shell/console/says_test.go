package console

import (
	"strings"
	"testing"
	"time"
)

// TestShort: how long something took has few digits, whatever the unit.
func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.00 ms", 1500 * time.Microsecond: "1.50 ms", 10*time.Millisecond - 10*time.Microsecond: "9.99 ms",
		10 * time.Millisecond: "10 ms", 10*time.Millisecond + 400*time.Microsecond: "10 ms", 999 * time.Millisecond: "999 ms",
		time.Second: "1.00 s", 59 * time.Second: "59.00 s", time.Minute: "1m0s", 90*time.Minute + 300*time.Millisecond: "1h30m0s",
	} {
		if got := short(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int64]string{0: "0 results", 1: "1 result", 2: "2 results"} {
		if got := counted(n); got != want {
			t.Error(got)
		}
	}
}

// TestSay: what is said without arguments is no format.
func TestSay(t *testing.T) {
	var b strings.Builder
	c := &Console{o: Options{Out: &b, Err: &b}}
	c.say("100%d of it")
	c.say("%d%% of it", 100)
	if b.String() != "100%d of it\n100% of it\n" {
		t.Errorf("%q", b.String())
	}
}
