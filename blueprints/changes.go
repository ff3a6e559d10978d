package blueprints

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// What commits of a graph with history changed, in terms of elements. A commit lists the cells
// that it changed; what each was before it and behind it history says. Adjacency, labels, ids
// and entries of indexes follow from elements, and are no changes of their own.

// ChangeOp is what happened to an element or to a property.
type ChangeOp uint8

// The operations. Properties of an element go with it: dropping it is one change.
const (
	OpAdd    ChangeOp = iota + 1 // the element was added
	OpDrop                       // it was dropped
	OpSet                        // a property was added or replaced, or one of its own properties was
	OpRemove                     // a property was removed
	OpPurge                      // something happened that nobody may know any more
)

var changeOps = [...]string{OpAdd: "add", OpDrop: "drop", OpSet: "set", OpRemove: "remove", OpPurge: "purge"}

// String is the name that clients are told.
func (o ChangeOp) String() string { return changeOps[o] }

// Change is what a commit did to an element, or to a property of it.
type Change struct {
	Op    ChangeOp
	Class ElementClass
	// Element is the internal id, which no other element ever has.
	Element uint64
	// ID and Label are those of the element; there are none of one that was purged.
	ID    value.Value
	Label Symbol
	// Out and In are the ends of an edge; OutID and InID are their ids, when the edge was
	// added or dropped.
	Out, In     VertexID
	OutID, InID value.Value
	// Key is that of a property, with what it was before and behind the commit, nil where it
	// was not there. Of a property of a vertex, Ordinal tells it from others of its key; a single
	// one that took the place of one of many has another than that had.
	Key           Symbol
	Ordinal       uint64
	Before, After *PropertyEntry
}

// Commit is a commit of a graph with history.
type Commit struct {
	// Version is its stamp: later ones are greater.
	Version storage.Stamp
	// Author is who made it.
	Author table.Author

	changed table.Changed
	keys    [][]byte // what it changed of one element, in place of changed
	t       *Tx
	shown   *Restricted // for whom, nil for who sees all
	cells   cellReaders
}

// Time is when it was made, in milliseconds.
func (c *Commit) Time() time.Time { return c.Version.Time() }

// BeforeHistoryError is the error of who asks for what history does not know.
type BeforeHistoryError struct {
	Exception
	// Floor is since when it knows all.
	Floor storage.Stamp
}

func beforeHistory(floor storage.Stamp, format string, args ...any) error {
	return &BeforeHistoryError{Exception{"java.lang.IllegalArgumentException", fmt.Sprintf(format, args...)}, floor}
}

// HistoryFloor returns the stamp since when history knows all that changed: that is asked of what
// the transaction reads. A graph without history is an error.
func (t *Tx) HistoryFloor() (storage.Stamp, error) {
	floor, err := floorOf(t.tx.Snapshot(), t.g.number)
	if err == nil && floor == 0 {
		err = t.g.withoutPast()
	}
	return floor, err
}

// EachCommit calls fn for the commits behind the stamp after and up to the stamp to, in their order
// or backwards, until it has no more of them. after 0 is where history begins, to 0 is now; a
// stamp before history is a *BeforeHistoryError. It reads what the transaction began with, not
// what it has written. The Commit is valid during the call.
func (t *Tx) EachCommit(after, to storage.Stamp, reverse bool, fn func(*Commit) (more bool, err error)) error {
	return t.eachCommit(after, to, reverse, nil, fn)
}

// EachCommit calls fn for commits: what is denied did not change.
func (r *Restricted) EachCommit(after, to storage.Stamp, reverse bool, fn func(*Commit) (more bool, err error)) error {
	return r.tx.eachCommit(after, to, reverse, r, fn)
}

// HistoryFloor returns the stamp since when history knows all.
func (r *Restricted) HistoryFloor() (storage.Stamp, error) { return r.tx.HistoryFloor() }

func (t *Tx) eachCommit(after, to storage.Stamp, reverse bool, shown *Restricted, fn func(*Commit) (bool, error)) error {
	after, to, err := t.commitBounds(after, to)
	if err != nil || after >= to {
		return err
	}
	it := t.tx.Snapshot().Scan(storage.ScanOptions{From: table.AppendCommit(nil, t.g.number, after+1), To: table.AppendCommit(nil, t.g.number, to+1), Reverse: reverse})
	defer it.Close()
	for it.Next() {
		if err := t.polled(); err != nil {
			return err
		}
		c, err := t.commit(it.Key(), it.Value())
		if err != nil {
			return err
		}
		c.shown = shown
		if more, err := fn(c); !more || err != nil {
			return err
		}
	}
	return it.Err()
}

// commitBounds returns bounds that are within history, and no later than what t reads.
func (t *Tx) commitBounds(after, to storage.Stamp) (storage.Stamp, storage.Stamp, error) {
	floor, err := t.HistoryFloor()
	if err != nil {
		return 0, 0, err
	}
	if to == 0 {
		to = math.MaxInt64
	}
	if t.asOf != 0 {
		to = min(to, t.asOf)
	}
	switch {
	case after == 0:
		after = floor
	case after < floor:
		return 0, 0, beforeHistory(floor, "changes before %s are no longer kept (%s: %s)", stampText(after), OptionHistory, t.g.Options().History)
	}
	return after, to, nil
}

// stampText is a time, or a version by its number alone.
func stampText(s storage.Stamp) string { return strings.TrimPrefix(TimeText(s), "version ") }

// polled returns why the request is over.
func (t *Tx) polled() error {
	if t.ctx == nil || t.ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("read history: %w", t.ctx.Err())
}

func (t *Tx) commit(key, val []byte) (*Commit, error) {
	_, version, err := table.DecodeCommit(key)
	if err != nil {
		return nil, corrupt("commit", err)
	}
	c := &Commit{Version: version, t: t, changed: table.DecodeChanged(val)}
	if c.changed.Err() != nil {
		return nil, c.changed.Err()
	}
	if c.Author, err = table.DecodeAuthor(c.changed.Note); err != nil {
		return nil, err
	}
	c.cells = t.cellsAround(version)
	return c, nil
}

// cellReaders read cells as they were before a commit, and behind it. Before may be nil: then there
// was nothing.
type cellReaders struct {
	before, after storage.Reader
	span          *past.Span // both, nil where Before is
}

// cellsAround reads cells as they were before a commit, and behind it.
func (t *Tx) cellsAround(version storage.Stamp) cellReaders {
	return t.cellsBetween(version-1, version)
}

func (t *Tx) cellsBetween(from, to storage.Stamp) cellReaders {
	span := past.Around(t.tx.Snapshot(), t.g.number, from, to)
	return cellReaders{before: span.Before(), after: span.After(), span: span}
}

// around reads a cell before and behind, nil where there was none. The slices are the caller's.
func (r *cellReaders) around(key []byte) (before, after []byte, err error) {
	if r.span != nil {
		return r.span.Get(key)
	}
	after, err = cellOf(r.after, key)
	return nil, slices.Clone(after), err
}

// cellOf reads a cell, nil for none.
func cellOf(r storage.Reader, key []byte) ([]byte, error) {
	if r == nil {
		return nil, nil
	}
	b, err := r.Get(key)
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return nil, nil
	case err == nil && b == nil:
		return []byte{}, nil
	}
	return b, err
}
