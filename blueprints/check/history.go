package check

import (
	"errors"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// past checks a row of history: it is of a cell that is kept, and of a commit that there was.
func (c *checker) past(key, val []byte) error {
	cell, until, err := table.DecodePastRow(nil, key)
	if err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	if _, _, err := table.DecodePastValue(val); err != nil {
		c.bad("I1", key, "malformed value")
	}
	if !table.Kept(cell) {
		c.bad("I12", key, "no history is kept of such a cell")
	}
	return c.version(key, until)
}

// commit checks what a commit is said to have changed.
func (c *checker) commit(key, val []byte) error {
	graph, s, err := table.DecodeCommit(key)
	if err != nil {
		c.bad("I1", key, "malformed")
		return nil
	}
	if err := c.version(key, s); err != nil {
		return err
	}
	floor, err := c.floor(graph)
	if err != nil {
		return err
	}
	changed := table.DecodeChanged(val)
	if _, err := table.DecodeAuthor(changed.Note); err != nil {
		c.bad("I12", key, "its note of who made it cannot be read")
	}
	var row []byte
	for changed.Next() {
		row = append(table.AppendGraph(row[:0], graph), changed.Key()...)
		if !table.Kept(row) {
			c.bad("I12", key, "it says that %s changed, of which no history is kept", table.Describe(row))
			continue
		}
		_, found, err := c.get(table.AppendPastRow(nil, row, s))
		if err != nil {
			return err
		}
		if !found && s > floor { // what is before that is being forgotten, its rows first
			c.bad("I13", key, "it says that %s changed, and there is no row of what that was before", table.Describe(row))
		}
	}
	if changed.Err() != nil {
		c.bad("I1", key, "malformed")
	}
	return nil
}

// floor is the stamp before which the history of a graph knows nothing.
func (c *checker) floor(graph uint32) (storage.Stamp, error) {
	b, err := c.snap.Get(table.FloorKey(graph))
	if errors.Is(err, storage.ErrNotFound) {
		return 0, nil
	}
	n, _ := storage.Count(b)
	return storage.Stamp(n), err
}

// version checks that there was a commit with a stamp, in a graph that keeps what it changed.
func (c *checker) version(key []byte, s storage.Stamp) error {
	if !slices.Contains(c.options.Features(), blueprints.History) {
		c.bad("I12", key, "the graph does not use the feature %q", string(blueprints.History))
		return nil
	}
	if c.lastStamp == 0 {
		b, err := c.snap.Get(table.Layout.Stamp)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		n, _ := storage.Count(b)
		c.lastStamp = storage.Stamp(n)
	}
	if s > c.lastStamp {
		c.bad("I12", key, "version %d is behind the last one, %d", s, c.lastStamp)
	}
	return nil
}
