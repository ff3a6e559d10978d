package request

import (
	"fmt"
	"time"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// keepTo has the evaluation of t keep to the limits of its user, whose account is fresh. leave
// must follow.
func (t *Task) keepTo(l *traversal.UserLimits) (leave func(), err error) {
	if l.EvaluationTimeout > 0 {
		t.eval.Shorten(time.Duration(l.EvaluationTimeout)*time.Millisecond, "limits.evaluationTimeout of user "+t.Identity.Asker().User())
	}
	return t.countIn(l)
}

// countIn counts t among those that are evaluated for its user, and bounds what it keeps. leave
// must follow.
func (t *Task) countIn(l *traversal.UserLimits) (leave func(), err error) {
	user := t.Identity.Asker().User()
	leave = func() {}
	if l.Requests > 0 {
		running := &t.Holder.Running
		if running.Add(1) > l.Requests {
			running.Add(-1)
			t.desk.Reject("limits.requests")
			return nil, message.TooMuch(&tooManyError{user, l.Requests, &t.Holder.Pace})
		}
		leave = func() { running.Add(-1) }
	}
	if l.QueryMemory > 0 {
		if err := t.Account.Lower("limits.queryMemory of user "+user, l.QueryMemory); err != nil {
			leave()
			return nil, err
		}
	}
	return leave, nil
}

// tooManyError refuses a request of a user who has as many evaluated as he may.
type tooManyError struct {
	user string
	max  int64
	pace *account.Pace
}

// Error names the setting.
func (e *tooManyError) Error() string {
	return fmt.Sprintf("user %s has %d requests evaluated already (limits.requests)", e.user, e.max)
}

// Pace is that of the user.
func (e *tooManyError) Pace() *account.Pace { return e.pace }
