package pebble

import (
	"bytes"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// state is a snapshot of Pebble, with cursors that wait for their next reader: to open
// an iterator costs far more than to move one.
type state struct {
	s    *Store
	snap *pebble.Snapshot

	mu    sync.Mutex
	idle  []*cursor
	first cursor // allocated with the state: few have more
	begun bool   // first was given out
}

const idleCursors = 16 // kept per state

var _ occ.State = (*state)(nil)

// Cursor implements occ.State.
func (st *state) Cursor() (occ.Cursor, error) {
	st.mu.Lock()
	if n := len(st.idle); n > 0 {
		c := st.idle[n-1]
		st.idle = st.idle[:n-1]
		st.mu.Unlock()
		return c, nil
	}
	c := &st.first
	if st.begun {
		c = &cursor{}
	}
	st.begun = true
	st.mu.Unlock()
	it, err := st.snap.NewIter(nil)
	if err != nil {
		return nil, st.s.readError(err)
	}
	c.st, c.it = st, it
	return c, nil
}

// dropIdle closes the cursors that nobody uses; they pin memory and files.
func (st *state) dropIdle() error {
	st.mu.Lock()
	idle := st.idle
	st.idle = nil
	st.mu.Unlock()
	var first error
	for _, c := range idle {
		if err := c.it.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Close implements occ.State.
func (st *state) Close() error {
	err := st.dropIdle()
	if cerr := st.snap.Close(); err == nil {
		err = cerr
	}
	return err
}

// cursor is an iterator over a state.
type cursor struct {
	st      *state
	it      *pebble.Iterator
	bounded bool // by the last Seek
	reverse bool
}

var _ occ.Cursor = (*cursor)(nil)

// Get implements occ.Cursor.
func (c *cursor) Get(key []byte) ([]byte, error) {
	if c.bounded {
		c.it.SetBounds(nil, nil)
		c.bounded = false
	}
	if c.it.SeekPrefixGE(key) && bytes.Equal(c.it.Key(), key) {
		v, err := c.it.ValueAndErr()
		return v, c.st.s.readError(err)
	}
	if err := c.it.Error(); err != nil {
		return nil, c.st.s.readError(err)
	}
	return nil, storage.ErrNotFound
}

// Seek implements occ.Cursor. A scan within one row asks its Bloom filter first.
func (c *cursor) Seek(from, to []byte, reverse bool) (key, value []byte, err error) {
	c.it.SetBounds(from, to)
	c.bounded, c.reverse = true, reverse
	switch {
	case reverse:
		return c.at(c.it.Last())
	case c.st.s.withinRow(from, to):
		return c.at(c.it.SeekPrefixGE(from))
	}
	return c.at(c.it.First())
}

// withinRow reports whether all keys of [from, to) are certain to be of one row.
func (s *Store) withinRow(from, to []byte) bool {
	row, ok := s.opts.Layout.Row(from)
	if !ok || len(to) == 0 {
		return false
	}
	var end [32]byte
	return bytes.HasPrefix(to, row) || bytes.Equal(to, storage.PrefixEnd(end[:0], row))
}

// Next implements occ.Cursor.
func (c *cursor) Next() (key, value []byte, err error) {
	if c.reverse {
		return c.at(c.it.Prev())
	}
	return c.at(c.it.Next())
}

// at returns what the iterator stands on.
func (c *cursor) at(valid bool) (key, value []byte, err error) {
	if !valid {
		return nil, nil, c.st.s.readError(c.it.Error())
	}
	if value, err = c.it.ValueAndErr(); err != nil {
		return nil, nil, c.st.s.readError(err)
	}
	return c.it.Key(), value, nil
}

// Close implements occ.Cursor. One that met an error is of no more use.
func (c *cursor) Close() error {
	if err := c.it.Error(); err != nil {
		_ = c.it.Close() // repeats err
		return c.st.s.readError(err)
	}
	c.st.mu.Lock()
	if len(c.st.idle) < idleCursors {
		c.st.idle = append(c.st.idle, c)
		c.st.mu.Unlock()
		return nil
	}
	c.st.mu.Unlock()
	return c.it.Close()
}
