package protocol

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// reruns is how often an auto-commit request that lost a conflict is run again, and
// aloneAfter how many losses it takes to run it alone.
const (
	reruns     = 5
	aloneAfter = 2
)

// keepProperties is how many properties of a vertex a task has room for, for the next
// request.
const keepProperties = 16

// keepReply is how much memory for answers a task keeps for the next request, in bytes.
const keepReply = 16 << 10

// task is one request on its way through the server. One goroutine owns it at a time.
type task struct {
	srv      *Server
	conn     *conn // nil for HTTP
	holder   *holder
	req      *message.Request
	codec    message.Codec
	text     bool // answer in text frames
	identity *traversal.Identity
	remote   string

	request   message.Request // of a known form
	form      *form           // nil when the request was decoded
	constants [4]value.Value  // room

	query   Query
	session string
	managed bool
	batch   int
	timeout time.Duration
	tokens  bool
	plain   bool // elements with null properties, for old drivers

	reply    reply
	received time.Time
	started  atomic.Int64 // nanoseconds; 0 while it waits
	eval     evaluation
	wire     account.Account // what the request takes until it is answered
	size     int             // of its message, in bytes
	account  account.Account // what its evaluation keeps
	results  []value.Bulked  // scratch
	vertex   value.Element   // room
	turn     uint64          // in which the goroutine that reads evaluates it; 0 for others

	// What is left to do when its commit ends without anybody waiting; see answers.go.
	work      Work
	outcome   error
	committed func(error) // t.commitEnded; made once
	grouped   bool        // whoever answers it sends the frames of several
	slotted   bool        // it holds a slot of those that evaluate
}

// tasks are reusable ones.
var tasks sync.Pool

func newTask() *task {
	if t, ok := tasks.Get().(*task); ok {
		return t
	}
	t := &task{}
	t.committed = t.commitEnded
	return t
}

// reusable makes a task that was answered ready for another request. It is false when
// somebody may refer to it.
func (t *task) reusable() bool {
	if t.eval.waited.Load() != nil { // somebody may hold its context
		return false
	}
	items, frames, results, vertex, committed := t.reply.items, t.reply.frames, t.results, t.vertex, t.committed
	vertex.Forget(keepProperties)
	*t = task{} // by itself, or it is made elsewhere and copied
	t.results, t.vertex, t.committed = traversal.Kept(results), vertex, committed
	if cap(items)+cap(frames) <= keepReply {
		t.reply.items, t.reply.frames = items[:0], frames[:0]
	}
	return true
}

func (t *task) id() string { return t.req.ID.String() }

func (t *task) isBytecode() bool { return t.query.IsBytecode() }

// summary is the query as logs and status lists show it.
func (t *task) summary() string {
	if t.isBytecode() {
		return t.query.Code().Value().Brief()
	}
	return value.Brief(t.query.Script)
}

func (t *task) timeoutText() string {
	if t.isBytecode() {
		return fmt.Sprintf("A timeout occurred during traversal evaluation of [RequestMessage{, requestId=%s, op='%s', processor='%s', args={gremlin=%s}}] - consider increasing the limit given to evaluationTimeout",
			t.id(), t.req.Op, t.req.Processor, t.summary())
	}
	return fmt.Sprintf("Evaluation exceeded the configured 'evaluationTimeout' threshold of %d ms or evaluation was otherwise cancelled directly for request [%s]",
		t.timeout.Milliseconds(), value.Brief(t.query.Script))
}

// guarded calls f and turns a panic into an error, which is a bug but must not take
// the server down.
func (t *task) guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			t.srv.metrics.panics.Inc()
			t.srv.log.Error("request panicked", "request", t.id(), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = &StatusError{Code: statusServerError, Message: "internal error, logged under request " + t.id(), Class: classIllegalState}
		}
	}()
	return f()
}

// begin starts the evaluation and returns its context.
func (t *task) begin(parent context.Context, now time.Time) context.Context {
	t.eval.task = t
	t.eval.begin(parent, now, t.timeout)
	if t.turn == 0 || t.timeout < lazyTimeout {
		t.eval.arm()
	}
	t.started.Store(now.UnixNano())
	return &t.eval
}

// runAuto evaluates a request outside a session: in a transaction of its own, again
// when it lost a conflict and nothing has left yet. ctx is what begin returned, try how
// often it has lost. It is false when all that is missing is the commit of t.work.
func (t *task) runAuto(ctx context.Context, try int) bool {
	for ; ; try++ {
		err := t.guarded(func() error { return t.attempt(ctx, try >= aloneAfter) })
		if t.work != nil {
			return false
		}
		if !t.conclude(ctx, try, err) {
			return true
		}
		pause(ctx, try)
	}
}

// conclude answers a request that ended in err, unless that is a conflict after which
// it can run again: then it is true.
func (t *task) conclude(ctx context.Context, try int, err error) (again bool) {
	switch {
	case err == nil:
		t.end(t.reply.finish(t))
	case errors.Is(err, storage.ErrConflict) && !t.reply.sent && try < reruns && ctx.Err() == nil:
		t.srv.metrics.reruns.Inc()
		t.reply.reset()
		return true
	default:
		t.end(t.reply.fail(t, failureOf(ctx, t, err)))
	}
	t.eval.finish()
	return false
}

// pause waits a little, longer with each lost conflict, so that the winners pass.
func pause(ctx context.Context, try int) {
	if try == 0 || try >= aloneAfter {
		return
	}
	timer := time.NewTimer(time.Duration(rand.Int64N(int64(time.Millisecond) << try)))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (t *task) attempt(ctx context.Context, alone bool) error {
	work := t.srv.engine.Open(WorkOptions{Alone: alone, Identity: t.identity})
	defer func() {
		if t.work == nil {
			work.Close()
		}
	}()
	if err := t.evaluate(ctx, work); err != nil {
		return err
	}
	if !work.Open() {
		return nil
	}
	if ctx.Err() != nil {
		return traversal.ErrTimeout
	}
	if work.Pending() {
		if t.turn != 0 { // nobody reads meanwhile
			t.work = work
			return nil
		}
		// From here on the outcome is the commit's, whatever becomes of the client.
		ctx = context.WithoutCancel(ctx)
	}
	return work.Commit(ctx, true)
}

// evaluate runs the query and encodes its results.
func (t *task) evaluate(ctx context.Context, work Work) error {
	t.account.Clear() // of an evaluation that lost
	t.account.Init(&t.holder.account, "queryMemory", t.srv.limits.QueryBytes)
	t.query.Account, t.reply.paid = &t.account, freeReply
	res, err := work.Run(ctx, &t.query)
	if err != nil {
		return err
	}
	defer res.Close()
	t.reply.begin(res.Writes())
	for {
		t.results, err = res.Next(t.results[:0], t.batch)
		if err != nil {
			return err
		}
		if len(t.results) == 0 {
			return nil
		}
		o := message.ItemOptions{Resolver: res.Resolver(), Tokens: t.tokens || t.plain, NullProperties: t.plain, Room: &t.vertex, Meter: t}
		for i := range t.results {
			if err := t.reply.add(ctx, t, &t.results[i], o); err != nil {
				return err
			}
		}
	}
}

// answered takes note that the terminal frame is in the outbox: a close frame may
// follow it.
func (t *task) answered() {
	t.wire.Clear()
	if t.conn != nil {
		t.conn.active.Add(-1)
	}
}

// end reports a request that got its terminal frame.
func (t *task) end(code int32) {
	if t.conn != nil { // HTTP's answer has yet to be written
		t.account.Clear()
	}
	elapsed := time.Since(t.received)
	t.srv.metrics.answered.observe(t.req.Op, code, elapsed)
	if code == statusUnauthorized && t.identity != nil {
		t.srv.rightRefused(t)
	}
	if slow := t.srv.opts.SlowQuery; slow > 0 && elapsed >= slow {
		t.srv.log.Warn("slow query", "request", t.id(), "ms", elapsed.Milliseconds(), "code", code,
			"results", t.reply.total, "user", t.identity.User(), "remote", t.remote, "query", t.summary())
	}
}

// decode reads the message of a request. The id is kept even when the rest is broken.
func (t *task) decode(b []byte) error {
	req, err := t.codec.DecodeRequest(b, &t.wire)
	if req == nil {
		req = &message.Request{}
	}
	t.req = req
	if errors.Is(err, account.ErrLimit) {
		return tooMuch(err)
	}
	if err != nil {
		return malformed("%s: %s", messageNotParsed, err)
	}
	return nil
}
