package pebble

import (
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// engine is Pebble as the transactions see it.
type engine struct {
	s        *Store
	counters counters
	rest     [][]occ.Write // of joining a group
}

var _ occ.Base = (*engine)(nil)

// State implements occ.Base.
func (e *engine) State() occ.State { return &state{s: e.s, snap: e.s.db.NewSnapshot()} }

// Writable implements occ.Base: it refuses writes while the disk is nearly full.
func (e *engine) Writable() error {
	if d := &e.s.disk; d.full.Load() {
		return fmt.Errorf("disk full: server is read-only until more than %d bytes are free (diskReserve): %w", d.reserve.Load(), storage.ErrReadOnly)
	}
	return nil
}

// Write implements occ.Base: one batch, and one sync of the log.
func (e *engine) Write(group []*occ.Commit) {
	b, err := e.batch(group)
	if err != nil {
		e.s.fatal("build the batch of a group: %v", err)
	}
	began := time.Now()
	e.s.apply(b)
	e.s.metrics.sync(time.Since(began))
	e.s.beside.last.Store(int64(time.Since(epoch)))
}

// batch makes one batch of a group, with the new values of the counters, the number of
// the last commit, and that of the last one before.
func (e *engine) batch(group []*occ.Commit) (*pebble.Batch, error) {
	b, err := e.join(group)
	if err != nil {
		return nil, err
	}
	stamp := storage.Stamp(0)
	for _, c := range group {
		if c.Stamp != 0 {
			stamp = c.Stamp
			if err := putStamped(b, c); err != nil {
				return nil, err
			}
		}
		e.counters.forget(c.Ranges, c.Writes)
		if err := e.counters.add(e.s.db, c.Deltas); err != nil {
			return nil, err
		}
	}
	if err := e.counters.flush(b); err != nil {
		return nil, err
	}
	if stamp != 0 {
		if err := b.Set(e.s.opts.Layout.Stamp, storage.AppendStamp(nil, stamp), nil); err != nil {
			return nil, err
		}
	}
	if err := appendLink(b, group[0].Seq-1); err != nil {
		return nil, err
	}
	return b, e.putSeq(b, group[len(group)-1].Seq)
}

// putStamped writes what has the stamp of a commit in it: in the order of the commits, for
// they may write the same key, and the last one's stays.
func putStamped(b *pebble.Batch, c *occ.Commit) error {
	for i := range c.Writes {
		if w := &c.Writes[i]; w.Stamped() {
			if err := b.Set(w.Key, w.Value, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// putSeq writes the number of the last commit, with every group: it is compared with the
// watermark when the store opens.
func (e *engine) putSeq(b *pebble.Batch, seq uint64) error {
	return b.Set(e.s.opts.Layout.Seq, storage.AppendCount(nil, int64(seq)), nil)
}
