package pebble

import (
	"runtime"
	"sync/atomic"
	"time"
)

// turns has whoever writes tables, which flushes and compactions do for seconds, pass the processor
// to others now and then: behind each block, some hundred microseconds of work. Go itself takes it
// from them after 10 ms only, and a commit waits for a processor several times.
type turns struct {
	due atomic.Int64 // since epoch: until then nobody passes
}

var epoch = time.Now()

// pass lets others run. As long as it took until they left off, it does not do so again: whoever
// writes tables has half of the time, however many others there are, for they wait for tables in
// the end.
func (t *turns) pass() {
	before := time.Since(epoch)
	if int64(before) < t.due.Load() {
		return
	}
	runtime.Gosched()
	after := time.Since(epoch)
	t.due.Store(int64(2*after - before))
}
