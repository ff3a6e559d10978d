package occ

import (
	"fmt"

	"github.com/gremlind/gremlind/storage"
)

// Commit is what one transaction has a Base write.
type Commit struct {
	// Seq is the commit's number, one more than that of the commit before it. Prepare
	// does not know it yet.
	Seq uint64
	// Ranges are deleted before all else. They are ascending and have gaps between them.
	Ranges []Span
	// Writes are the single keys, ascending.
	Writes []Write
	// Deltas are the numbers to be added to counters (storage.Tx.Merge), one for each
	// Write that says so.
	Deltas []Delta
	// Stamp is the commit's, and stands in the writes that want it; 0 when none does.
	// Prepare does not know it yet.
	Stamp storage.Stamp
	// Size is the bytes of Writes, about, by which groups are bounded; the transaction has
	// paid for as many. Prepare raises it when the commit takes more than that.
	Size int64
	// Prepared is the Base's own: what Prepare made for Write.
	Prepared any

	tx *Tx
}

// Write is one key that a commit changes.
type Write struct {
	Key    []byte
	Value  []byte // what was set
	Delta  bool   // the key is a counter: see Commit.Deltas. Deltas do not conflict with each other
	Same   bool   // everybody writes the key alike: such writes do not conflict with each other
	Delete bool
	New    bool  // nothing was there, see storage.Tx.SetNew
	Stamp  int32 // where Commit.Stamp stands in Key and Value, plus 1; 0 for nowhere
}

// Stamped reports whether the Commit's stamp is in the key or the value. Other commits of
// a group may write such a key too: what the last of them writes stays.
func (w *Write) Stamped() bool { return w.Stamp != 0 }

// soft reports whether the write leaves others of its kind in peace. No key has two kinds.
func (w *Write) soft() bool { return w.Delta || w.Same }

// Delta is a number to be added to the counter at Key; one that is missing counts 0.
type Delta struct {
	Key []byte
	By  int64
}

// Beneath is what the transaction of the commit has read, without what it wrote. Only
// Prepare may use it.
func (c *Commit) Beneath() storage.Reader { return c.tx.base }

// Charge has the transaction pay for memory that Prepare takes beyond Size, in bytes, until
// it is over.
func (c *Commit) Charge(bytes int64) error {
	if err := c.tx.paid.Add(bytes); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
