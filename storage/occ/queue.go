package occ

import (
	"sync"
	"time"
)

// queue holds the requests that wait for the committer, in the order of their coming.
// It wakes the committer once for a whole group.
type queue struct {
	mu      sync.Mutex
	waiting []*request
	hasty   int           // of waiting: those without patience
	turn    uint64        // how often take took them
	spare   []*request    // empty: becomes waiting when that is taken
	enough  int           // number of hasty requests that wakes the committer; 0: it is at work
	wake    chan struct{} // has room for one
	company *time.Timer   // the committer's
	urgent  bool          // one of waiting is no commit, or has lost its patience: it waits for nobody
	closed  bool
}

func newQueue() *queue {
	q := &queue{wake: make(chan struct{}, 1), company: time.NewTimer(0)}
	q.company.Stop()
	return q
}

// add queues r; false when the queue is closed.
func (q *queue) add(r *request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.waiting = append(q.waiting, r)
	q.urgent = q.urgent || r.kind != commitWrites
	if r.patience == 0 {
		q.hasty++
	} else {
		turn := q.turn
		time.AfterFunc(r.patience, func() { q.hurry(turn) })
	}
	if q.enough > 0 && (q.hasty >= q.enough || q.urgent) {
		q.rouse()
	}
	return true
}

// hurry is called where a request has waited for company long enough, if it still waits.
func (q *queue) hurry(turn uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.turn != turn || q.closed {
		return
	}
	if q.urgent = true; q.enough > 0 {
		q.rouse()
	}
}

// rouse wakes the committer, which waits.
func (q *queue) rouse() {
	q.enough = 0
	q.wake <- struct{}{} // there is room, because it waits
}

// close ends the queue: take returns what is left, and nothing can be added.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	if q.enough > 0 {
		q.rouse()
	}
}

// take returns all requests that wait, at least one that has no patience or has lost it; open
// is false once the queue is closed. While there are fewer than expected their writers are about to come back:
// they are worth a short wait, far below the time of a sync, because who misses a
// group waits for two. It ends when nobody has come for as long as wait.
func (q *queue) take(expected int, wait time.Duration) (taken []*request, open bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.hasty == 0 && !q.urgent && !q.closed {
		q.await(1, nil)
	}
	for before := 0; before < q.hasty && q.hasty < expected && !q.urgent && !q.closed; {
		before = q.hasty
		q.company.Reset(wait)
		q.await(expected, q.company.C)
	}
	taken, q.waiting, q.spare, q.urgent, q.hasty = q.waiting, q.spare, nil, false, 0
	q.turn++
	return taken, !q.closed
}

// await waits until there are enough requests, the queue is closed or late fires. It
// lets go of the lock meanwhile.
func (q *queue) await(enough int, late <-chan time.Time) {
	q.enough = enough
	q.mu.Unlock()
	select {
	case <-q.wake:
		q.mu.Lock()
		return
	case <-late:
	}
	q.mu.Lock()
	if q.enough == 0 { // both came
		<-q.wake
	}
	q.enough = 0
}

// reuse takes back a slice that take returned.
func (q *queue) reuse(taken []*request) {
	if cap(taken) > 4*groupMax {
		return
	}
	clear(taken)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.spare = taken[:0]
}

func (q *queue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}
