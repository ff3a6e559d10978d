package pebble

import (
	"bytes"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
)

// ownBatchBytes is the size from which a transaction makes a batch of its own, before it
// queues: the committer has only one goroutine. The writes of one above ownBatchMax, or
// whose account has no room for a batch, are left to the committer all the same, which
// encodes a group at a time: those that wait are not in memory twice.
const (
	ownBatchBytes = 32 << 10
	ownBatchMax   = 16 << 20
)

// batch makes one batch of the accepted requests, the new values of the counters and
// the commit number.
func (c *committer) batch(accepted []*request) (*pebble.Batch, error) {
	b, err := c.join(accepted)
	if err != nil {
		return nil, err
	}
	for _, r := range accepted {
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
	if err := appendLink(b, c.store.Seq()); err != nil {
		return nil, err
	}
	return b, c.putSeq(b)
}

// join makes one batch of the writes but for the deltas. They may be in any order,
// because no two requests of a group write the same key.
func (c *committer) join(accepted []*request) (*pebble.Batch, error) {
	var b *pebble.Batch
	size := int64(0)
	rest := c.rest[:0]
	for _, r := range accepted {
		if r.left {
			rest = append(rest, r.writes)
			size += r.size
		}
		switch {
		case r.batch == nil:
		case b == nil:
			b = r.batch
		default:
			if err := b.Apply(r.batch, nil); err != nil {
				return nil, err
			}
			_ = r.batch.Close() // only returns memory
		}
	}
	if b == nil {
		b = newBatch(c.store.db, size)
	}
	err := putAll(b, &c.store.opts.Layout, rest)
	clear(rest)
	c.rest = rest[:0]
	return b, err
}

func newBatch(db *pebble.DB, size int64) *pebble.Batch {
	return db.NewBatchWithSize(int(min(size, 1<<20)) + 64)
}

// putAll writes table by table: a memory table starts a search where the last one
// ended, and neighbours are found there. It uses up rest.
func putAll(b *pebble.Batch, l *storage.Layout, rest [][]writtenKey) error {
	for {
		table, left := leastTable(l, rest)
		if !left {
			return nil
		}
		for i, writes := range rest {
			for len(writes) > 0 && bytes.Equal(l.Table(writes[0].key), table) {
				if err := writes[0].put(b); err != nil {
					return err
				}
				writes = writes[1:]
			}
			rest[i] = writes
		}
	}
}

// leastTable is the first table that is left, false when nothing is.
func leastTable(l *storage.Layout, rest [][]writtenKey) (least []byte, left bool) {
	for _, writes := range rest {
		if len(writes) == 0 {
			continue
		}
		if t := l.Table(writes[0].key); !left || bytes.Compare(t, least) < 0 {
			least, left = t, true
		}
	}
	return least, left
}

// put writes what is no delta.
func (w *writtenKey) put(b *pebble.Batch) error {
	switch {
	case w.soft:
		return nil
	case w.del:
		return b.Delete(w.key, nil)
	}
	return b.Set(w.key, w.value, nil)
}

// putSeq writes the number of the last commit, with every group: it is compared with the
// watermark when the store opens.
func (c *committer) putSeq(b *pebble.Batch) error {
	return b.Set(c.store.opts.Layout.Seq, storage.AppendCount(nil, int64(c.seq)), nil)
}
