package occ

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/gremlind/gremlind/storage"
)

// iterator walks a snapshot and, in a transaction with writes, the overlay on top, as
// it was when the iterator was opened.
type iterator struct {
	snap       *snapshot
	prev, next *iterator // in snap.open
	from, to   []byte
	at         []byte    // where it begins: from, unless it was moved
	onward     bool      // at lies behind what was shown last
	seeks      [2][]byte // memory of at: the base may hold on to what it was given last
	free       int       // of seeks, what it was not
	reverse    bool

	base      Cursor
	baseKey   []byte // under base; nil behind its end. All four matter with an overlay only
	baseVal   []byte
	baseErr   error // why base ended
	baseAhead bool  // base stands behind what was returned last
	started   bool
	read      int // keys so far

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

// start links the iterator into its snapshot and takes a cursor.
func (it *iterator) start(err error) {
	if err == nil {
		err = it.take()
	}
	if err != nil {
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
	it.at = it.from
}

// take takes a cursor.
func (it *iterator) take() (err error) {
	if err := it.snap.scans.begin(); err != nil {
		return err
	}
	if it.base, err = it.snap.sh.state.Cursor(); err != nil {
		it.snap.scans.end()
	}
	return err
}

// Seek implements storage.Iterator.
func (it *iterator) Seek(key []byte) {
	if it.closed || it.err != nil || it.reverse {
		return
	}
	it.observe(true)
	if bytes.Compare(key, it.from) < 0 {
		key = it.from
	}
	it.onward = it.key != nil && bytes.Compare(key, it.key) > 0
	it.at = append(it.seeks[it.free][:0], key...)
	it.seeks[it.free] = it.at
	it.started, it.done, it.lastKey = false, false, nil
	it.key, it.val = nil, nil
}

// Next implements storage.Iterator.
func (it *iterator) Next() bool {
	if it.done {
		return false
	}
	if err := it.snap.sh.store.Alive(); err != nil {
		return it.stop(err)
	}
	if it.read++; it.read%pageKeys == 0 {
		if err := it.snap.ended(); err != nil {
			return it.stop(err)
		}
	}
	first := !it.started
	if it.started = true; first {
		if !before(it.at, it.to) {
			return it.stop(nil)
		}
		it.free = 1 - it.free // the base is given at
	}
	ok := false
	if it.over == nil {
		ok = it.plain(first)
	} else {
		if first {
			it.seek()
		} else if !it.baseAhead {
			it.step()
		}
		ok = it.merge()
	}
	if invariants && ok {
		it.checkStep()
	}
	return ok
}

// plain is Next without an overlay.
func (it *iterator) plain(first bool) bool {
	var err error
	switch {
	case !first:
		it.key, it.val, err = it.base.Next()
	case it.onward:
		it.key, it.val, err = it.base.Forward(it.at, it.to)
	default:
		it.key, it.val, err = it.base.Seek(it.at, it.to, it.reverse)
	}
	return it.key != nil || it.stop(err)
}

// seek positions both sides at the first key in the direction of the scan.
func (it *iterator) seek() {
	it.baseKey, it.baseVal, it.baseErr = it.base.Seek(it.at, it.to, it.reverse)
	if it.over.keys.len == 0 {
		return
	}
	switch {
	case !it.reverse:
		it.node = it.over.keys.seek(it.at)
	case len(it.to) == 0:
		it.node = it.over.keys.last
	default:
		it.node = it.over.keys.before(it.to)
	}
}

// step moves the base one key on.
func (it *iterator) step() {
	if it.baseKey != nil {
		it.baseKey, it.baseVal, it.baseErr = it.base.Next()
	}
}

// takeBase returns the key under the base.
func (it *iterator) takeBase() bool {
	it.baseAhead = false
	if it.baseKey == nil {
		return it.stop(it.baseErr)
	}
	it.key, it.val = it.baseKey, it.baseVal
	return true
}

// merge returns the next key of base and overlay; the overlay wins where both have it.
func (it *iterator) merge() bool {
	for {
		n, v := it.overlayNext()
		if n == nil {
			if it.baseKey != nil && it.hidden() {
				continue
			}
			return it.takeBase()
		}
		cmp := -1
		if it.baseKey != nil {
			cmp = bytes.Compare(n.key, it.baseKey)
			if it.reverse {
				cmp = -cmp
			}
		} else if it.baseErr != nil {
			return it.stop(it.baseErr)
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
			var err error
			if base, err = counter(it.baseVal); err != nil {
				return it.stop(fmt.Errorf("read counter %x: %w", n.key, err))
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
	key := it.baseKey
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
		it.baseKey = nil
	default:
		it.skipTo(end)
	}
	return true
}

// skipTo moves the base to end: by steps first, because most covered ranges are short.
func (it *iterator) skipTo(end []byte) {
	for range 8 {
		it.step()
		if it.baseKey == nil || !before(it.baseKey, end) {
			return
		}
	}
	it.baseKey, it.baseVal, it.baseErr = it.base.Seek(end, it.to, false)
}

// stop ends the scan, with an error unless nil.
func (it *iterator) stop(err error) bool {
	it.done = true
	if err != nil && it.err == nil {
		it.err = err
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
	it.snap.scans.end()
	if err := it.base.Close(); err != nil && it.err == nil {
		it.err = err
	}
	it.base, it.node = nil, nil
	return it.err
}
