package keyindex

import (
	"bytes"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// backwards is an iterator over the entries in [from, to) from the greatest values to the
// least. Entries of the same values come forwards, as they do in a walk the other way: in
// the order of their elements.
//
// It reads few entries backwards and turns those of the same values round. When there are
// many of one kind, it goes to the first of them and walks from there, so that the first
// of a million that tie cost what a few cost.
type backwards struct {
	tx   storage.Reader
	from []byte
	tail int // how many bytes of a key stand behind its values

	down  storage.Iterator // nil while up walks
	up    storage.Iterator
	many  []byte   // the values whose entries up walks
	few   [][]byte // of the same values, the next one last
	ahead []byte   // read already, of other values; nil for none
	key   []byte
	err   error
}

// turnedMax is how many entries of the same values are read backwards.
const turnedMax = 32

func newBackwards(tx storage.Reader, from, to []byte, tail int) *backwards {
	b := &backwards{tx: tx, from: bytes.Clone(from), tail: tail}
	b.down = tx.Scan(storage.ScanOptions{From: b.from, To: to, Reverse: true})
	return b
}

// Next moves to the next entry.
func (b *backwards) Next() bool {
	for b.err == nil {
		if n := len(b.few); n > 0 {
			b.key, b.few = b.few[n-1], b.few[:n-1]
			return true
		}
		if b.up == nil {
			if !b.turn() {
				return false
			}
			continue
		}
		if b.up.Next() {
			b.key = b.up.Key()
			return true
		}
		b.goDown()
	}
	return false
}

// turn reads the entries of the next values, false when there are none.
func (b *backwards) turn() bool {
	if b.ahead == nil {
		if !b.down.Next() {
			b.err = b.down.Err()
			return false
		}
		b.ahead = bytes.Clone(b.down.Key())
	}
	if len(b.ahead) < b.tail {
		b.err = damaged(storage.ErrCorrupt)
		return false
	}
	values := b.values(b.ahead)
	b.few, b.ahead = append(b.few[:0], b.ahead), nil
	for b.down.Next() {
		key := b.down.Key()
		if !bytes.Equal(b.values(key), values) {
			b.ahead = bytes.Clone(key)
			return true
		}
		if len(b.few) == turnedMax {
			b.goUp(values)
			return b.err == nil
		}
		b.few = append(b.few, bytes.Clone(key))
	}
	b.err = b.down.Err()
	return b.err == nil
}

// values is a key without what stands behind its values.
func (b *backwards) values(key []byte) []byte { return key[:max(0, len(key)-b.tail)] }

// goUp walks the entries of some values forwards.
func (b *backwards) goUp(values []byte) {
	if b.err = b.down.Close(); b.err != nil {
		return
	}
	b.down, b.few, b.many = nil, b.few[:0], values
	b.up = b.tx.Scan(storage.ScanOptions{From: values, To: table.PrefixEnd(nil, values)})
}

// goDown goes on before the values that up walked.
func (b *backwards) goDown() {
	if b.err = b.up.Close(); b.err != nil {
		return
	}
	b.up = nil
	b.down = b.tx.Scan(storage.ScanOptions{From: b.from, To: b.many, Reverse: true})
}

// Key returns the key of an entry, valid until the next call of Next.
func (b *backwards) Key() []byte { return b.key }

// Value returns nothing: the entries that end in their element have no values.
func (b *backwards) Value() []byte { return nil }

// Err returns why the walk ended early.
func (b *backwards) Err() error { return b.err }

func (b *backwards) Close() error {
	for _, it := range []storage.Iterator{b.down, b.up} {
		if it == nil {
			continue
		}
		if err := it.Close(); err != nil && b.err == nil {
			b.err = err
		}
	}
	return b.err
}
