package blueprints_test

import (
	"syscall"
	"time"
)

// pause waits until then, to some microseconds: time.Sleep may take a millisecond more.
func pause(until time.Time) {
	for left := time.Until(until); left > 0; left = time.Until(until) {
		t := syscall.NsecToTimespec(int64(left))
		_ = syscall.Nanosleep(&t, nil) // who is woken before sleeps again
	}
}
