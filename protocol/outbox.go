package protocol

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// writeChunk bounds one write to the socket, so that progress can be seen.
const writeChunk = 64 << 10

// keepBuffer is the largest buffer that a connection keeps for reuse.
const keepBuffer = 256 << 10

// outbox is a net.Conn whose Write only appends; Flush sends what is pending. Whoever
// flushes first writes for all, so that frames finished meanwhile leave in one call.
type outbox struct {
	net.Conn
	mu      sync.Mutex
	changed sync.Cond
	pending []byte
	spare   []byte
	writing bool
	err     error
	// since is when the running write began, in nanoseconds; 0 when none runs.
	since atomic.Int64
}

func newOutbox(c net.Conn) *outbox {
	o := &outbox{Conn: c}
	o.changed.L = &o.mu
	return o
}

// Write appends p to what is pending.
func (o *outbox) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	o.pending = append(o.pending, p...)
	return len(p), nil
}

// Read sends what is pending before it may wait for more.
func (o *outbox) Read(p []byte) (int, error) {
	o.Flush()
	return o.Conn.Read(p)
}

// SetWriteDeadline does nothing: Write never blocks, and the janitor watches Flush.
func (o *outbox) SetWriteDeadline(time.Time) error { return nil }

// Flush writes what is pending, unless somebody else does so already.
func (o *outbox) Flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.writing {
		return
	}
	o.writing = true
	for len(o.pending) > 0 && o.err == nil {
		buf := o.pending
		o.pending = o.spare[:0]
		o.spare = nil
		o.mu.Unlock()
		err := o.send(buf)
		o.mu.Lock()
		if cap(buf) <= keepBuffer {
			o.spare = buf[:0]
		}
		if err != nil && o.err == nil {
			o.err = err
		}
		o.changed.Broadcast()
	}
	o.writing = false
	o.changed.Broadcast()
}

func (o *outbox) send(buf []byte) error {
	for len(buf) > 0 {
		n := min(len(buf), writeChunk)
		o.since.Store(time.Now().UnixNano())
		_, err := o.Conn.Write(buf[:n])
		o.since.Store(0)
		if err != nil {
			return err
		}
		buf = buf[n:]
	}
	return nil
}

// stalled reports whether the running write has made no progress for d.
func (o *outbox) stalled(now time.Time, d time.Duration) bool {
	since := o.since.Load()
	return since != 0 && now.UnixNano()-since > int64(d)
}

// WaitRoom waits until no more than max bytes are pending, the connection is broken or
// stop returns true; wake ends a wait.
func (o *outbox) WaitRoom(max int, stop func() bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.pending) > max && o.err == nil && !stop() {
		o.changed.Wait()
	}
}

func (o *outbox) wake() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changed.Broadcast()
}

// pendingBytes is how much waits to be sent.
func (o *outbox) pendingBytes() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.pending)
}

// fail makes every later Write fail and wakes who waits.
func (o *outbox) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	o.changed.Broadcast()
}
