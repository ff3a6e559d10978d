package request

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// start checks a request and begins its evaluation.
func start(t *testing.T, task *Task) context.Context {
	t.Helper()
	if err := task.Check(); err != nil {
		t.Fatal(err)
	}
	return task.Begin(context.Background(), time.Now())
}

// A request that wrote and lost is run again, the third time alone, until it has been
// run six times. What read alone commits too, for a conflict shows itself then.
func TestRunAuto_Conflicts(t *testing.T) {
	for _, c := range []struct {
		losses, works int
		code          int32
	}{{0, 1, 200}, {1, 2, 200}, {2, 3, 200}, {5, 6, 200}, {6, 6, 596}} {
		e := &engine{}
		e.run = func(context.Context, *contract.Query) (contract.Results, error) {
			return &list{values: []value.Value{value.Int(1)}, writes: true}, nil
		}
		e.commit = func(try int) error {
			if try < c.losses {
				return fmt.Errorf("commit: %w", storage.ErrConflict)
			}
			return nil
		}
		d, from := newDesk(t, e, nil), newClient()
		task := ask(t, d, from, "eval", "", "gremlin", "x")
		if !task.RunAuto(start(t, task), 0) {
			t.Fatal("its commit is left to others")
		}
		if got := from.codes(t); !slices.Equal(got, []int32{c.code}) || len(e.works) != c.works {
			t.Errorf("%d losses: answered %v after %d tries", c.losses, got, len(e.works))
		}
		for i, w := range e.works {
			if w.o.Alone != (i >= 2) || !w.closed || w.o.Identity != task.Identity || w.commits != 1 {
				t.Errorf("try %d: %+v", i, w)
			}
		}
		if got := counted(t, d.Metrics.Reruns); int(got) != c.works-1 {
			t.Errorf("%v reruns counted of %d", got, c.works-1)
		}
		if task.eval.Err() != context.Canceled {
			t.Errorf("its context: %v", task.eval.Err())
		}
	}
}

// A conflict behind an answer of which a part has left cannot be undone by running again.
func TestRunAuto_ConflictAfterItsAnswer(t *testing.T) {
	e := &engine{commit: func(int) error { return storage.ErrConflict }}
	e.run = func(context.Context, *contract.Query) (contract.Results, error) {
		return &list{values: []value.Value{value.Int(1), value.Int(2), value.Int(3)}, writes: true}, nil
	}
	d, from := newDesk(t, e, func(o *Options) { o.Limits.HeldBytes = 1 }), newClient()
	task := ask(t, d, from, "eval", "", "gremlin", "x", "batchSize", 1)
	task.RunAuto(start(t, task), 0)
	if got := from.codes(t); !slices.Equal(got, []int32{206, 206, 596}) || len(e.works) != 1 {
		t.Errorf("answered %v after %d tries", got, len(e.works))
	}
}

// What ended in time commits in its time only if it did not write.
func TestRunAuto_TimeIsOver(t *testing.T) {
	for _, writes := range []bool{false, true} {
		e := &engine{}
		d, from := newDesk(t, e, nil), newClient()
		task := ask(t, d, from, "eval", "", "gremlin", "x")
		e.run = func(context.Context, *contract.Query) (contract.Results, error) {
			if !writes {
				task.Stop(answer.ErrEvaluationTimeout)
			}
			return &list{writes: writes}, nil
		}
		e.commit = func(int) error { task.Stop(answer.ErrEvaluationTimeout); return nil }
		task.RunAuto(start(t, task), 0)
		want, commits := int32(598), 0
		if writes {
			want, commits = 598, 1 // the answer's frame finds no time; the commit stands
		}
		got := from.codes(t)
		if w := e.works[0]; w.commits != commits || (writes && w.ctx.Err() != nil) {
			t.Errorf("writes %v: %d commits, %v", writes, w.commits, w.ctx)
		}
		if !writes && !slices.Equal(got, []int32{want}) {
			t.Errorf("reads: %v", got)
		}
		if writes && len(got) != 1 {
			t.Errorf("writes: %v", got)
		}
	}
}

// Without an open transaction nothing is committed.
func TestRunAuto_NothingOpen(t *testing.T) {
	e := &engine{run: func(context.Context, *contract.Query) (contract.Results, error) { return &list{shut: true}, nil }}
	d, from := newDesk(t, e, nil), newClient()
	task := ask(t, d, from, "eval", "", "gremlin", "x")
	task.RunAuto(start(t, task), 0)
	if got := from.codes(t); !slices.Equal(got, []int32{204}) || e.works[0].commits != 0 || !e.works[0].closed {
		t.Errorf("%v, %+v", got, e.works[0])
	}
}

// The commit of a request that its reader evaluates is waited for by nobody: its outcome
// is answered in a group, or runs the request again.
func TestCommit_Outcomes(t *testing.T) {
	for _, c := range []struct {
		err   error
		code  int32 // 0: it runs again
		panic bool
	}{{nil, 200, false}, {storage.ErrConflict, 0, false}, {storage.ErrUnavailable, 596, false}} {
		e := &engine{commit: func(int) error { return c.err }}
		e.run = func(context.Context, *contract.Query) (contract.Results, error) {
			return &list{values: []value.Value{value.Int(1)}, writes: true}, nil
		}
		d, from := newDesk(t, e, nil), newClient()
		task := ask(t, d, from, "eval", "", "gremlin", "x")
		task.Inline = true
		if task.RunAuto(start(t, task), 0) {
			t.Fatal("committed while nobody reads")
		}
		if e.works[0].closed || len(from.frames) != 0 {
			t.Error("closed or answered before its commit")
		}
		task.HandOver()
		select {
		case got := <-from.delivered:
			if codes := from.codes(t); c.code == 0 || got != task || !slices.Equal(codes, []int32{c.code}) {
				t.Errorf("%v: %v", c.err, codes)
			}
		case <-from.reran:
			if c.code != 0 || len(from.frames) != 0 {
				t.Errorf("%v: runs again", c.err)
			}
			e.commit = nil
			task.Again()
			if codes := from.codes(t); !slices.Equal(codes, []int32{200}) || len(e.works) != 2 {
				t.Errorf("again: %v, %d", codes, len(e.works))
			}
		case <-time.After(patience):
			t.Fatal("no outcome")
		}
		if task.Inline || !task.Grouped || !e.works[0].closed || task.work != nil {
			t.Errorf("%v: inline %v, grouped %v, closed %v", c.err, task.Inline, task.Grouped, e.works[0].closed)
		}
	}
}

// Many outcomes at once are all answered.
func TestCommits_Many(t *testing.T) {
	const n = 200
	e := &engine{run: func(context.Context, *contract.Query) (contract.Results, error) { return &list{writes: true}, nil }}
	d := newDesk(t, e, nil)
	from := newClient()
	from.delivered = make(chan *Task, n)
	for range n {
		task := ask(t, d, from, "eval", "", "gremlin", "x")
		task.Inline = true
		task.RunAuto(start(t, task), 0)
		task.HandOver()
	}
	seen := map[*Task]bool{}
	for range n {
		select {
		case task := <-from.delivered:
			seen[task] = true
		case <-time.After(patience):
			t.Fatalf("%d of %d answered", len(seen), n)
		}
	}
	if len(seen) != n {
		t.Errorf("%d of %d answered", len(seen), n)
	}
}

// Memory that an evaluation kept is free again when it is over, or begins anew.
func TestEvaluate_Memory(t *testing.T) {
	e := &engine{}
	d, from := newDesk(t, e, func(o *Options) { o.Limits.QueryBytes = 1000 }), newClient()
	task := ask(t, d, from, "eval", "", "gremlin", "x")
	e.run = func(_ context.Context, q *contract.Query) (contract.Results, error) {
		if err := q.Account.Charge(800); err != nil {
			return nil, err
		}
		return &list{writes: true}, q.Account.Charge(int64(len(e.works)) * 100)
	}
	e.commit = func(int) error { return storage.ErrConflict }
	task.RunAuto(start(t, task), 0)
	if got := from.codes(t); !slices.Equal(got, []int32{500}) || len(e.works) != 3 {
		t.Errorf("%v after %d", got, len(e.works))
	}
	if task.Account.Used() != 0 || d.Memory.Used() != 0 {
		t.Errorf("%d bytes kept, %d by all", task.Account.Used(), d.Memory.Used())
	}
	var limit *account.LimitError
	err := task.Evaluate(context.Background(), &work{e: &engine{run: func(_ context.Context, q *contract.Query) (contract.Results, error) {
		return nil, q.Account.Charge(1001)
	}}})
	if !errors.As(err, &limit) || limit.Setting != "queryMemory" || limit.Max != 1000 {
		t.Errorf("%v", err)
	}
}

// A panic is one request's failure, counted, and says where it stands in the log.
func TestGuarded(t *testing.T) {
	e := &engine{run: func(context.Context, *contract.Query) (contract.Results, error) { panic("as asked") }}
	d, from := newDesk(t, e, nil), newClient()
	task := ask(t, d, from, "eval", "", "gremlin", "x")
	task.RunAuto(start(t, task), 0)
	if got := from.codes(t); !slices.Equal(got, []int32{500}) || !strings.Contains(from.frames[0], "logged under request "+task.ID()) {
		t.Errorf("%v %s", got, from.frames)
	}
	if n := counted(t, d.Metrics.Panics); n != 1 || !e.works[0].closed {
		t.Errorf("%v panics, closed %v", n, e.works[0].closed)
	}
}

// An error behind results ends a request; what has not left is forgotten.
func TestRunAuto_LateError(t *testing.T) {
	e := &engine{run: func(context.Context, *contract.Query) (contract.Results, error) {
		return &list{values: []value.Value{value.Int(1), value.Int(2)}, after: errors.New("broken")}, nil
	}}
	d, from := newDesk(t, e, nil), newClient()
	task := ask(t, d, from, "eval", "", "gremlin", "x", "batchSize", 1)
	task.RunAuto(start(t, task), 0)
	if got := from.codes(t); !slices.Equal(got, []int32{206, 597}) {
		t.Errorf("%v", got)
	}
}

// The codecs are told when a request's time is over, and when its memory is.
func TestTask_Grown(t *testing.T) {
	d := newDesk(t, &engine{}, func(o *Options) { o.Limits.QueryBytes = 100 << 10 })
	task := ask(t, d, newClient(), "eval", "", "gremlin", "x")
	start(t, task)
	task.Account.Init(&task.Holder.Account, "queryMemory", d.Limits().QueryBytes)
	if err := task.Grown(1 << 10); err != nil {
		t.Error(err)
	}
	if err := task.Grown(100 << 10); !errors.Is(err, account.ErrLimit) {
		t.Errorf("too much: %v", err)
	}
	task.Stop(answer.ErrKilled)
	if err := task.Grown(1); err != traversal.ErrTimeout {
		t.Errorf("too long: %v", err)
	}
}

// A client whom not even an error reaches loses its connection, and the request its id.
func TestTask_Lost(t *testing.T) {
	d, from := newDesk(t, &engine{}, nil), newClient()
	from.broken = errors.New("gone")
	task := ask(t, d, from, "eval", "", "gremlin", "x")
	task.RunAuto(start(t, task), 0)
	if want := []string{"break gone", "forget", "answered"}; len(from.frames) != 0 || !slices.Equal(slices.Sorted(slices.Values(from.events)), slices.Sorted(slices.Values(want))) {
		t.Errorf("%v %v", from.frames, from.events)
	}
	task = ask(t, d, newClient(), "eval", "", "gremlin", "x")
	start(t, task)
	if task.Over(); task.eval.Err() != context.Canceled {
		t.Errorf("over: %v", task.eval.Err())
	}
}

// pause waits for a moment, not at all the first time, and no longer than its request may.
func TestPause(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	began := time.Now()
	for try := range reruns {
		pause(over, try)
	}
	pause(context.Background(), 0)
	pause(context.Background(), aloneAfter)
	pause(context.Background(), 1)
	if took := time.Since(began); took > patience {
		t.Errorf("%v", took)
	}
}

// TestTask_StopBeforeBegin stops a request that still waits for its turn: it ends when it is
// begun.
func TestTask_StopBeforeBegin(t *testing.T) {
	task := ask(t, newDesk(t, &engine{}, nil), nil, message.OpEval, message.ProcessorStandard, "gremlin", "x")
	if err := task.Check(); err != nil {
		t.Fatal(err)
	}
	task.Stop(answer.ErrKilled)
	if ctx := task.Begin(context.Background(), time.Now()); !errors.Is(context.Cause(ctx), answer.ErrKilled) || ctx.Err() == nil {
		t.Errorf("it goes on: %v", context.Cause(ctx))
	}
}
