package pebble

import (
	"bytes"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// ownBatchBytes is the size from which a transaction makes a batch of its own, before it
// queues: the committer has only one goroutine. The writes of one above ownBatchMax are left
// to the committer all the same, which encodes a group at a time: those that wait are not in
// memory twice.
const (
	ownBatchBytes = 32 << 10
	ownBatchMax   = 16 << 20
)

// prepared is what a transaction has made for the committer.
type prepared struct {
	batch *pebble.Batch // what is deleted by ranges, and the writes that join writes unless left is set
	left  bool          // the writes are left to the committer
}

// Prepare implements occ.Base.
func (e *engine) Prepare(c *occ.Commit) error {
	small := c.Size < ownBatchBytes && len(c.Ranges) == 0
	left := small || c.Size > ownBatchMax
	if left && len(c.Ranges) == 0 {
		return nil
	}
	size := int64(0)
	if !left {
		size = batchBytes(c)
	}
	b, paid := newBatch(e.s.db, size), int64(0)
	for _, s := range c.Ranges {
		if err := writeRange(b, c.Beneath(), s); err != nil {
			return err
		}
		if more := int64(b.Len()) - paid; more > rangesBytes {
			if err := c.Charge(more); err != nil {
				return err
			}
			paid += more
		}
	}
	if !left {
		for i := range c.Writes {
			if err := put(b, &c.Writes[i]); err != nil {
				return err
			}
		}
	}
	c.Prepared = &prepared{b, left}
	c.Size = max(c.Size, int64(b.Len())) // what the ranges became is in no write set
	return nil
}

// rangesBytes is how much of a batch ranges may become before that is charged.
const rangesBytes = 64 << 10

// expandAtMost is the number of keys up to which a range deletion is written as that
// many deletions. Pebble keeps range tombstones in a list that each write to it makes
// anew; dropping many small rows would be quadratic.
const expandAtMost = 512

// expandBytes bounds a batch to which such deletions are added.
const expandBytes = 16 << 20

// writeRange deletes s: key by key when there are few, which is the same thing because
// a concurrent write within s is a conflict.
func writeRange(b *pebble.Batch, beneath storage.Reader, s occ.Span) error {
	to := s.To
	if len(to) == 0 {
		to = afterAll
	}
	if b.Len() > expandBytes {
		return b.DeleteRange(s.From, to, nil)
	}
	it := beneath.Scan(storage.ScanOptions{From: s.From, To: s.To})
	var keys []byte
	var ends []int // of each
	for len(ends) <= expandAtMost && it.Next() {
		keys = append(keys, it.Key()...)
		ends = append(ends, len(keys))
	}
	if err := it.Close(); err != nil {
		return err
	}
	if len(ends) > expandAtMost {
		return b.DeleteRange(s.From, to, nil)
	}
	first := 0
	for _, end := range ends {
		if err := b.Delete(keys[first:end], nil); err != nil {
			return err
		}
		first = end
	}
	return nil
}

// afterAll is behind every key that a transaction may write (see occ.Tx).
var afterAll = bytes.Repeat([]byte{0xff}, 16)
