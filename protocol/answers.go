package protocol

import (
	"context"
	"sync"
)

// answers answers the requests whose commits nobody waits for. The store reports the
// ends of a whole group of commits at once, and one goroutine answers them all: it is
// woken once, where otherwise each of them would wake its own.
type answers struct {
	srv *Server

	mu      sync.Mutex
	ended   []*task // not yet answered
	running bool    // a worker is in run

	spare []*task // of the worker
}

// commit begins the commit of what t wrote. From then on t belongs to answers.
func (t *task) commit() {
	t.turn, t.grouped = 0, true
	// The outcome is the commit's, whatever becomes of the client.
	t.work.CommitAsync(context.Background(), t.committed)
}

// commitEnded takes the outcome of a commit, on the goroutine that knows it.
func (t *task) commitEnded(err error) {
	t.outcome = err
	t.srv.answers.add(t)
}

func (a *answers) add(t *task) {
	a.mu.Lock()
	a.ended = append(a.ended, t)
	start := !a.running
	a.running = true
	a.mu.Unlock()
	if start {
		a.srv.work.run(a.run)
	}
}

// run answers until nothing waits for it.
func (a *answers) run() {
	for list := a.next(nil); list != nil; list = a.next(list) {
		for i, t := range list {
			if t.settle() {
				t.conn.srv.work.run(func() { t.conn.rerun(t) })
				list[i] = nil
			}
		}
		for _, t := range list {
			if t != nil {
				t.conn.deliver(t)
			}
		}
	}
}

// next returns the requests to be answered, nil when there are none. It takes back the
// memory of the last ones.
func (a *answers) next(last []*task) []*task {
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

// settle appends the answer to the connection's outbox, or is true when the request
// must run again.
func (t *task) settle() (again bool) {
	err := t.guarded(func() error { t.work.Close(); return nil })
	if t.work = nil; t.outcome != nil {
		err = t.outcome
	}
	return t.conclude(&t.eval, 0, err)
}

// rerun runs a request again that lost the conflict of its first commit.
func (c *conn) rerun(t *task) {
	defer c.finished()
	t.grouped = false
	if !c.srv.acquire(c.ctx, t) {
		c.abandon(t)
		t.eval.finish()
		return
	}
	t.eval.arm()
	t.runAuto(&t.eval, 1)
	c.srv.release(t)
	c.flush()
}

// deliver sends the answer of a request, and ends it. It does not wait for a client
// that takes its answers slowly: others wait for theirs.
func (c *conn) deliver(t *task) {
	if t.reusable() {
		tasks.Put(t)
	}
	if c.out.FlushNow() {
		c.finished()
		return
	}
	c.srv.work.run(func() {
		c.out.Flush()
		c.finished()
	})
}
