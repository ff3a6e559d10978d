package account

import (
	"runtime"
	"time"
)

// cleanupsWithin is how long the cleanups of what was collected may take.
const cleanupsWithin = 10 * time.Millisecond

// Collect runs the garbage collector and the cleanups of what it found, some of which give
// back what an account was charged for. It takes milliseconds: for when there is no room,
// and much was charged since.
func Collect() {
	ran := make(chan struct{})
	runtime.AddCleanup(new([64]byte), func(c chan struct{}) { close(c) }, ran)
	runtime.GC()
	select {
	case <-ran: // and those of the same collection with it, or soon
	case <-time.After(cleanupsWithin):
	}
}
