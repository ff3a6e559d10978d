package request

import (
	"fmt"
	"time"

	"github.com/gremlind/gremlind/protocol/message"
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
			return nil, message.TooMuch(fmt.Errorf("user %s has %d requests evaluated already (limits.requests)", user, l.Requests))
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
