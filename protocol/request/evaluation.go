package request

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/traversal"
)

// HandoverAfter is how long a request may keep its connection from being read: whoever
// reads evaluates it, and after that somebody else goes on reading.
const HandoverAfter = time.Millisecond

// lazyTimeout is the shortest timeout that can wait for the handover to be armed.
const lazyTimeout = 10 * HandoverAfter

// turnAfter is how long an evaluation goes on before others come to their turn, when all
// processors have work. The runtime gives each 10 ms: behind twenty long requests of a crowd
// somebody who asks little would wait for a tenth of a second, each time he is woken.
const turnAfter = time.Millisecond

// evaluation is the context of one evaluation: it ends with its parent, at the
// evaluation timeout and when somebody stops it. Most evaluations are over before
// anybody waits for their end, so what that takes is made when it is asked for.
type evaluation struct {
	task    *Task
	parent  context.Context
	began   time.Time
	timeout time.Duration

	mu     sync.Mutex // guards what follows, but for loads of waited
	waited atomic.Pointer[waited]
	over   bool
}

// waited is a context that can be waited for.
type waited struct {
	context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	turn   atomic.Int64 // when the last began, in nanoseconds since the evaluation did
}

var (
	_ traversal.Idler    = (*evaluation)(nil)
	_ contract.Shortener = (*evaluation)(nil)
)

// Idle calls wait while the request needs no slot.
func (e *evaluation) Idle(wait func()) { e.task.desk.Idle(e.task, wait) }

// begin starts an evaluation that nobody waits for yet. Until arm or something that
// needs a channel is called, the timeout does not end it.
func (e *evaluation) begin(parent context.Context, now time.Time, timeout time.Duration) {
	e.parent, e.began, e.timeout, e.over = parent, now, timeout, false
	e.waited.Store(nil)
}

// arm lets the timeout end the evaluation.
func (e *evaluation) arm() { e.wait() }

func (e *evaluation) wait() *waited {
	if w := e.waited.Load(); w != nil {
		return w
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if w := e.waited.Load(); w != nil {
		return w
	}
	w := &waited{}
	w.Context, w.cancel = context.WithCancelCause(e.parent)
	if e.over {
		w.cancel(nil)
	} else {
		w.timer = time.AfterFunc(time.Until(e.began.Add(e.timeout)), func() { w.cancel(answer.ErrEvaluationTimeout) })
	}
	e.waited.Store(w)
	return w
}

// stop ends the evaluation; it does nothing when it has ended already.
func (e *evaluation) stop(cause error) { e.wait().cancel(cause) }

// finish says that the evaluation is over. It reports whether anybody could have waited.
func (e *evaluation) finish() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	w := e.waited.Load()
	if w == nil {
		return false
	}
	if w.timer != nil {
		w.timer.Stop()
	}
	w.cancel(nil)
	return true
}

// Deadline implements context.Context: what waits for long can answer in time.
func (e *evaluation) Deadline() (time.Time, bool) {
	end := e.began.Add(e.timeout)
	if d, ok := e.parent.Deadline(); ok && d.Before(end) {
		return d, true
	}
	return end, true
}

// Shorten implements contract.Shortener.
func (e *evaluation) Shorten(d time.Duration, setting string) {
	e.mu.Lock()
	if d >= e.timeout {
		e.mu.Unlock()
		return
	}
	e.timeout, e.task.timeout, e.task.timeoutOf = d, d, setting
	if w := e.waited.Load(); w != nil && w.timer != nil {
		w.timer.Reset(time.Until(e.began.Add(d)))
	}
	e.mu.Unlock()
	if d < lazyTimeout {
		e.arm()
	}
}

// Done implements context.Context.
func (e *evaluation) Done() <-chan struct{} { return e.wait().Done() }

// Err implements context.Context. Everything that takes long asks it again and again, so
// this is where others are let past.
func (e *evaluation) Err() error {
	if w := e.waited.Load(); w != nil {
		if time.Since(e.began)-time.Duration(w.turn.Load()) > turnAfter {
			runtime.Gosched()
			w.turn.Store(int64(time.Since(e.began)))
		}
		return w.Err()
	}
	return e.parent.Err()
}

// Value implements context.Context.
func (e *evaluation) Value(key any) any { return e.wait().Value(key) }
