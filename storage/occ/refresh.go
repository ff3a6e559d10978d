package occ

import (
	"context"
	"errors"

	"github.com/gremlind/gremlind/storage"
)

// Refresh implements storage.Tx. The committer compares what the transaction has written
// and guarded with the commits since, and in the same step hands out the newest state:
// so the next comparison need look only at what comes behind that.
func (t *Tx) Refresh(ctx context.Context) error {
	if err := t.usable(); err != nil {
		return err
	}
	if t.opts.Isolation != storage.CommittedIsolation || t.Seq() == t.store.Seq() {
		return nil
	}
	switch {
	case t.opts.ReadOnly:
		return t.moveTo(t.store.lifetimes.acquire(false))
	case t.over.empty() && len(t.guards) == 0 || t.failed != nil:
		return t.moveTo(t.store.lifetimes.advance(t.Seq()))
	}
	r := newRequest(refreshTx, t)
	r.start = t.Seq()
	if t.over.empty() {
		r.guards = t.guards
	} else {
		r.take(t)
	}
	_, err := t.store.committer.submit(ctx, r)
	if errors.Is(err, storage.ErrUndetermined) {
		t.over, t.failed = nil, err // the committer may still read it
	}
	if err != nil && !errors.Is(err, storage.ErrConflict) {
		return err
	}
	t.failed = err
	sh := t.fresh
	t.fresh = nil
	return t.moveTo(sh)
}

// moveTo has the transaction read another state, which it takes over; nil when the store
// is closed.
func (t *Tx) moveTo(sh *shared) error {
	if sh == nil {
		return storage.ErrClosed
	}
	old := t.base
	t.base = &snapshot{sh: sh, owned: true, ctx: old.ctx, scans: scansOf(&t.opts)}
	if old.open != nil {
		t.olds = append(t.olds, old)
		return nil
	}
	return old.close()
}

// refresh answers Refresh.
func (c *committer) refresh(r *request) {
	if !r.state.CompareAndSwap(waiting, taken) {
		return
	}
	r.err = c.recent.validate(r)
	if r.tx.fresh = c.store.lifetimes.advance(r.start); r.tx.fresh == nil {
		r.err = storage.ErrClosed
	}
	r.answer()
}

// advance is acquire for a read-write transaction that began at seq and begins anew.
func (l *lifetimes) advance(seq uint64) *shared {
	sh := l.acquire(true)
	if sh != nil {
		l.ended(seq)
	}
	return sh
}
