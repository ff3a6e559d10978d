//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Own is the processor time of this process, the system's on its behalf included; 0
// when it is not known.
func Own() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
