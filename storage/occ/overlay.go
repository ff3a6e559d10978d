package occ

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/gremlind/gremlind/storage"
)

// writeKind is what a write does to a key.
type writeKind uint8

const (
	written writeKind = iota + 1
	deleted
	merged // a delta on whatever lies beneath
	covers // in overlay.covered: a range deletion starts to cover here
)

// overlay holds the writes of one transaction in key order. Each write has a number;
// a scan opened at number n sees the versions up to n and no later ones.
type overlay struct {
	seq    uint64 // number of the last write
	opened uint64 // newest number at which a scan was opened
	keys   skiplist
	// covered has a node at each bound of a range deletion. The versions of a node
	// are the deletions that cover from here to the next node.
	covered skiplist
	size    int64 // bytes of keys and values
	more    int   // versions beyond the first of their nodes
	deltas  int   // keys that are counters
	keyMem  arena // apart from values, because conflict detection keeps keys longer
	valMem  arena

	writes []Write // of the request that commits the overlay
}

// writesKept bounds the room for a request's writes that a recycled overlay keeps.
const writesKept = 1 << 12

// overlays are empty ones, for the next transactions.
var overlays = sync.Pool{New: func() any { return &overlay{} }}

// recycle gives the memory to another transaction, but for that of the keys. Nobody
// holds a value or a position any more.
func (o *overlay) recycle() {
	if o == nil {
		return
	}
	o.seq, o.opened, o.size, o.more, o.deltas = 0, 0, 0, 0, 0
	o.keys.reset()
	o.covered.reset()
	o.keyMem = arena{}
	o.valMem.reset()
	if cap(o.writes) > writesKept {
		o.writes = nil
	}
	clear(o.writes)
	o.writes = o.writes[:0]
	overlays.Put(o)
}

func (o *overlay) empty() bool { return o == nil || o.seq == 0 }

// size of what a write costs beyond its bytes, for the write set's limit.
const writeOverhead = 64

// What a key takes in memory beside its bytes and those of its value, and one more value
// of it: the overlay's node, and what the commit makes of it.
const (
	nodeBytes    = int64(unsafe.Sizeof(node{}))
	versionBytes = (int64(unsafe.Sizeof(version{})) + 15) &^ 15 // allocated alone
	commitBytes  = int64(unsafe.Sizeof(Write{})+unsafe.Sizeof(recentKey{})) + cellBytes
	cellBytes    = 32                                       // in the Base's group of commits
	deltaBytes   = int64(unsafe.Sizeof(Delta{})) + sumBytes // of a counter besides
	sumBytes     = 160                                      // for the Base to reckon the new value
)

// keptOf is what some keys with so many bytes, values included, take of memory in the
// overlay and in the Base's group of commits, with what allocations round up.
func keptOf(bytes, keys int64) int64 {
	n := 2*bytes + keys*(nodeBytes+commitBytes)
	return n + n/8
}

// kept is what the overlay and its commit take of memory, in bytes.
func (o *overlay) kept() int64 {
	keys := int64(o.keys.len)
	n := int64(o.covered.len)*nodeBytes + int64(o.more)*versionBytes + int64(o.deltas)*deltaBytes
	return keptOf(o.size-keys*writeOverhead, keys) + n + n/8
}

func (o *overlay) put(key []byte, v version) {
	if o.keys.head.next == nil {
		o.keys.init()
	}
	o.seq++
	v.seq = o.seq
	n, isNew := o.keys.insert(key, o.keyMem.copy)
	if isNew {
		o.size += int64(len(key)) + writeOverhead
	}
	o.size += int64(len(v.value))
	if isNew {
		n.first = v
		n.versions = &n.first
		return
	}
	v.same = v.same && n.versions.same // what was changed otherwise before is a write as any
	v.isNew = v.isNew || n.versions.isNew && v.kind == written
	if cur := n.versions; cur.seq > o.opened {
		o.size -= int64(len(cur.value))
		v.older = cur.older // no scan can have seen cur
		*cur = v
		return
	}
	o.more++
	next := new(version) // not v, which would leave the stack in every call
	*next = v
	next.older = n.versions
	n.versions = next
}

func (o *overlay) set(key, value []byte) {
	o.put(key, version{kind: written, value: o.valMem.copy(value)})
}

// setSame is set, of a key that others set to the same value.
func (o *overlay) setSame(key, value []byte) {
	same := o.coveredAt(key, o.seq) == 0
	o.put(key, version{kind: written, same: same, value: o.valMem.copy(value)})
}

// setStamped is set, of what the committer puts its stamp into.
func (o *overlay) setStamped(key, value []byte, at int) {
	same := o.coveredAt(key, o.seq) == 0
	value = o.valMem.copy(value)
	if at < len(key) {
		key = slices.Clone(key) // the caller's stays as it is
	}
	fillStamp(key, value, at, storage.NoStamp)
	o.put(key, version{kind: written, same: same, stamp: int32(at) + 1, value: value})
}

// fillStamp writes a stamp into a key or a value.
func fillStamp(key, value []byte, at int, s storage.Stamp) {
	if at < len(key) {
		storage.AppendStamp(key[:at], s)
	} else {
		storage.AppendStamp(value[:at-len(key)], s)
	}
}

func (o *overlay) delete(key []byte) { o.put(key, version{kind: deleted}) }

// merge adds delta to what the transaction wrote at key, or notes it as a delta.
func (o *overlay) merge(key []byte, delta int64) error {
	v, found := o.get(key)
	switch {
	case !found:
		o.deltas++
		o.put(key, version{kind: merged, delta: delta})
	case v.kind == merged:
		o.put(key, version{kind: merged, delta: v.delta + delta})
	default:
		base := int64(0)
		if v.kind == written {
			var err error
			if base, err = counter(v.value); err != nil {
				return fmt.Errorf("merge into %x: %w", key, err)
			}
		}
		o.put(key, version{kind: written, value: o.valMem.copy(storage.AppendCount(nil, base+delta))})
	}
	return nil
}

// deleteRange covers [from, to); an empty to means to the end.
func (o *overlay) deleteRange(from, to []byte) {
	if o.covered.head.next == nil {
		o.covered.init()
	}
	o.seq++
	first := o.bound(from)
	var end *node
	if len(to) > 0 {
		end = o.bound(to)
	}
	for n := first; n != end; n = n.next[0] {
		o.more++
		n.versions = &version{kind: covers, seq: o.seq, older: n.versions}
	}
	o.size += int64(len(from)+len(to)) + writeOverhead
}

// bound makes a node at key that is covered as the node in front of it is.
func (o *overlay) bound(key []byte) *node {
	n, isNew := o.covered.insert(key, o.keyMem.copy)
	if isNew && n.prev != nil {
		n.versions = n.prev.versions
	}
	return n
}

// coveredAt returns the number of the last range deletion over key that a scan opened
// at seq sees, 0 for none.
func (o *overlay) coveredAt(key []byte, seq uint64) uint64 {
	if o.covered.len == 0 {
		return 0
	}
	n := o.covered.floor(key)
	if n == nil {
		return 0
	}
	if v := n.versions.at(seq); v != nil {
		return v.seq
	}
	return 0
}

// coveredUntil is coveredAt that also returns where the cover may change, nil for never.
func (o *overlay) coveredUntil(key []byte, seq uint64) (cover uint64, end []byte) {
	n := o.covered.floor(key)
	next := o.covered.head.next[0]
	if n != nil {
		if v := n.versions.at(seq); v != nil {
			cover = v.seq
		}
		next = n.next[0]
	}
	if next != nil {
		end = next.key
	}
	return cover, end
}

// get returns the transaction's own newest version of key; found false means that
// only what lies beneath counts.
func (o *overlay) get(key []byte) (v version, found bool) {
	if o.empty() {
		return version{}, false
	}
	cover := o.coveredAt(key, o.seq)
	if n := o.keys.find(key); n != nil && n.versions.seq > cover {
		return *n.versions, true
	}
	if cover > 0 {
		return version{kind: deleted}, true
	}
	return version{}, false
}

// wrote reports whether any write touches [from, to); an empty to means to the end.
func (o *overlay) wrote(from, to []byte) bool {
	if o.empty() {
		return false
	}
	if o.keys.len > 0 {
		if n := o.keys.seek(from); n != nil && before(n.key, to) {
			return true
		}
	}
	if o.covered.len == 0 {
		return false
	}
	if o.coveredAt(from, o.seq) > 0 {
		return true
	}
	for n := o.covered.seek(from); n != nil && before(n.key, to); n = n.next[0] {
		if n.versions != nil {
			return true
		}
	}
	return false
}

// counter reads the value of a counter.
func counter(b []byte) (int64, error) {
	n, ok := storage.Count(b)
	if !ok {
		return 0, fmt.Errorf("value of %d bytes is no counter", len(b))
	}
	return n, nil
}

// arena copies byte slices into slabs, so that a write costs no allocation of its own.
type arena struct {
	slab []byte
	next int // size of the next slab
}

const (
	slabMin = 192
	slabMax = 64 << 10
)

// reset makes the last slab free for new copies.
func (a *arena) reset() {
	if invariants {
		fillUsed(a.slab)
	}
	a.slab = a.slab[:0]
}

func (a *arena) copy(b []byte) []byte {
	if len(b) > cap(a.slab)-len(a.slab) {
		a.next = min(max(2*a.next, slabMin), slabMax)
		if len(b) > a.next/4 {
			return append(make([]byte, 0, len(b)), b...)
		}
		a.slab = make([]byte, 0, a.next)
	}
	n := len(a.slab)
	a.slab = append(a.slab, b...)
	return a.slab[n:len(a.slab):len(a.slab)]
}
