package pebble

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// counters turns deltas into new values when they are committed: one value per counter
// and group instead of one merge operand per commit, which every read would have to
// add up. The committer alone uses it, so its memory of values is never stale.
//
// Within a group no delta follows a set or a deletion of the same key, because such
// writes conflict; hence forget may come before add.
type counters struct {
	values map[string]*count
	dirty  []*count // to be written with the group
}

// count is one counter's newest value.
type count struct {
	key   []byte
	value int64
	dirty bool
}

const countersMax = 4096 // values kept between groups

// forget drops the values that a commit overwrites.
func (c *counters) forget(ranges []occ.Span, writes []occ.Write) {
	if len(c.values) == 0 {
		return
	}
	if len(ranges) > 0 {
		for key := range c.values {
			if occ.Within(ranges, []byte(key)) {
				delete(c.values, key)
			}
		}
	}
	for i := range writes {
		if w := &writes[i]; !w.Delta {
			delete(c.values, string(w.Key))
		}
	}
}

// add changes a counter by a delta.
func (c *counters) add(db *pebble.DB, d occ.Delta) error {
	n, err := c.count(db, d.Key)
	if err != nil {
		return err
	}
	n.value += d.By
	if !n.dirty {
		n.dirty = true
		c.dirty = append(c.dirty, n)
	}
	return nil
}

func (c *counters) count(db *pebble.DB, key []byte) (*count, error) {
	if n := c.values[string(key)]; n != nil {
		return n, nil
	}
	value, err := readCounter(db, key)
	if err != nil {
		return nil, err
	}
	if c.values == nil {
		c.values = map[string]*count{}
	}
	n := &count{key: bytes.Clone(key), value: value}
	c.values[string(n.key)] = n
	return n, nil
}

func readCounter(db *pebble.DB, key []byte) (int64, error) {
	b, closer, err := db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read counter %x: %w", key, err)
	}
	defer func() { _ = closer.Close() }() // only returns memory
	n, ok := storage.Count(b)
	if !ok {
		return 0, fmt.Errorf("read counter %x: a value of %d bytes", key, len(b))
	}
	return n, nil
}

// flush writes the new values into b.
func (c *counters) flush(b *pebble.Batch) error {
	for _, n := range c.dirty {
		if err := b.Set(n.key, storage.AppendCount(nil, n.value), nil); err != nil {
			return err
		}
		n.dirty = false
	}
	clear(c.dirty)
	c.dirty = c.dirty[:0]
	if len(c.values) > countersMax {
		clear(c.values)
	}
	return nil
}
