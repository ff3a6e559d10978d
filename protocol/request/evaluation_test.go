package request

import (
	"context"
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/answer"
)

func TestEvaluation(t *testing.T) {
	for name, end := range map[string]struct {
		since time.Duration
		cause error
		by    func(e *evaluation, gone context.CancelCauseFunc)
	}{
		"parent":  {0, answer.ErrConnectionGone, func(_ *evaluation, gone context.CancelCauseFunc) { gone(answer.ErrConnectionGone) }},
		"stop":    {0, answer.ErrKilled, func(e *evaluation, _ context.CancelCauseFunc) { e.stop(answer.ErrKilled) }},
		"timeout": {time.Hour, answer.ErrEvaluationTimeout, func(e *evaluation, _ context.CancelCauseFunc) { e.arm() }},
	} {
		t.Run(name, func(t *testing.T) {
			parent, gone := context.WithCancelCause(context.Background())
			defer gone(nil)
			e := &evaluation{}
			e.begin(parent, time.Now().Add(-end.since), time.Minute)
			if e.Err() != nil || context.Cause(e) != nil {
				t.Fatal("over before it began")
			}
			end.by(e, gone)
			child, cancel := context.WithCancel(e)
			defer cancel()
			<-child.Done()
			if e.Err() == nil || context.Cause(e) != end.cause || context.Cause(child) != end.cause {
				t.Errorf("ended with %v, %v, its child with %v", e.Err(), context.Cause(e), context.Cause(child))
			}
			if !e.finish() {
				t.Error("nobody waited")
			}
		})
	}
}

func TestEvaluationThatIsOver(t *testing.T) {
	e := &evaluation{}
	e.begin(context.Background(), time.Now(), time.Minute)
	if e.finish() {
		t.Error("somebody waited")
	}
	e.stop(answer.ErrKilled)
	<-e.Done()
	if context.Cause(e) != context.Canceled {
		t.Errorf("over by %v", context.Cause(e))
	}
}
