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
	due    atomic.Int64  // since epoch: until then nobody passes
	commit *atomic.Int64 // when somebody committed last, since epoch; nil: it does not matter
}

var epoch = time.Now()

// Beside somebody who commits, tables are written for restEach, and then not for as long, even if a
// processor is free: what waits for a commit's answer is another process, of which Go knows nothing,
// and so does who answers for it in a moment. Who has not committed for besideFor is gone.
const (
	restEach  = time.Millisecond
	besideFor = 20 * time.Millisecond
)

// pass lets others run. As long as it took until they left off, it does not do so again: whoever
// writes tables has half of the time, however many others there are, for they wait for tables in
// the end.
func (t *turns) pass() {
	before := time.Since(epoch)
	if int64(before) < t.due.Load() {
		return
	}
	if t.commit != nil && int64(before-besideFor) < t.commit.Load() {
		time.Sleep(restEach)
		t.due.Store(int64(time.Since(epoch) + restEach))
		return
	}
	runtime.Gosched()
	after := time.Since(epoch)
	t.due.Store(int64(2*after - before))
}
