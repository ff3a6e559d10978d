package request

import (
	"context"
	"sync"
)

// commits answers the requests whose commits nobody waits for. The store reports the
// ends of a whole group of commits at once, and one goroutine answers them all: it is
// woken once, where otherwise each of them would wake its own.
type commits struct {
	desk *Desk

	mu      sync.Mutex
	ended   []*Task // not yet answered
	running bool    // a worker is in run

	spare []*Task // of the worker
}

// HandOver begins what is missing of t: the commit of what it wrote, or the wait for the place
// of a refusal. From then on t belongs to who does that.
func (t *Task) HandOver() {
	t.Inline, t.Grouped = false, true
	if t.work == nil {
		t.desk.Work.Run(t.refuse)
		return
	}
	// The outcome is the commit's, whatever becomes of the client.
	t.work.CommitAsync(context.Background(), t.committed)
}

// commitEnded takes the outcome of a commit, on the goroutine that knows it.
func (t *Task) commitEnded(err error) {
	t.outcome = err
	t.desk.commits.add(t)
}

func (a *commits) add(t *Task) {
	a.mu.Lock()
	a.ended = append(a.ended, t)
	start := !a.running
	a.running = true
	a.mu.Unlock()
	if start {
		a.desk.Work.Run(a.run)
	}
}

// run answers until nothing waits for it.
func (a *commits) run() {
	for list := a.next(nil); list != nil; list = a.next(list) {
		for i, t := range list {
			switch t.settle() {
			case again:
				a.desk.Work.Run(func() { t.client.Rerun(t) })
				list[i] = nil
			case refused:
				a.desk.Work.Run(t.refuse)
				list[i] = nil
			}
		}
		for _, t := range list {
			if t != nil {
				t.client.Deliver(t)
			}
		}
	}
}

// next returns the requests to be answered, nil when there are none. It takes back the
// memory of the last ones.
func (a *commits) next(last []*Task) []*Task {
	clear(last)
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.ended) == 0 {
		a.running, a.spare = false, last[:0]
		return nil
	}
	if last == nil {
		last = a.spare
	}
	list := a.ended
	a.ended = last[:0]
	return list
}

// settle appends the answer to the connection's outbox, unless there is more to do.
func (t *Task) settle() conclusion {
	err := t.Guarded(func() error { t.work.Close(); return nil })
	if t.work = nil; t.outcome != nil {
		err = t.outcome
	}
	return t.conclude(&t.eval, 0, err)
}
