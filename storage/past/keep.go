package past

import (
	"bytes"
	"errors"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Keep has the commit of tx keep what the cells of a graph were that it changes, and note, which
// says who made it. Call it when nothing else will be written. What tx overwrites it reads from
// its snapshot without observing: somebody else who writes such a cell is a conflict anyway. What
// without, unless nil, asks to be forgotten is kept as if it had not been.
func Keep(tx storage.Tx, graph uint32, note []byte, without Without) error {
	k := keeper{tx: tx, beneath: tx.Snapshot(), graph: graph, without: without}
	if err := tx.Changes(k.take); err != nil || len(k.cells) == 0 {
		return err
	}
	if k.ranges {
		k.sort()
	}
	k.list = table.AppendNote(nil, note)
	for i := range k.cells {
		if err := k.keep(&k.cells[i]); err != nil {
			return err
		}
	}
	if k.last == nil {
		return nil
	}
	key := table.AppendCommit(nil, graph, storage.NoStamp)
	return tx.SetStamped(key, k.list, len(key)-storage.StampSize)
}

// Without reports whether what a cell was is to be forgotten, and whether it is said all the same
// that the cell changed.
type Without func(cell, was []byte) (forget, say bool)

// keeper is what a transaction changes.
type keeper struct {
	tx      storage.Tx
	beneath storage.Reader
	graph   uint32
	without Without
	cells   []changed
	ranges  bool

	key, val, list []byte
	last           []byte // the key listed last
}

// changed is a cell that is written or deleted.
type changed struct {
	key, value []byte
	deleted    bool
	isNew      bool
}

func (k *keeper) take(c storage.Change) error {
	if c.To != nil {
		k.ranges = true
		return k.takeRange(c.Key, c.To)
	}
	if k.keeps(c.Key) {
		k.cells = append(k.cells, changed{key: c.Key, value: c.Value, deleted: c.Deleted, isNew: c.New})
	}
	return nil
}

func (k *keeper) keeps(key []byte) bool {
	graph, _, ok := table.Head(key)
	return ok && graph == k.graph && table.Kept(key)
}

// takeRange takes the cells that are deleted with a range, one by one.
func (k *keeper) takeRange(from, to []byte) error {
	it := k.beneath.Scan(storage.ScanOptions{From: from, To: to, Unobserved: true})
	defer it.Close()
	for it.Next() {
		if k.keeps(it.Key()) {
			k.cells = append(k.cells, changed{key: bytes.Clone(it.Key()), deleted: true})
		}
	}
	return it.Err()
}

// sort puts cells in order. One that is deleted with a range and written behind that was taken
// twice, and counts as written.
func (k *keeper) sort() {
	slices.SortFunc(k.cells, func(a, b changed) int {
		if c := bytes.Compare(a.key, b.key); c != 0 {
			return c
		}
		return order(a.deleted) - order(b.deleted)
	})
	k.cells = slices.CompactFunc(k.cells, func(a, b changed) bool { return bytes.Equal(a.key, b.key) })
}

func order(deleted bool) int {
	if deleted {
		return 1
	}
	return 0
}

// keep writes what a cell was, unless it stays that.
func (k *keeper) keep(c *changed) error {
	var was []byte
	if !c.isNew {
		b, err := k.beneath.Get(c.key)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			if c.deleted {
				return nil
			}
		case err != nil:
			return err
		case !c.deleted && bytes.Equal(b, c.value):
			return nil
		case b == nil:
			was = []byte{}
		default:
			was = b
		}
	}
	if k.without != nil && was != nil {
		if forget, say := k.without(c.key, was); forget {
			if was = nil; c.deleted && !say {
				return nil
			}
		}
	}
	k.key = table.AppendPastRow(k.key[:0], c.key, storage.NoStamp)
	k.val = table.AppendPastValue(k.val[:0], was)
	cell := c.key[tableAt:] // all are of one graph
	k.list = table.AppendChanged(k.list, k.last, cell)
	k.last = cell
	return k.tx.SetStamped(k.key, k.val, len(k.key)-storage.StampSize)
}

// tableAt is where the number of the graph ends in a key.
const tableAt = 4
