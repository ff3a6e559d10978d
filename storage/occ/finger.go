package occ

import (
	"bytes"
	"math/bits"
)

// finger is where a skiplist was searched last: on each of the lower levels a node in front
// of the key, or the head. None stands behind the one on the level beneath. Transactions
// write a few tables side by side, in each of them mostly in the order of keys: who begins
// at the finger of a table finds the next place after one or two comparisons.
//
// Nodes that other searches brought in may stand between a finger's and its key: it is put
// right when it is used.
type finger [fingerLevels]*node

const (
	fingersMax   = 32
	fingerLevels = 4 // above them a search from the head is as good
	regionMax    = 5 // bytes of a key whose sum chooses its finger
)

// region returns the place of the finger for keys that begin as this one.
func region(key []byte) int {
	sum := byte(0)
	for _, b := range key[:min(len(key), regionMax)] {
		sum += b
	}
	return int(sum % fingersMax)
}

// fingersFrom is how long a list is that gets fingers: in a short one all is near, and they
// are more than the list.
const fingersFrom = 32

// finger returns the finger for an insertion, nil while there is none.
func (l *skiplist) finger(key []byte) *finger {
	if l.len < fingersFrom {
		return nil
	}
	if l.fingers == nil {
		l.fingers = make([]finger, fingersMax)
	}
	place := region(key)
	l.pointing |= 1 << place
	return &l.fingers[place]
}

// begin has a finger that was not used stand at the head.
func (f *finger) begin(l *skiplist) {
	if f[0] == nil {
		for level := range f {
			f[level] = &l.head
		}
	}
}

// forgetFingers makes all of them unused.
func (l *skiplist) forgetFingers() {
	for ; l.pointing != 0; l.pointing &= l.pointing - 1 {
		l.fingers[bits.TrailingZeros32(l.pointing)] = finger{}
	}
}

// ahead reports whether a node of this level stands in front of key.
func ahead(n *node, level int, key []byte) bool {
	next := n.next[level]
	return next != nil && bytes.Compare(next.key, key) < 0
}

// behind reports whether the finger stands at key or behind it, or still at the head.
func (f *finger) behind(key []byte) bool {
	return f[0].key == nil || bytes.Compare(f[0].key, key) >= 0
}

// next returns the first node at or behind key when the finger stands in front of it, nil
// for none; near is false when it does not.
func (f *finger) next(key []byte) (n *node, near bool) {
	if f[0] == nil || f.behind(key) || ahead(f[0], 0, key) {
		return nil, false
	}
	return f[0].next[0], true
}

// seek puts the finger in front of key, on the lower levels.
func (f *finger) seek(l *skiplist, key []byte) {
	f.begin(l)
	top, n := l.height-1, &l.head
	if !f.behind(key) {
		for level := range min(fingerLevels, l.height) {
			if !ahead(f[level], level, key) {
				top, n = level, f[level]
				break
			}
		}
	}
	for level := top; level >= 0; level-- {
		if n = last(n, level, key); level < fingerLevels {
			f[level] = n
		}
	}
}

// link puts a new node into all levels of its height; the finger stands in front of it, and
// at it then.
func (f *finger) link(l *skiplist, n *node) {
	if len(n.next) > fingerLevels {
		p := &l.head
		for level := l.height - 1; level >= fingerLevels; level-- {
			if p = last(p, level, n.key); level < len(n.next) {
				p.follow(level, n)
			}
		}
	}
	for level := range min(len(n.next), fingerLevels) {
		last(f[level], level, n.key).follow(level, n)
		f[level] = n
	}
}

// last returns the last node of a level in front of key, from n on.
func last(n *node, level int, key []byte) *node {
	for ahead(n, level, key) {
		n = n.next[level]
	}
	return n
}

// follow has next stand behind n.
func (n *node) follow(level int, next *node) {
	next.next[level] = n.next[level]
	n.next[level] = next
}
