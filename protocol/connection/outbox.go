package connection

import (
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/storage/account"
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
	size    atomic.Int64 // of pending, for who has not got mu
	spare   []byte
	account *account.Account // charged for pending beyond freePending
	charged int64
	writing bool
	err     error
	now     *nowWriter // nil but for a socket on Unix
	sent    func()     // called by Read after it has sent something; may be nil
	// writes counts beginnings and ends of writes: it is odd while one runs. seen and
	// seenAt are of the first look at the last count that stalled saw.
	writes atomic.Uint64
	seen   uint64
	seenAt time.Time
}

func newOutbox(c net.Conn) *outbox {
	o := &outbox{Conn: c, now: newNowWriter(c)}
	o.changed.L = &o.mu
	return o
}

// freePending is how many bytes may wait on a connection for nothing.
const freePending = 16 << 10

// reserve charges a frame of n bytes that is about to be written.
func (o *outbox) reserve(n int) error {
	if o.pendingBytes()+n <= freePending {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return nil // Write says so
	}
	if err := o.account.Charge(int64(n)); err != nil {
		return err
	}
	o.charged += int64(n)
	return nil
}

// belong has another account charged from now on; nil when the connection has ended.
func (o *outbox) belong(a *account.Account) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.account.Release(o.charged)
	if o.account = a; a == nil || a.Charge(o.charged) != nil {
		o.charged = 0
	}
}

// Write appends p to what is pending.
func (o *outbox) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	o.pending = append(o.pending, p...)
	o.size.Store(int64(len(o.pending)))
	return len(p), nil
}

// Read sends what is pending before it may wait for more.
func (o *outbox) Read(p []byte) (int, error) {
	sends := o.pendingBytes() > 0
	o.Flush()
	if sends && o.sent != nil {
		o.sent()
	}
	return o.Conn.Read(p)
}

// SetWriteDeadline does nothing: Write never blocks, and the janitor watches Flush.
func (o *outbox) SetWriteDeadline(time.Time) error { return nil }

// Flush writes what is pending, unless somebody else does so already.
func (o *outbox) Flush() { o.flush(o.send) }

// FlushNow writes what can be written without waiting. It is false when that is not
// all: then somebody must Flush.
func (o *outbox) FlushNow() bool {
	if o.now == nil {
		return o.pendingBytes() == 0
	}
	return o.flush(o.now.send)
}

// flush writes with send until it takes less than it was given; then it is false.
func (o *outbox) flush(send func([]byte) (int, error)) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.writing {
		return true
	}
	all := true
	o.writing = true
	for all && len(o.pending) > 0 && o.err == nil {
		buf, charged := o.pending, o.charged
		o.pending, o.spare = o.spare[:0], nil
		o.size.Store(0)
		o.mu.Unlock()
		n, err := send(buf)
		o.mu.Lock()
		if all = n == len(buf) || err != nil; !all {
			o.pending, buf = append(append([]byte(nil), buf[n:]...), o.pending...), o.pending
			o.size.Store(int64(len(o.pending)))
		} else if charged = min(charged, o.charged); charged > 0 {
			o.account.Release(charged)
			o.charged -= charged
		}
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
	return all
}

func (o *outbox) send(buf []byte) (sent int, err error) {
	for sent < len(buf) && err == nil {
		var n int
		o.writes.Add(1)
		n, err = o.Conn.Write(buf[sent:min(sent+writeChunk, len(buf))])
		o.writes.Add(1)
		sent += n
	}
	return sent, err
}

// stalled reports whether the running write has made no progress for d, as far as
// earlier looks tell. One goroutine looks.
func (o *outbox) stalled(now time.Time, d time.Duration) bool {
	if writes := o.writes.Load(); writes != o.seen || writes%2 == 0 {
		o.seen, o.seenAt = writes, now
		return false
	}
	return now.Sub(o.seenAt) > d
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

// trim gives back the buffer that is kept for reuse.
func (o *outbox) trim() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if cap(o.spare) > freePending {
		o.spare = nil
	}
}

func (o *outbox) wake() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changed.Broadcast()
}

// pendingBytes is how much waits to be sent.
func (o *outbox) pendingBytes() int { return int(o.size.Load()) }

// fail makes every later Write fail and wakes who waits.
func (o *outbox) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	o.changed.Broadcast()
}
