package main

import (
	"errors"
	"time"
)

// rawClients are connections that carry a load.
type rawClients struct {
	load  *load
	depth int // requests under way on each
	conns []*rawConn
}

func connectRaw(url string, l *load, depth, clients int) (*rawClients, error) {
	r := &rawClients{load: l, depth: depth}
	for range clients {
		c, err := dialRaw(url)
		if err != nil {
			r.close()
			return nil, err
		}
		r.conns = append(r.conns, c)
	}
	return r, nil
}

func (r *rawClients) count() int { return len(r.conns) }

func (r *rawClients) close() {
	for _, c := range r.conns {
		c.close()
	}
}

func (r *rawClients) run(found [][]time.Duration, length time.Duration) error {
	askers := make([]*rawAsker, len(r.conns))
	begin := time.Now()
	for c, conn := range r.conns {
		first := firstRequest(c, len(r.conns), r.load.size())
		askers[c] = &rawAsker{rawConn: conn, load: r.load, depth: r.depth, first: first, begin: begin, length: length, took: found[c]}
	}
	errs := []error{drive(askers)}
	for c, a := range askers {
		found[c] = a.took
		errs = append(errs, a.err)
	}
	return errors.Join(errs...)
}

// rawAsker is one raw client in a round. It is told when its socket may be read, so
// that all can share a thread.
type rawAsker struct {
	*rawConn
	load   *load
	depth  int
	first  int // the request that it begins with
	begin  time.Time
	length time.Duration
	took   []time.Duration

	renewed []byte // frames with names of their own

	sent time.Duration // when the requests under way were, since begin
	due  int           // answers still to come to them
	done bool          // it has asked for long enough, or failed
	err  error
}

// ask sends the next request or, at a depth, the next few at once.
func (a *rawAsker) ask() {
	n, i := a.depth, (a.first+len(a.took))%a.load.size()
	a.due = n
	if a.load.transaction {
		n, a.due = 1, len(a.load.frames)
	}
	a.sent = time.Since(a.begin)
	a.post(i, n)
}

func (a *rawAsker) post(i, n int) {
	frames := a.load.some(i, n)
	if a.load.fresh {
		a.renewed = append(a.renewed[:0], frames...)
		renew(a.renewed, a.load.nextName)
		frames = a.renewed
	}
	if err := a.send(frames); err != nil {
		a.fail(err)
	}
}

func (a *rawAsker) fail(err error) {
	a.err = err
	a.done = true
}

// advance goes on once the socket can be read or written.
func (a *rawAsker) advance() {
	if err := errors.Join(a.flush(), a.receive()); err != nil {
		a.fail(err)
		return
	}
	for !a.done {
		ok, err := a.next()
		if err != nil {
			a.fail(err)
			return
		}
		if !ok {
			break
		}
		a.answered()
	}
	if err := a.answerPings(); err != nil {
		a.fail(err)
	}
}

// answered counts an answer and asks again when all are there: a transaction for its
// next request, the others anew.
func (a *rawAsker) answered() {
	a.due--
	if a.load.transaction && a.due > 0 {
		a.post(len(a.load.frames)-a.due, 1)
		return
	}
	now := time.Since(a.begin)
	a.took = append(a.took, now-a.sent)
	if a.due > 0 {
		return
	}
	if a.done = now >= a.length; !a.done {
		a.ask()
	}
}
