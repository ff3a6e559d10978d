package pebble

import (
	"bytes"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// cursor is an iterator over a state.
type cursor struct {
	st      *state
	it      *pebble.Iterator
	bounded bool // by the last Seek
	reverse bool
	// Of Forward, see there.
	near   bool   // the iterator has no bounds, and steps from range to range
	to     []byte // the end of the range that it is in then
	skip   int    // ranges to be sought before steps are tried again
	missed int    // ranges that steps did not reach
}

var _ occ.Cursor = (*cursor)(nil)

// Get implements occ.Cursor.
func (c *cursor) Get(key []byte) ([]byte, error) {
	c.near = false
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
	c.bounded, c.reverse, c.near = true, reverse, false
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

const (
	stepsMax = 8  // from one range to the next
	skipMax  = 63 // ranges
)

// Forward implements occ.Cursor. Rows that lie side by side, as in a scan, are reached by
// steps; a step over what is left of a row costs one. Where ranges lie far apart steps are
// in vain, and are tried ever more seldom.
func (c *cursor) Forward(from, to []byte) (key, value []byte, err error) {
	if c.skip > 0 {
		c.skip--
		return c.Seek(from, to, false)
	}
	valid, reached := false, true
	if c.near {
		valid, reached = c.approach(from)
	} else {
		c.it.SetBounds(nil, nil)
		valid = c.it.SeekGE(from)
	}
	if !reached {
		c.missed = min(2*c.missed+1, skipMax)
		c.skip = c.missed
		return c.Seek(from, to, false)
	}
	if c.near {
		c.missed = 0
	}
	c.bounded, c.reverse, c.near, c.to = false, false, true, to
	return c.within(c.at(valid))
}

// approach steps to the first key at or behind from; reached is false when that is far.
func (c *cursor) approach(from []byte) (valid, reached bool) {
	row, ok := c.st.s.opts.Layout.Row(from)
	valid = c.it.Valid()
	for range stepsMax {
		if !valid || bytes.Compare(c.it.Key(), from) >= 0 {
			return valid, true
		}
		if ok && bytes.HasPrefix(c.it.Key(), row) {
			valid = c.it.Next()
		} else {
			valid = c.it.NextPrefix()
		}
	}
	return valid, !valid || bytes.Compare(c.it.Key(), from) >= 0
}

// within ends a range that Forward began.
func (c *cursor) within(key, value []byte, err error) ([]byte, []byte, error) {
	if len(c.to) > 0 && bytes.Compare(key, c.to) >= 0 {
		return nil, nil, err
	}
	return key, value, err
}

// Next implements occ.Cursor.
func (c *cursor) Next() (key, value []byte, err error) {
	if c.near {
		return c.within(c.at(c.it.Next()))
	}
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
	c.near, c.to, c.skip, c.missed = false, nil, 0, 0
	c.st.mu.Lock()
	if len(c.st.idle) < idleCursors {
		c.st.idle = append(c.st.idle, c)
		c.st.mu.Unlock()
		return nil
	}
	c.st.mu.Unlock()
	return c.it.Close()
}
