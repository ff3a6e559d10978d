package request

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/traversal"
)

// Guarded calls f and turns a panic into an error, which is a bug but must not take
// the server down.
func (t *Task) Guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			t.desk.Metrics.Panics.Inc()
			t.desk.Log.Error("request panicked", "request", t.ID(), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = &message.StatusError{Code: message.StatusServerError, Message: "internal error, logged under request " + t.ID(), Class: message.ClassIllegalState}
		}
	}()
	return f()
}

// Begin starts the evaluation and returns its context.
func (t *Task) Begin(parent context.Context, now time.Time) context.Context {
	t.eval.task = t
	t.eval.begin(parent, now, t.timeout)
	if !t.Inline || t.timeout < lazyTimeout {
		t.eval.arm()
	}
	t.started.Store(now.UnixNano())
	if cause := t.halted.Load(); cause != nil {
		t.eval.stop(*cause)
	}
	return &t.eval
}

// RunAuto evaluates a request outside a session: in a transaction of its own, again
// when it lost a conflict and nothing has left yet. ctx is what begin returned, try how
// often it has lost. It is false when what is missing is for HandOver.
func (t *Task) RunAuto(ctx context.Context, try int) bool {
	for ; ; try++ {
		err := t.Guarded(func() error { return t.attempt(ctx, try >= aloneAfter) })
		if t.work != nil {
			return false
		}
		switch t.conclude(ctx, try, err) {
		case answered:
			return true
		case refused:
			return false
		}
		pause(ctx, try)
	}
}

// conclusion is what becomes of a request whose evaluation or commit has ended.
type conclusion uint8

const (
	answered conclusion = iota
	again               // it lost a conflict, and can run once more
	refused             // it is for refuse to answer
)

// conclude answers a request that ended in err, unless there is more to do.
func (t *Task) conclude(ctx context.Context, try int, err error) conclusion {
	switch {
	case err == nil:
		t.Finish()
	case errors.Is(err, storage.ErrConflict) && !t.Reply.Sent() && try < reruns && ctx.Err() == nil:
		t.desk.Metrics.Reruns.Inc()
		t.Reply.Reset()
		return again
	case t.Inline || t.Grouped: // others wait for who is here
		if t.waits = t.place(err); t.waits > 0 {
			t.outcome = err
			return refused
		}
		t.fail(ctx, err)
	default:
		t.Fail(ctx, err)
	}
	t.eval.finish()
	return answered
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

func (t *Task) attempt(ctx context.Context, alone bool) error {
	work := t.desk.Engine.Open(contract.WorkOptions{Alone: alone, Identity: t.Identity})
	defer func() {
		if t.work == nil {
			work.Close()
		}
	}()
	if err := t.Evaluate(ctx, work); err != nil {
		return err
	}
	if !work.Open() {
		return nil
	}
	if ctx.Err() != nil {
		return traversal.ErrTimeout
	}
	if work.Pending() {
		t.Commits(work)
		if t.Inline { // nobody reads meanwhile
			t.work = work
			return nil
		}
		// From here on the outcome is the commit's, whatever becomes of the client.
		ctx = context.WithoutCancel(ctx)
	}
	return work.Commit(ctx, true)
}

// Evaluate runs the query and encodes its results.
func (t *Task) Evaluate(ctx context.Context, work contract.Work) error {
	err := t.evaluate(ctx, work)
	t.look()
	t.Query.Ran = nil
	return err
}

func (t *Task) evaluate(ctx context.Context, work contract.Work) error {
	t.Account.Clear() // of an evaluation that lost
	t.Account.Init(&t.Holder.Account, "queryMemory", t.desk.Limits().QueryBytes)
	if l := t.Identity.LimitsNow(); l != nil {
		leave, err := t.keepTo(l)
		if err != nil {
			return err
		}
		defer leave()
	}
	t.Query.Account, t.Query.Request = &t.Account, t.Req.ID
	t.Reply.Prepay()
	res, err := work.Run(ctx, &t.Query)
	if err != nil {
		return err
	}
	defer res.Close()
	t.Reply.Begin(res.Writes())
	for {
		t.results, err = res.Next(t.results[:0], t.Reply.Batch)
		if err != nil {
			return err
		}
		if len(t.results) == 0 {
			return nil
		}
		o := message.ItemOptions{Resolver: res.Resolver(), Tokens: t.tokens || t.Plain, NullProperties: t.Plain, Room: &t.vertex, Meter: t}
		for i := range t.results {
			if err := t.Reply.Add(ctx, &t.results[i], &o); err != nil {
				return err
			}
		}
	}
}

// Finish answers a task that went well.
func (t *Task) Finish() { t.End(t.Reply.Finish(&t.eval), nil) }

// Over ends the evaluation.
func (t *Task) Over() { t.eval.finish() }

// Arm lets the timeout end the evaluation.
func (t *Task) Arm() { t.eval.arm() }

// Again runs a task that lost the conflict of its first commit.
func (t *Task) Again() {
	t.Arm()
	t.RunAuto(&t.eval, 1)
}

// Runs reports whether the evaluation has begun.
func (t *Task) Runs() bool { return t.started.Load() != 0 }

// Stop ends the evaluation of a task for a cause: at once when it runs, else as soon as it
// is started.
func (t *Task) Stop(cause error) {
	t.halted.Store(&cause) // before Runs: Begin looks behind it
	if t.Runs() {
		t.eval.stop(cause)
	}
}

// Renew gives a running request the rights that its user has now, and ends it when the
// user is gone; false when the users could not be read.
func (t *Task) Renew() bool {
	now, err := t.desk.Renewed(t.Identity)
	if now == nil {
		t.Stop(GoneBy(t.Identity))
	}
	return err == nil
}

// GoneBy is why a user counts no more.
func GoneBy(id *traversal.Identity) error {
	if id = id.Asker(); id != nil && id.Token != nil {
		return answer.ErrTokenEnded
	}
	return answer.ErrUserGone
}
