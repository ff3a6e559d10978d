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

// walkFrom is the number of deltas of one commit from which an iterator is cheaper than a
// search from the top for each: they ascend, and most are of counters that are not there.
const walkFrom = 64

// add changes counters by deltas, whose keys ascend.
func (c *counters) add(db *pebble.DB, deltas []occ.Delta) error {
	if len(deltas) == 0 {
		return nil
	}
	if c.values == nil {
		c.values = map[string]*count{}
	}
	read := func(key []byte) (int64, error) { return readCounter(db, key) }
	if len(deltas) >= walkFrom {
		w, err := newCounterWalk(db, deltas[len(deltas)-1].Key)
		if err != nil {
			return err
		}
		defer func() { _ = w.it.Close() }() // what it met was said by read
		read = w.read
	}
	for _, d := range deltas {
		n := c.values[string(d.Key)]
		if n == nil {
			value, err := read(d.Key)
			if err != nil {
				return err
			}
			n = &count{key: bytes.Clone(d.Key), value: value}
			c.values[string(n.key)] = n
		}
		if n.value += d.By; !n.dirty {
			n.dirty = true
			c.dirty = append(c.dirty, n)
		}
	}
	return nil
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
	return counterOf(key, b)
}

func counterOf(key, b []byte) (int64, error) {
	n, ok := storage.Count(b)
	if !ok {
		return 0, fmt.Errorf("read counter %x: a value of %d bytes", key, len(b))
	}
	return n, nil
}

// counterWalk reads counters in the order of their keys. Those that the iterator has gone
// past without seeing them are not there.
type counterWalk struct {
	it      *pebble.Iterator
	started bool
}

func newCounterWalk(db *pebble.DB, last []byte) (*counterWalk, error) {
	it, err := db.NewIter(&pebble.IterOptions{UpperBound: append(bytes.Clone(last), 0)})
	if err != nil {
		return nil, fmt.Errorf("read counters: %w", err)
	}
	return &counterWalk{it: it}, nil
}

func (w *counterWalk) read(key []byte) (int64, error) {
	if !w.started || w.it.Valid() && bytes.Compare(w.it.Key(), key) < 0 {
		w.started = true
		w.it.SeekGE(key)
	}
	if !w.it.Valid() {
		if err := w.it.Error(); err != nil {
			return 0, fmt.Errorf("read counter %x: %w", key, err)
		}
		return 0, nil
	}
	if !bytes.Equal(w.it.Key(), key) {
		return 0, nil
	}
	b, err := w.it.ValueAndErr()
	if err != nil {
		return 0, fmt.Errorf("read counter %x: %w", key, err)
	}
	return counterOf(key, b)
}

// flush writes the new values into b.
func (c *counters) flush(b *pebble.Batch) error {
	var buf []byte
	for _, n := range c.dirty {
		buf = storage.AppendCount(buf[:0], n.value)
		if err := b.Set(n.key, buf, nil); err != nil {
			return err
		}
		n.dirty = false
	}
	clear(c.dirty)
	c.dirty = c.dirty[:0]
	if len(c.values) > countersMax { // nor is the room kept that one commit needed
		c.values, c.dirty = nil, nil
	}
	return nil
}
