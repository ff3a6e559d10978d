package request

import (
	"context"
	"runtime"
	"sync/atomic"
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

// An evaluation that has gone on for a while lets others run when it looks at its clock.
func TestEvaluation_TakesTurns(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	e := &evaluation{}
	e.begin(context.Background(), time.Now(), time.Hour)
	e.arm()
	defer e.finish()
	passed := 0
	for range 20 {
		var ran atomic.Bool
		for began := time.Now(); time.Since(began) < 2*turnAfter; { // as work does
		}
		go ran.Store(true)
		if err := e.Err(); err != nil {
			t.Fatal(err)
		}
		if ran.Load() {
			passed++
		}
	}
	if passed < 18 { // the runtime itself interrupts each fifth
		t.Errorf("%d of 20 came to their turn", passed)
	}
}

// What waits for an evaluation is let go when that is over, and its deadline is the earlier
// of its own and its parent's.
func TestEvaluationEnds(t *testing.T) {
	e := &evaluation{}
	now := time.Now()
	e.begin(context.Background(), now, time.Minute)
	waits := e.Done()
	if end, ok := e.Deadline(); !ok || !end.Equal(now.Add(time.Minute)) {
		t.Errorf("its deadline: %v", end)
	}
	if !e.finish() {
		t.Error("nobody waited")
	}
	select {
	case <-waits:
	case <-time.After(patience):
		t.Error("who waits for it is not let go")
	}
	parent, cancel := context.WithDeadline(context.Background(), now.Add(time.Second))
	defer cancel()
	e.begin(parent, now, time.Minute)
	if end, ok := e.Deadline(); !ok || !end.Equal(now.Add(time.Second)) {
		t.Errorf("its parent's deadline: %v", end)
	}
	e.begin(parent, now, time.Millisecond)
	if end, ok := e.Deadline(); !ok || !end.Equal(now.Add(time.Millisecond)) {
		t.Errorf("its own deadline: %v", end)
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
