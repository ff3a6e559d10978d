package request

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// fullError is a refusal of a quota.
type fullError struct{ pace *account.Pace }

func (e *fullError) Error() string       { return "full" }
func (e *fullError) Pace() *account.Pace { return e.pace }

// full are ways to be refused by a quota: before anything is evaluated, and by the commit.
var full = map[string]func(*engine, error){
	"evaluation": func(e *engine, err error) {
		e.run = func(context.Context, *contract.Query) (contract.Results, error) { return nil, message.TooMuch(err) }
	},
	"commit": func(e *engine, err error) {
		e.run = func(context.Context, *contract.Query) (contract.Results, error) {
			return &list{values: []value.Value{value.Int(1)}, writes: true}, nil
		}
		e.commit = func(int) error { return err }
	},
}

// refusedAll evaluates n requests of which each is refused, without waiting for one answer, as
// somebody who reads a connection does. They come to be delivered by the client.
func refusedAll(t *testing.T, d *Desk, n int) *client {
	from := newClient()
	from.delivered = make(chan *Task, n)
	for range n {
		task := ask(t, d, from, "eval", "", "gremlin", "x")
		task.Wire.Init(&task.Holder.Account, "", account.Unlimited)
		if err := d.Admit(); err != nil || !d.TryAcquire(task) {
			t.Fatal("no room", err)
		}
		task.Inline = true
		over := task.RunAuto(start(t, task), 0)
		d.Release(task)
		if over {
			from.delivered <- task
		} else {
			task.HandOver()
		}
	}
	return from
}

// answeredNow is how many of all were answered until now, and ends them.
func answeredNow(d *Desk, from *client) (n int) {
	for synctest.Wait(); len(from.delivered) > 0; n++ {
		<-from.delivered
		d.Leave()
	}
	return n
}

// Refusals by one quota are answered one by one, though nobody waits for that who has others to
// serve. Who waits has no slot, is not among the requests that run or wait, and is charged.
func TestRefusal_Paced(t *testing.T) {
	for name, refuse := range full {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var pace account.Pace
				e := &engine{}
				refuse(e, &fullError{&pace})
				d := newDesk(t, e, func(o *Options) { o.Limits.Running = 1 })
				began := time.Now()
				from := refusedAll(t, d, 40)
				got := answeredNow(d, from)
				if got == 0 || got > 20 {
					t.Fatalf("%d of 40 are answered at once", got)
				}
				if n := d.AdmittedNow(); n != 0 {
					t.Errorf("%d requests run or wait", n)
				}
				if used := d.Memory.Used(); used < int64(40-got)*waitingBytes {
					t.Errorf("%d bytes are charged for %d that wait", used, 40-got)
				}
				before := got
				for got < 40 {
					<-time.After(time.Millisecond)
					n := answeredNow(d, from)
					if got += n; n > 1 {
						t.Fatalf("%d are answered within a millisecond", n)
					}
				}
				if took := time.Since(began); took < time.Duration(40-before)*5*time.Millisecond {
					t.Errorf("all were answered within %v", took)
				}
				if used := d.Memory.Used(); used != 0 {
					t.Errorf("%d bytes are left", used)
				}
				for _, code := range from.codes(t) {
					if code != message.StatusTooManyRequests && name == "evaluation" || code == message.StatusSuccess {
						t.Errorf("answered %d", code)
					}
				}
			})
		})
	}
}

// A wait ends with its request, when the server begins to stop, and is none where there is no
// memory for it. Other errors, and limits that are nobody's quota, wait for nothing.
func TestRefusal_Ends(t *testing.T) {
	const longest = time.Second
	for name, c := range map[string]struct {
		ends func(d *Desk, t *Task)
		wait bool
		own  bool // it is refused by a limit of its own
	}{
		"waits":     {ends: func(*Desk, *Task) {}, wait: true},
		"stopped":   {ends: func(_ *Desk, t *Task) { t.Stop(answer.ErrConnectionGone) }},
		"drained":   {ends: func(d *Desk, _ *Task) { d.Drain() }},
		"no memory": {ends: func(d *Desk, t *Task) { t.Wire.Init(account.New(nil, "memory", waitingBytes-1), "", account.Unlimited) }},
		"no quota":  {ends: func(*Desk, *Task) {}, own: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var pace account.Pace
				refused := &fullError{&pace}
				for pace.Place(time.Now()) < longest {
				}
				if c.own {
					refused.pace = nil
				}
				e := &engine{run: func(context.Context, *contract.Query) (contract.Results, error) { return nil, refused }}
				d, from := newDesk(t, e, nil), newClient()
				task := ask(t, d, from, "eval", "", "gremlin", "x")
				task.Wire.Init(&task.Holder.Account, "", account.Unlimited)
				if name == "no memory" {
					c.ends(d, task)
				}
				began := time.Now()
				done := make(chan struct{})
				go func() { task.RunAuto(start(t, task), 0); close(done) }()
				synctest.Wait()
				c.ends(d, task)
				<-done
				if waited := time.Since(began); (waited >= longest) != c.wait {
					t.Errorf("waited %v", waited)
				}
				if got := from.codes(t); !slices.Equal(got, []int32{597}) && !slices.Equal(got, []int32{500}) {
					t.Errorf("%v", got)
				}
			})
		})
	}
}

// Who is evaluated by a worker, as HTTP's requests are, leaves its slot to others while it waits,
// and the log of slow requests does not have it.
func TestRefusal_Slot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pace account.Pace
		for pace.Place(time.Now()) < time.Second {
		}
		e := &engine{run: func(_ context.Context, q *contract.Query) (contract.Results, error) {
			if q.Script == "other" {
				return listed(value.Int(1)), nil
			}
			return nil, &fullError{&pace}
		}}
		var log bytes.Buffer
		d := newDesk(t, e, func(o *Options) {
			o.Limits.Running, o.SlowQuery, o.Log = 1, 100*time.Millisecond, slog.New(slog.NewTextHandler(&log, nil))
		})
		refused, other := ask(t, d, nil, "eval", "", "gremlin", "x"), ask(t, d, nil, "eval", "", "gremlin", "other")
		refused.Wire.Init(&refused.Holder.Account, "", account.Unlimited)
		began := time.Now()
		done := make(chan struct{})
		run := func(task *Task) {
			d.Acquire(context.Background(), task)
			task.RunAuto(start(t, task), 0)
			d.Release(task)
		}
		go func() { run(refused); close(done) }()
		synctest.Wait()
		run(other)
		if other.Reply.Failed() != nil || time.Since(began) != 0 {
			t.Errorf("another waited %v: %v", time.Since(began), other.Reply.Failed())
		}
		<-done
		if refused.Reply.Failed() == nil || time.Since(began) != time.Second {
			t.Errorf("refused after %v: %v", time.Since(began), refused.Reply.Failed())
		}
		if log.Len() > 0 {
			t.Error(log.String())
		}
	})
}
