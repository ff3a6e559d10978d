package pebble

import (
	"bytes"
	"encoding/binary"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
)

// iterator walks a snapshot and, in a transaction with writes, the overlay on top, as
// it was when the iterator was opened.
type iterator struct {
	snap       *snapshot
	prev, next *iterator // in snap.open
	from, to   []byte
	reverse    bool

	base      *pebble.Iterator
	baseValid bool
	baseAhead bool // base stands behind what was returned last
	started   bool

	over *overlay // nil when the overlay does not matter
	seq  uint64   // what of the overlay is visible
	node *node    // next candidate in the overlay

	observer *Tx // records how far the scan went; nil when unobserved
	key, val []byte
	lastKey  []byte // for invariants
	sum      [8]byte
	done     bool
	closed   bool
	err      error
}

var _ storage.Iterator = (*iterator)(nil)

// start links the iterator into its snapshot and takes a base iterator.
func (it *iterator) start(err error) {
	if err != nil {
		it.err, it.done, it.closed = err, true, true
		return
	}
	if it.base, err = it.snap.sh.iterator(); err != nil {
		it.err, it.done, it.closed = err, true, true
		return
	}
	it.next = it.snap.open
	if it.next != nil {
		it.next.prev = it
	}
	it.snap.open = it
	n := len(it.from)
	both := append(append(make([]byte, 0, n+len(it.to)), it.from...), it.to...)
	if it.from, it.to = both[:n:n], both[n:]; n == 0 {
		it.from = nil
	}
	if len(it.to) == 0 {
		it.to = nil // to the end
	}
}

// Next implements storage.Iterator.
func (it *iterator) Next() bool {
	if it.done {
		return false
	}
	if err := it.snap.sh.store.alive(); err != nil {
		return it.stop(err)
	}
	if !it.started {
		it.started = true
		if !before(it.from, it.to) {
			return it.stop(nil)
		}
		it.seek()
	} else if !it.baseAhead {
		it.step()
	}
	ok := false
	if it.over == nil {
		ok = it.takeBase()
	} else {
		ok = it.merge()
	}
	if invariants && ok {
		it.checkStep()
	}
	return ok
}

// seek positions both sides at the first key in the direction of the scan.
func (it *iterator) seek() {
	it.base.SetBounds(it.from, it.to)
	switch row, fixed := it.snap.sh.store.opts.Layout.Row(it.from); {
	case it.reverse:
		it.baseValid = it.base.Last()
	case fixed && len(it.to) > 0 && (bytes.HasPrefix(it.to, row) || bytes.Equal(it.to, storage.PrefixEnd(nil, row))):
		it.baseValid = it.base.SeekPrefixGE(it.from) // a scan within one row asks its Bloom filter
	default:
		it.baseValid = it.base.First()
	}
	if it.over == nil || it.over.keys.len == 0 {
		return
	}
	switch {
	case !it.reverse:
		it.node = it.over.keys.seek(it.from)
	case len(it.to) == 0:
		it.node = it.over.keys.last
	default:
		it.node = it.over.keys.before(it.to)
	}
}

// step moves the base one key on.
func (it *iterator) step() {
	if !it.baseValid {
		return
	}
	if it.reverse {
		it.baseValid = it.base.Prev()
	} else {
		it.baseValid = it.base.Next()
	}
}

// takeBase returns the key under the base iterator.
func (it *iterator) takeBase() bool {
	it.baseAhead = false
	if !it.baseValid {
		return it.stop(it.base.Error())
	}
	v, err := it.base.ValueAndErr()
	if err != nil {
		return it.stop(err)
	}
	it.key, it.val = it.base.Key(), v
	return true
}

// merge returns the next key of base and overlay; the overlay wins where both have it.
func (it *iterator) merge() bool {
	for {
		n, v := it.overlayNext()
		if n == nil {
			if it.baseValid && it.hidden() {
				continue
			}
			return it.takeBase()
		}
		cmp := -1
		if it.baseValid {
			cmp = bytes.Compare(n.key, it.base.Key())
			if it.reverse {
				cmp = -cmp
			}
		} else if err := it.base.Error(); err != nil {
			return it.stop(err)
		}
		if cmp > 0 { // the base comes first
			if it.hidden() {
				continue
			}
			return it.takeBase()
		}
		it.advance()
		if it.takeOverlay(n, v, cmp == 0) {
			return true
		}
		if it.done {
			return false
		}
	}
}

// overlayNext returns the node that comes next, with the version that is visible.
func (it *iterator) overlayNext() (*node, *version) {
	for it.node != nil {
		n := it.node
		if it.reverse && bytes.Compare(n.key, it.from) < 0 || !it.reverse && !before(n.key, it.to) {
			it.node = nil
			break
		}
		if v := n.versions.at(it.seq); v != nil {
			return n, v
		}
		it.advance()
	}
	return nil, nil
}

func (it *iterator) advance() {
	if it.reverse {
		it.node = it.node.prev
	} else {
		it.node = it.node.next[0]
	}
}

// takeOverlay returns the overlay's version of a key, false when it is deleted. The
// base stands on the same key when onBase is true.
func (it *iterator) takeOverlay(n *node, v *version, onBase bool) bool {
	if cover := it.over.coveredAt(n.key, it.seq); v.seq < cover || v.kind == deleted {
		if onBase {
			it.step()
		}
		return false
	}
	it.key, it.val = n.key, v.value
	if v.kind == merged {
		base := int64(0)
		if onBase {
			b, err := it.base.ValueAndErr()
			if err == nil {
				base, err = counter(b)
			}
			if err != nil {
				return it.stop(err)
			}
		}
		binary.BigEndian.PutUint64(it.sum[:], uint64(base+v.delta))
		it.val = it.sum[:]
	}
	it.baseAhead = !onBase
	return true
}

// hidden reports whether a range deletion of the overlay covers the base's key, and
// moves the base behind what is covered.
func (it *iterator) hidden() bool {
	if it.over.covered.len == 0 {
		return false
	}
	key := it.base.Key()
	if it.reverse {
		if it.over.coveredAt(key, it.seq) == 0 {
			return false
		}
		it.step()
		return true
	}
	cover, end := it.over.coveredUntil(key, it.seq)
	switch {
	case cover == 0:
		return false
	case len(end) == 0:
		it.baseValid = false
	default:
		it.skipTo(end)
	}
	return true
}

// skipTo moves the base to end: by steps first, because most covered ranges are short.
func (it *iterator) skipTo(end []byte) {
	for range 8 {
		it.step()
		if !it.baseValid || !before(it.base.Key(), end) {
			return
		}
	}
	it.baseValid = it.base.SeekGE(end)
}

// stop ends the scan, with an error unless nil.
func (it *iterator) stop(err error) bool {
	it.done = true
	if err != nil && it.err == nil {
		it.err = it.snap.sh.store.readError(err)
	}
	it.observe(true)
	it.key, it.val = nil, nil
	return false
}

// observe adds what the scan has shown to the read set: everything asked for when it
// came to its end, else up to the last key.
func (it *iterator) observe(ended bool) {
	t := it.observer
	if t == nil {
		return
	}
	it.observer = nil
	switch {
	case ended:
		t.reads.add(it.from, it.to)
	case it.key == nil: // nothing was looked at
	case it.reverse:
		t.reads.add(it.key, it.to)
	default:
		t.reads.add(it.from, append(bytes.Clone(it.key), 0))
	}
}

// Key implements storage.Iterator.
func (it *iterator) Key() []byte { return it.key }

// Value implements storage.Iterator.
func (it *iterator) Value() []byte { return it.val }

// Err implements storage.Iterator.
func (it *iterator) Err() error { return it.err }

// Close implements storage.Iterator.
func (it *iterator) Close() error {
	if it.closed {
		return it.err
	}
	it.observe(false)
	it.done, it.closed = true, true
	it.key, it.val = nil, nil
	if it.prev != nil {
		it.prev.next = it.next
	} else {
		it.snap.open = it.next
	}
	if it.next != nil {
		it.next.prev = it.prev
	}
	it.prev, it.next = nil, nil
	if err := it.snap.sh.recycle(it.base); err != nil && it.err == nil {
		it.err = err
	}
	it.base, it.node = nil, nil
	return it.err
}
