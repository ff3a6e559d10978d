package request

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// A request that waits for what others do takes turns: it is evaluated for a moment, then it
// waits, for longer than any evaluation may take, and has no slot meanwhile (Desk.Idle).

// waitingTask is what a request is charged that waits in an HTTP connection of its own, in bytes.
const waitingTask = 16 << 10

// Follow makes t a request that takes turns, for so long at most. text is how logs and lists
// show it.
func (t *Task) Follow(op, text string, atMost time.Duration) error {
	t.Req = &message.Request{ID: uuid.New(), HasID: true, Op: op, Args: value.NewMap()}
	t.Query.Script, t.timeout = text, atMost
	if err := t.Wire.Charge(waitingTask); err != nil {
		return message.TooMuch(err)
	}
	return nil
}

// Turn calls fn as an evaluation: within the limits of the user, for no longer than
// evaluationTimeout. What the turn before was charged for is given back.
func (t *Task) Turn(ctx context.Context, fn func(context.Context) error) error {
	t.Account.Clear()
	t.Account.Init(&t.Holder.Account, "queryMemory", t.desk.Limits().QueryBytes)
	long := t.desk.Limits().EvaluationTimeout
	if l := t.Identity.LimitsNow(); l != nil {
		leave, err := t.countIn(l)
		if err != nil {
			return err
		}
		defer leave()
		if own := time.Duration(l.EvaluationTimeout) * time.Millisecond; own > 0 {
			long = min(long, own)
		}
	}
	within, cancel := context.WithTimeoutCause(ctx, long, answer.ErrEvaluationTimeout)
	defer cancel()
	err := t.Guarded(func() error { return fn(within) })
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		return &message.StatusError{Code: message.StatusTimeout, Message: t.TimeoutText()}
	}
	return err
}
