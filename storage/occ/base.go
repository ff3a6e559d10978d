package occ

import (
	"context"

	"github.com/gremlind/gremlind/storage"
)

// Base is what a Store needs of the engine beneath it: states to read, and a way to make
// one group of commits after the other durable. It knows nothing of transactions, and
// need not keep the writes of two goroutines apart: the committer alone writes.
type Base interface {
	// State returns all that was written so far. The Store asks when it starts and
	// after each group, from one goroutine, and closes what it got when nobody reads
	// it any more.
	State() State
	// Writable returns why nothing can be written at this time, nil while it can.
	// Transactions ask before they wait for the committer.
	Writable() error
	// Prepare may do some of the work of Write for one commit, on the goroutine of its
	// transaction: of those there are many, while there is one committer. What it makes
	// it keeps in c.Prepared. An error ends the transaction; nothing was written then.
	Prepare(c *Commit) error
	// Write makes a group durable, all of it or nothing, and returns when that is so. The
	// commits are in the order of their numbers, which go on from the last group's; no
	// two of them write the same key, unless both add to a counter, both set it to the
	// same value or both to one that has their stamps (see Write.Stamped). A Base that
	// cannot write, or does not know whether it has, calls Store.Fail and does not return.
	Write(group []*Commit)
	// Tables writes what sources hand out where no State shows it yet, see
	// storage.Tx.CommitTables. It is called on the goroutine of a transaction.
	Tables(ctx context.Context, sources []storage.KeySource) (Tables, error)
}

// Tables are keys that a Base has ready to be taken in.
type Tables interface {
	// Spans are where the keys lie, ascending and disjoint, one for each source that had any.
	Spans() []Span
	// TakeIn makes them part of what the Base holds, as commit seq, and with them keys that
	// are set along: durable when it returns nil, and nothing is there when it returns an
	// error. It is called as Write is.
	TakeIn(seq uint64, along []Write) error
	// Discard gives back what is left of them. It is called once.
	Discard()
}

// State is what a Base held at one time; it does not change. Any goroutine may take
// cursors from it.
type State interface {
	// Cursor returns a Cursor at no place.
	Cursor() (Cursor, error)
	// Close is called once, when no Cursor is open.
	Close() error
}

// Cursor reads a State. One goroutine at a time uses it. What its methods return is valid
// until the next call; a nil key says that there is nothing (more).
type Cursor interface {
	// Get returns the value of key, or storage.ErrNotFound. It may move the Cursor away
	// from where Seek and Next left it.
	Get(key []byte) (value []byte, err error)
	// Seek returns the first key of [from, to), or the last one when reverse is true. An
	// empty to is no bound. Neither slice changes as long as the Cursor stays in between.
	Seek(from, to []byte, reverse bool) (key, value []byte, err error)
	// Forward is Seek of a range that lies behind that of the Seek or Forward before, or behind
	// the key that was returned last: what is near is reached in less than a search.
	Forward(from, to []byte) (key, value []byte, err error)
	// Next returns the key behind the last one, in the direction and within the bounds
	// of Seek or Forward.
	Next() (key, value []byte, err error)
	// Close gives the Cursor back.
	Close() error
}
