package occ

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// committer is the one place where commits are ordered. Its goroutine takes all
// waiting requests as a group, and for the group does, in this order:
//
//	validate each, in order  against recent commits and the group's earlier ones
//	write through the Base   which returns when the group is durable
//	tell the listeners       in commit order
//	publish                  the new state, which whoever begins now shares
//	answer
//
// So what any reader can see is durable, and a loser that runs again sees the winner.
type committer struct {
	store  *Store
	queue  *queue
	done   chan struct{} // closed when the goroutine has ended
	recent recent
	much   atomic.Bool   // recent keeps so much that it should not wait for the next commit
	seq    uint64        // last number given out
	stamp  storage.Stamp // last one given out

	alone    []holder   // each keeps others from committing within its keys
	turns    []*request // waiting to be alone
	held     []*request // commits that wait for the end of one that is alone
	expected int        // writers that are likely to come: the recent groups' size

	accepted, refused []*request // of the group at hand
	group             []*Commit  // accepted, as the Base gets it
}

// groupMax bounds the requests in a group.
const groupMax = 1024

// submit queues r and waits for the answer. When ctx ends first, r is withdrawn; once
// the committer has taken it, submit waits CommitWait longer and then gives up.
func (c *committer) submit(ctx context.Context, r *request) (uint64, error) {
	if !c.queue.add(r) {
		return 0, storage.ErrClosed
	}
	answered := false
	select {
	case <-r.done:
		answered = true
	case <-c.store.dead:
	case <-ctx.Done():
		if r.state.CompareAndSwap(waiting, withdrawn) {
			r.leave()
			return 0, fmt.Errorf("commit not started: %w", ctx.Err())
		}
		answered = c.outlast(r)
	}
	select {
	case <-c.store.dead: // answer nothing once the store has died
		r.leave()
		return 0, fmt.Errorf("the store stopped during the commit: %w", storage.ErrUndetermined)
	default:
	}
	if !answered {
		r.leave()
		return 0, fmt.Errorf("no answer after %v: %w", c.store.opts.CommitWait, storage.ErrUndetermined)
	}
	seq, err := r.Seq, r.err
	r.recycle()
	return seq, err
}

// outlast waits for a request that can no longer be withdrawn. It is false when the
// answer did not come.
func (c *committer) outlast(r *request) bool {
	timer := time.NewTimer(c.store.opts.CommitWait)
	defer timer.Stop()
	select {
	case <-r.done:
		return true
	case <-c.store.dead:
	case <-timer.C:
	}
	return false
}

// run is the committer's goroutine.
func (c *committer) run() {
	defer close(c.done)
	defer c.recent.rest()
	for {
		waiting, open := c.queue.take(c.expected, c.store.opts.GroupWait)
		if !open {
			c.refuse(waiting)
			return
		}
		c.serve(waiting)
		c.queue.reuse(waiting)
	}
}

// refuse answers what is still waiting when the store closes.
func (c *committer) refuse(waiting []*request) {
	for _, r := range slices.Concat(c.held, c.turns, waiting) {
		r.fail(storage.ErrClosed)
	}
	c.held, c.turns = nil, nil
}

// serve handles requests in their order, commits in groups.
func (c *committer) serve(waiting []*request) {
	first := 0
	for i, r := range waiting {
		if r.kind != commitWrites {
			c.commit(waiting[first:i])
			c.control(r)
			first = i + 1
		}
	}
	c.commit(waiting[first:])
}

// control handles requests that are not plain commits.
func (c *committer) control(r *request) {
	switch r.kind {
	case commitBy:
		c.commitBy(r)
	case acquireAlone:
		c.turns = append(c.turns, r)
		c.nextTurns()
	case releaseAlone:
		c.endAlone(r.tx)
		r.answer()
	case refreshTx:
		c.refresh(r)
	case passStamp:
		if r.pass > max(c.stamp, storage.LastOf(c.store.opts.Now())) {
			r.fail(storage.ErrFuture)
			return
		}
		c.stamp = max(c.stamp, r.pass)
		r.answer()
	case forgetRecent:
		c.recent.prune(c.store.lifetimes.oldest())
		r.answer()
	}
}

// muchBytes is how much recent may keep of commits that nobody can conflict with any more,
// until the next commit.
const muchBytes = 1 << 20

// idle is called when no transaction is open that could lose a conflict.
func (c *committer) idle() {
	if c.much.Load() && c.much.CompareAndSwap(true, false) {
		c.queue.add(newRequest(forgetRecent, nil)) // nobody waits for the answer
	}
}

// commit commits requests in groups, each as a whole.
func (c *committer) commit(waiting []*request) {
	for len(waiting) > 0 {
		n := groupLen(waiting, c.store.opts.Limits.GroupBytes)
		c.commitGroup(waiting[:n])
		waiting = waiting[n:]
	}
}

// groupLen is how many of the requests make one group: at least one, and no more than
// have maxBytes.
func groupLen(waiting []*request, maxBytes int64) int {
	n := 1
	for size := waiting[0].Size; n < min(len(waiting), groupMax); n++ {
		if size += waiting[n].Size; size > maxBytes {
			break
		}
	}
	return n
}

// commitGroup makes a group durable, publishes it and answers.
func (c *committer) commitGroup(group []*request) {
	c.sort(group)
	if c.recent.bytes > muchBytes { // before the transactions end
		c.much.Store(true)
	}
	c.expected = max(hasty(c.accepted)+hasty(c.refused), c.expected-1-c.expected/8)
	c.store.counts.group(len(c.accepted), len(c.refused)) // before anybody is answered
	if len(c.accepted) > 0 {
		c.write(c.accepted)
	}
	for _, r := range c.refused { // after publishing, so that a rerun sees who won
		r.answer()
	}
	if invariants {
		c.recent.check()
	}
}

// hasty is how many requests did not wait for others: about so many come together again.
func hasty(list []*request) (n int) {
	for _, r := range list {
		if r.patience == 0 {
			n++
		}
	}
	return n
}

// sort validates the requests of a group, in their order.
func (c *committer) sort(group []*request) {
	clear(c.accepted)
	clear(c.refused)
	c.accepted, c.refused = c.accepted[:0], c.refused[:0]
	oldest := c.store.lifetimes.oldest()
	c.recent.prune(oldest) // now, not before: the last group's writers are gone
	for _, r := range group {
		switch {
		case len(c.alone) > 0 && c.mustWait(r):
			c.held = append(c.held, r)
			continue
		case !r.state.CompareAndSwap(waiting, taken):
			continue // withdrawn
		}
		if r.err = c.accept(r, oldest); r.err != nil {
			c.refused = append(c.refused, r)
		} else {
			c.accepted = append(c.accepted, r)
		}
	}
}

// accept validates r and gives it its number, and its stamp if it wants one: before it is
// compared, because the stamp may be part of a key.
func (c *committer) accept(r *request, oldest uint64) error {
	if invariants {
		checkRequest(r, c.store.Seq())
	}
	if r.stamped {
		r.fill(c.stamp.After(c.store.opts.Now()))
	}
	if err := c.recent.validate(r); err != nil {
		return err
	}
	if r.admit != nil {
		if err := r.admit(storage.Commit{Seq: c.seq + 1, Each: r.each}); err != nil {
			return err
		}
	}
	c.seq++
	r.Seq = c.seq
	c.stamp = max(c.stamp, r.Stamp)
	c.recent.add(r, c.seq, oldest)
	return nil
}

// write makes the accepted requests durable, in their order.
func (c *committer) write(accepted []*request) {
	c.group = c.group[:0]
	for _, r := range accepted {
		c.group = append(c.group, &r.Commit)
	}
	c.store.base.Write(c.group)
	clear(c.group)
	c.store.publish(accepted)
	for _, r := range accepted {
		r.answer()
	}
}

// commitBy has a request write its commit itself. That of Store.CommitBy is compared with
// nothing: whatever is in its way, write finds there, because all before it is published.
func (c *committer) commitBy(r *request) {
	if c.mustWait(r) {
		c.held = append(c.held, r)
		return
	}
	if !r.state.CompareAndSwap(waiting, taken) {
		return
	}
	var err error
	switch {
	case r.beside != nil:
		err = c.beside(r)
	case r.tx != nil:
		err = c.recent.validate(r)
	}
	if err == nil {
		err = r.by(c.seq + 1)
	}
	if err != nil {
		r.fail(err)
		return
	}
	c.seq++
	r.Seq = c.seq
	c.recent.add(r, c.seq, c.store.lifetimes.oldest())
	c.store.publish([]*request{r})
	r.answer()
}
