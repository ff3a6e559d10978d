package pebble

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// turns has whoever writes tables, which flushes and compactions do for seconds, pass the processor
// to others now and then: behind each block, some hundred microseconds of work. Go itself takes it
// from them after 10 ms only, and a commit waits for a processor several times.
type turns struct {
	due     atomic.Int64 // since epoch: until then nobody passes
	resting atomic.Int32 // who rests now
	beside  *beside      // nil: whoever commits does not matter
}

// beside is what is known of those who commit.
type beside struct {
	last    atomic.Int64  // when somebody did, since epoch
	calm    atomic.Bool   // they write so little that there is time
	late    atomic.Bool   // what they wrote waits to be written to tables
	flushed time.Duration // when a table in memory was written, since epoch
}

var epoch = time.Now()

// Beside somebody who commits, tables are written for restEach, and then not for as long, even if a
// processor is free: what waits for a commit's answer is another process, of which Go knows nothing,
// and so does who answers for it in a moment. Where there is time it is three times as long. A flush
// and a compaction, which rest at the same time, divide restEach, unless tables wait. Who has not
// committed for besideFor is gone.
const (
	restEach  = time.Millisecond
	restCalm  = 3 * restEach
	besideFor = 20 * time.Millisecond
)

// There is time while no more than calmRate bytes a second go from memory to tables, of the 10 to 20 MB
// that a quarter of one processor writes, compactions included; and while no more than calmLevels
// tables lie over each other (writes stop at L0StopWritesThreshold), nor two tables in memory wait.
const (
	calmRate   = 6 << 20
	calmLevels = 12
)

// wrote notes that so much was written from memory to tables. Pebble does that once at a time.
func (b *beside) wrote(bytes uint64) {
	now := time.Since(epoch)
	b.calm.Store(float64(bytes) <= calmRate*(now-b.flushed).Seconds())
	b.flushed = now
}

// look takes the calm back where tables wait.
func (b *beside) look(m *pebble.Metrics, memTable int64) {
	late := int64(m.MemTable.Size) > 2*memTable || m.Levels[0].Sublevels > calmLevels
	b.late.Store(late)
	if late {
		b.calm.Store(false)
	}
}

func (b *beside) rest() time.Duration {
	if b.calm.Load() {
		return restCalm
	}
	return restEach
}

// work is how long one of some who write tables at once does so.
func (b *beside) work(writers int32) time.Duration {
	if b.late.Load() {
		return restEach
	}
	return restEach / time.Duration(writers)
}

// pass lets others run. As long as it took until they left off, it does not do so again: whoever
// writes tables has half of the time, however many others there are, for they wait for tables in
// the end.
func (t *turns) pass() {
	before := time.Since(epoch)
	if int64(before) < t.due.Load() {
		return
	}
	if t.beside != nil && int64(before-besideFor) < t.beside.last.Load() {
		writers := t.resting.Add(1)
		time.Sleep(t.beside.rest())
		t.resting.Add(-1)
		t.due.Store(int64(time.Since(epoch) + t.beside.work(writers)))
		return
	}
	runtime.Gosched()
	after := time.Since(epoch)
	t.due.Store(int64(2*after - before))
}
