package occ

import (
	"bytes"
	"math/bits"
)

const maxHeight = 16

// version is what one write made of a key. Versions of a key form a list from the
// newest to the oldest and are immutable once a scan may have seen them.
type version struct {
	kind  writeKind
	same  bool   // written, in the way that everybody writes the key
	isNew bool   // written, to a key that is not beneath
	stamp int32  // where the commit's stamp stands in key and value, plus 1; 0 for nowhere
	seq   uint64 // of the write within the transaction
	value []byte
	delta int64 // for merged
	older *version
}

// at returns the newest version that a scan opened at seq sees.
func (v *version) at(seq uint64) *version {
	for v != nil && v.seq > seq {
		v = v.older
	}
	return v
}

type node struct {
	key      []byte
	versions *version
	prev     *node // on the lowest level; nil for the first
	next     []*node
	low      [2]*node // what next is of for most nodes
	first    version  // the oldest, to spare an allocation
}

// skiplist is an ordered map from keys to versions. It has one writer; a position in
// it stays good while keys are inserted.
type skiplist struct {
	head     node
	last     *node
	height   int
	len      int
	rng      uint64
	fingers  []finger // nil in one that was never long
	pointing uint32   // a bit for each finger that is in use
	slabs    [][]node // of nodes allocated together
	slab     int      // of slabs, the one in use
	used     int      // of that slab
}

const (
	// Nodes are allocated so many together.
	nodesMin = 16
	nodesMax = 128
	// slabsKept bounds what an empty list keeps for its next nodes.
	slabsKept = 16
)

func (l *skiplist) newNode(key []byte, height int) *node {
	n := l.unusedNode()
	n.key = key
	if height <= len(n.low) {
		n.next = n.low[:height]
	} else {
		n.next = make([]*node, height)
	}
	return n
}

func (l *skiplist) unusedNode() *node {
	size := nodesMin
	if len(l.slabs) > 0 {
		if l.used < len(l.slabs[l.slab]) {
			l.used++
			return &l.slabs[l.slab][l.used-1]
		}
		size = min(2*len(l.slabs[l.slab]), nodesMax)
		l.slab++
	}
	if l.slab == len(l.slabs) {
		l.slabs = append(l.slabs, make([]node, size))
	}
	l.used = 1
	return &l.slabs[l.slab][0]
}

func (l *skiplist) init() {
	l.head.next = make([]*node, maxHeight)
	l.height = 1
	l.rng = 0x9e3779b97f4a7c15
}

// reset empties the list and keeps its memory. Nobody holds a node any more.
func (l *skiplist) reset() {
	if l.len == 0 {
		return
	}
	clear(l.head.next[:l.height])
	l.forgetFingers()
	for i := range l.slab {
		clear(l.slabs[i])
	}
	clear(l.slabs[l.slab][:l.used])
	if len(l.slabs) > slabsKept {
		clear(l.slabs[slabsKept:])
		l.slabs = l.slabs[:slabsKept]
	}
	l.last, l.height, l.len, l.slab, l.used = nil, 1, 0, 0, 0
}

// seek returns the first node at or behind key.
func (l *skiplist) seek(key []byte) *node {
	n := &l.head
	for level := l.height - 1; level >= 0; level-- {
		for next := n.next[level]; next != nil && bytes.Compare(next.key, key) < 0; next = n.next[level] {
			n = next
		}
	}
	return n.next[0]
}

// before returns the last node in front of key, nil when there is none.
func (l *skiplist) before(key []byte) *node {
	n := &l.head
	for level := l.height - 1; level >= 0; level-- {
		for next := n.next[level]; next != nil && bytes.Compare(next.key, key) < 0; next = n.next[level] {
			n = next
		}
	}
	if n == &l.head {
		return nil
	}
	return n
}

// floor returns the last node at or in front of key, nil when there is none.
func (l *skiplist) floor(key []byte) *node {
	n := &l.head
	for level := l.height - 1; level >= 0; level-- {
		for next := n.next[level]; next != nil && bytes.Compare(next.key, key) <= 0; next = n.next[level] {
			n = next
		}
	}
	if n == &l.head {
		return nil
	}
	return n
}

func (l *skiplist) find(key []byte) *node {
	if l.len == 0 {
		return nil
	}
	if l.fingers != nil {
		if n, near := l.fingers[region(key)].next(key); near {
			if n != nil && bytes.Equal(n.key, key) {
				return n
			}
			return nil
		}
	}
	if n := l.seek(key); n != nil && bytes.Equal(n.key, key) {
		return n
	}
	return nil
}

// insert returns the node of key, made when missing. A new node keeps what copyKey
// makes of key.
func (l *skiplist) insert(key []byte, copyKey func([]byte) []byte) (n *node, isNew bool) {
	f := l.finger(key)
	if f == nil {
		return l.insertFew(key, copyKey)
	}
	f.seek(l, key)
	if next := f[0].next[0]; next != nil && bytes.Equal(next.key, key) {
		return next, false
	}
	height := l.randomHeight()
	l.height = max(l.height, height)
	n = l.newNode(copyKey(key), height)
	before := f[0]
	f.link(l, n)
	l.between(before, n)
	return n, true
}

// insertFew is insert for a list that is too short for fingers. Its nodes are no higher than
// those reach.
func (l *skiplist) insertFew(key []byte, copyKey func([]byte) []byte) (*node, bool) {
	var before finger
	n := &l.head
	for level := l.height - 1; level >= 0; level-- {
		for next := n.next[level]; next != nil && bytes.Compare(next.key, key) < 0; next = n.next[level] {
			n = next
		}
		before[level] = n
	}
	if next := n.next[0]; next != nil && bytes.Equal(next.key, key) {
		return next, false
	}
	height := min(l.randomHeight(), fingerLevels)
	for ; l.height < height; l.height++ {
		before[l.height] = &l.head
	}
	in := l.newNode(copyKey(key), height)
	for level := range height {
		before[level].follow(level, in)
	}
	l.between(n, in)
	return in, true
}

// between completes the insertion of a node behind another, or the head.
func (l *skiplist) between(before, n *node) {
	if before != &l.head {
		n.prev = before
	}
	if n.next[0] != nil {
		n.next[0].prev = n
	} else {
		l.last = n
	}
	l.len++
}

// randomHeight is 1 plus a geometric number with probability 1/4 (xorshift).
func (l *skiplist) randomHeight() int {
	l.rng ^= l.rng << 13
	l.rng ^= l.rng >> 7
	l.rng ^= l.rng << 17
	return min(1+bits.TrailingZeros64(l.rng|1<<63)/2, maxHeight)
}
