package pebble

import (
	"context"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// committer is the one place where commits are ordered. Its goroutine takes all
// waiting requests as a group, and for the group does, in this order:
//
//	validate each, in order    against recent commits and the group's earlier ones
//	write one batch, and sync  a failure ends the process
//	tell the listeners         in commit order
//	publish                    a new shared snapshot
//	answer
//
// So what any reader can see is on disk, and a loser that runs again sees the winner.
type committer struct {
	store    *Store
	queue    chan *request
	quit     chan struct{} // closed: answer what waits and end
	done     chan struct{} // closed when the goroutine has ended
	recent   recent
	counters counters
	seq      uint64 // last number given out

	alone    *Tx        // nobody else commits until it is over
	turns    []*request // waiting to be alone
	held     []*request // commits that wait for the end of alone
	expected int        // writers that are likely to come: the recent groups' size
}

const (
	queueLen = 1024
	groupMax = 1024 // requests in a group
)

// submit queues r and waits for the answer. When ctx ends first, r is withdrawn; once
// the committer has taken it, submit waits CommitWait longer and then gives up.
func (c *committer) submit(ctx context.Context, r *request) (uint64, error) {
	select {
	case c.queue <- r:
	case <-c.quit:
		return 0, storage.ErrClosed
	case <-ctx.Done():
		return 0, fmt.Errorf("commit not started: %w", ctx.Err())
	}
	select {
	case <-r.done:
	case <-c.done:
		if r.state.CompareAndSwap(waiting, withdrawn) {
			return 0, storage.ErrClosed
		}
	case <-c.store.dead:
	case <-ctx.Done():
		if r.state.CompareAndSwap(waiting, withdrawn) {
			return 0, fmt.Errorf("commit not started: %w", ctx.Err())
		}
		c.outlast(r)
	}
	select {
	case <-c.store.dead: // answer nothing once the store has died
		return 0, fmt.Errorf("the store stopped during the commit: %w", storage.ErrUndetermined)
	default:
	}
	select {
	case <-r.done:
		return r.seq, r.err
	default:
		return 0, fmt.Errorf("no answer after %v: %w", c.store.opts.CommitWait, storage.ErrUndetermined)
	}
}

// outlast waits for a request that can no longer be withdrawn.
func (c *committer) outlast(r *request) {
	timer := time.NewTimer(c.store.opts.CommitWait)
	defer timer.Stop()
	select {
	case <-r.done:
	case <-c.store.dead:
	case <-timer.C:
	}
}

// run is the committer's goroutine.
func (c *committer) run() {
	defer close(c.done)
	for {
		select {
		case r := <-c.queue:
			c.serve(r)
		case <-c.quit:
			c.refuseAll()
			return
		}
	}
}

// refuseAll answers what is still waiting when the store closes.
func (c *committer) refuseAll() {
	rest := append(c.held, c.turns...)
	c.held, c.turns = nil, nil
	for {
		select {
		case r := <-c.queue:
			rest = append(rest, r)
			continue
		default:
		}
		break
	}
	for _, r := range rest {
		r.fail(storage.ErrClosed)
	}
}

// serve handles r and what else is waiting.
func (c *committer) serve(r *request) {
	var group []*request
	for limit := c.store.opts.Limits.GroupBytes; ; {
		if r.kind != commitWrites {
			c.commit(group)
			c.control(r)
			return
		}
		if group = append(group, r); r.batch != nil {
			limit -= int64(r.batch.Len())
		}
		if len(group) >= groupMax || limit <= 0 {
			break
		}
		if r = c.next(len(group)); r == nil {
			break
		}
	}
	c.commit(group)
}

// next returns a request that is waiting, nil when there is none. While the group is
// smaller than the recent ones their writers are about to come back: their next
// request is worth a short wait, far below the time of a sync, because who misses a
// group waits for two.
func (c *committer) next(have int) *request {
	select {
	case r := <-c.queue:
		return r
	default:
	}
	if have >= c.expected {
		return nil
	}
	timer := time.NewTimer(c.store.opts.GroupWait)
	defer timer.Stop()
	select {
	case r := <-c.queue:
		return r
	case <-timer.C:
		return nil
	}
}

// control handles requests that are not plain commits.
func (c *committer) control(r *request) {
	switch r.kind {
	case commitIngest:
		c.ingest(r)
	case acquireAlone:
		c.turns = append(c.turns, r)
		c.nextTurn()
	case releaseAlone:
		if c.alone == r.tx {
			c.alone = nil
			c.nextTurn()
		}
		r.answer()
	}
}

// nextTurn lets the commits go on that waited, and then the next Tx be alone.
func (c *committer) nextTurn() {
	if c.alone != nil {
		return
	}
	held := c.held
	c.held = nil
	var commits []*request
	for _, r := range held {
		if r.kind == commitIngest {
			c.ingest(r)
		} else {
			commits = append(commits, r)
		}
	}
	c.commit(commits)
	for len(c.turns) > 0 {
		r := c.turns[0]
		c.turns = c.turns[1:]
		if r.state.CompareAndSwap(waiting, taken) {
			c.alone = r.tx
			r.answer()
			return
		}
	}
}

// commit makes a group durable, publishes it and answers.
func (c *committer) commit(group []*request) {
	if len(group) == 0 {
		return
	}
	var accepted, refused []*request
	for _, r := range group {
		switch {
		case c.alone != nil && c.alone != r.tx && !r.beside:
			c.held = append(c.held, r)
			continue
		case !r.state.CompareAndSwap(waiting, taken):
			continue // withdrawn
		}
		if r.err = c.accept(r); r.err != nil {
			refused = append(refused, r)
		} else {
			accepted = append(accepted, r)
		}
	}
	c.expected = max(len(accepted)+len(refused), c.expected-1-c.expected/8)
	c.store.metrics.group(len(accepted), len(refused)) // before anybody is answered
	if len(accepted) > 0 {
		c.write(accepted)
	}
	for _, r := range refused { // after publishing, so that a rerun sees who won
		r.answer()
	}
	c.recent.prune(c.store.lifetimes.oldest())
	if invariants {
		c.recent.check()
	}
}

// accept validates r and gives it its number.
func (c *committer) accept(r *request) error {
	if invariants {
		checkRequest(r, c.store.Seq())
	}
	if err := c.recent.validate(r); err != nil {
		return err
	}
	c.seq++
	r.seq = c.seq
	c.recent.add(r, c.seq, c.store.lifetimes.oldest())
	return nil
}

// write makes the accepted requests durable, in their order.
func (c *committer) write(accepted []*request) {
	s := c.store
	b, err := c.batch(accepted)
	if err != nil {
		s.fatal("build the batch of a group: %v", err)
	}
	began := time.Now()
	s.apply(b)
	s.metrics.sync(time.Since(began))
	s.publish(accepted)
	for _, r := range accepted {
		r.answer()
	}
}

// batch joins the batches of the accepted requests, the new values of the counters and
// the commit number.
func (c *committer) batch(accepted []*request) (*pebble.Batch, error) {
	b := accepted[0].batch
	for i, r := range accepted {
		if i > 0 {
			if err := b.Apply(r.batch, nil); err != nil {
				return nil, err
			}
			_ = r.batch.Close() // only returns memory
		}
		c.counters.forget(r)
		for _, d := range r.deltas {
			if err := c.counters.add(c.store.db, d); err != nil {
				return nil, err
			}
		}
	}
	if err := c.counters.flush(b); err != nil {
		return nil, err
	}
	return b, c.putSeq(b)
}

func (c *committer) putSeq(b *pebble.Batch) error {
	return b.Set(seqKey, table.AppendCount(nil, int64(c.seq)), nil)
}

// seqKey holds the number of the last commit. It is written with every group, and
// compared with the watermark when the store opens.
var seqKey = table.AppendMeta(nil, table.StoreGraph, "commit seq")
