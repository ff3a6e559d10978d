package request

import (
	"context"
	"errors"
	"time"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/storage/account"
)

// A request that a quota refuses is answered when the quota's owner has a place for it
// (account.Pace). Until then nobody evaluates it, and it keeps what a request that waits does.

// place is how far away the answer to a failed request is.
func (t *Task) place(err error) time.Duration {
	var refused account.Paced
	if !errors.As(err, &refused) || refused.Pace() == nil {
		return 0
	}
	return refused.Pace().Place(t.desk.Now())
}

// Fail answers a task whose evaluation failed, when the place of its answer comes.
func (t *Task) Fail(ctx context.Context, err error) {
	t.Await(ctx, err)
	t.fail(ctx, err)
}

// Await waits for the place of an answer, without a slot.
func (t *Task) Await(ctx context.Context, err error) {
	if t.waits = t.place(err); t.waits > 0 {
		t.await(ctx)
	}
}

// await ends with the evaluation, and when the server begins to stop. Where there is no memory
// for who waits, nobody does.
func (t *Task) await(ctx context.Context) {
	t.Reply.Reset()
	t.Reply.Memory = t.Reply.Left(keepReply)
	t.Account.Clear()
	began := time.Now()
	if t.Park() == nil {
		t.desk.Absent(t, func() {
			timer := time.NewTimer(t.waits)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-ctx.Done():
			case <-t.desk.drained:
			}
		})
	}
	t.waits = time.Since(began)
}

// refuse answers a task that ended in t.outcome and that nobody else has any more.
func (t *Task) refuse() {
	t.await(&t.eval)
	t.fail(&t.eval, t.outcome)
	t.eval.finish()
	t.client.Deliver(t)
}

func (t *Task) fail(ctx context.Context, err error) {
	t.End(t.Reply.Fail(answer.FailureOf(ctx, t, err)), err)
}
