package pebble

import (
	"bytes"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// join makes one batch of the writes but for the deltas and what is stamped. They may be in
// any order, because no two commits of a group write the same key, unless to the same value.
func (e *engine) join(group []*occ.Commit) (*pebble.Batch, error) {
	var b *pebble.Batch
	size := int64(0)
	rest := e.rest[:0]
	for _, c := range group {
		p, _ := c.Prepared.(*prepared)
		if p == nil || p.left {
			rest = append(rest, c.Writes)
			size += batchBytes(c)
		}
		switch {
		case p == nil:
		case b == nil:
			b = p.batch
		default:
			if err := b.Apply(p.batch, nil); err != nil {
				return nil, err
			}
			_ = p.batch.Close() // only returns memory
		}
	}
	if b == nil {
		b = newBatch(e.s.db, size)
	}
	err := putAll(b, &e.s.opts.Layout, rest)
	clear(rest)
	e.rest = rest[:0]
	return b, err
}

// newBatch returns a batch with room for size bytes: one that grows has twice what it needs,
// and thrice while it does.
func newBatch(db *pebble.DB, size int64) *pebble.Batch {
	return db.NewBatchWithSize(int(size) + 128)
}

// batchBytes is what the writes of a commit become in a batch, at most.
func batchBytes(c *occ.Commit) int64 {
	const head, sum = 1 + 2*5, 8 // kind and lengths; the value of a counter
	if c.Size < ownBatchBytes {
		return c.Size + sum*int64(len(c.Deltas))
	}
	n := sum * int64(len(c.Deltas))
	for i := range c.Writes {
		n += int64(head + len(c.Writes[i].Key) + len(c.Writes[i].Value))
	}
	return n
}

// putAll writes table by table: a memory table starts a search where the last one
// ended, and neighbours are found there. It uses up rest.
func putAll(b *pebble.Batch, l *storage.Layout, rest [][]occ.Write) error {
	for {
		table, left := leastTable(l, rest)
		if !left {
			return nil
		}
		for i, writes := range rest {
			for len(writes) > 0 && bytes.Equal(l.Table(writes[0].Key), table) {
				if err := put(b, &writes[0]); err != nil {
					return err
				}
				writes = writes[1:]
			}
			rest[i] = writes
		}
	}
}

// leastTable is the first table that is left, false when nothing is.
func leastTable(l *storage.Layout, rest [][]occ.Write) (least []byte, left bool) {
	for _, writes := range rest {
		if len(writes) == 0 {
			continue
		}
		if t := l.Table(writes[0].Key); !left || bytes.Compare(t, least) < 0 {
			least, left = t, true
		}
	}
	return least, left
}

// put writes what is no delta and not stamped.
func put(b *pebble.Batch, w *occ.Write) error {
	switch {
	case w.Delta, w.Stamped():
		return nil
	case w.Delete:
		return b.Delete(w.Key, nil)
	}
	return b.Set(w.Key, w.Value, nil)
}
