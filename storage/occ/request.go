package occ

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// request is what a transaction, or CommitBy, hands to the committer.
type request struct {
	Commit
	kind    requestKind
	start   uint64 // commits after it are concurrent
	strict  bool
	stamped bool // some of the writes
	// patience is how long it waits for a request that has none.
	patience time.Duration

	reads  []Span                 // sorted, disjoint
	guards [][]byte               // any order
	by     func(seq uint64) error // what writes the commit in place of Base.Write
	// beside is that of CommitTablesBeside: the ranges are of keys that others write as well.
	beside *storage.Beside
	pass   storage.Stamp              // of passStamp
	admit  func(storage.Commit) error // asked last, nil for most

	state atomic.Int32 // waiting, taken or withdrawn
	err   error
	done  chan struct{}               // gets one token after Seq and err are set, unless
	then  func(seq uint64, err error) // nobody waits: called then
}

// requests are such that were answered, with their memory and their channel.
var requests = sync.Pool{New: func() any { return &request{done: make(chan struct{}, 1)} }}

func newRequest(kind requestKind, tx *Tx) *request {
	r := requests.Get().(*request)
	r.kind, r.tx = kind, tx
	return r
}

// recycle gives an answered request to another transaction.
func (r *request) recycle() {
	deltas, done := r.Deltas, r.done
	clear(deltas)
	*r = request{Commit: Commit{Deltas: deltas[:0]}, done: done}
	requests.Put(r)
}

// ranged reports whether more than single keys count as written.
func (r *request) ranged() bool {
	return len(r.Ranges) > 0 || r.beside != nil && len(r.beside.Over) > 0
}

type requestKind uint8

const (
	commitWrites requestKind = iota
	commitBy
	acquireAlone
	releaseAlone
	refreshTx
	forgetRecent
	passStamp
)

// States of a request: its owner may withdraw it until the committer takes it.
const (
	waiting int32 = iota
	taken
	withdrawn
)

// leave is told of a request whose answer nobody waits for any more: the committer may look
// at it later.
func (r *request) leave() {
	if r.tx != nil {
		r.tx.left = true
	}
}

// answer tells the transaction that Seq and err are set. The committer does not look at
// a request behind that.
func (r *request) answer() {
	if r.then == nil {
		r.done <- struct{}{}
		return
	}
	t, seq, err, then := r.tx, r.Seq, r.err, r.then
	r.recycle()
	then(t.ended(seq, err))
}

func (r *request) fail(err error) {
	r.err = err
	r.answer()
}

// request turns the overlay into what the committer needs.
func (t *Tx) request() (*request, error) {
	r := newRequest(commitWrites, t)
	r.start, r.strict, r.admit = t.Seq(), t.strict(), t.admit
	r.Size, r.patience = t.over.size, t.opts.Patience
	if r.strict {
		r.reads = t.reads.tidy()
	}
	r.take(t)
	return r, t.store.base.Prepare(&r.Commit)
}

// take copies what the committer compares with other commits.
func (r *request) take(t *Tx) {
	r.guards, r.Ranges = t.guards, t.over.ranges()
	r.Writes = slices.Grow(t.over.writes[:0], t.over.keys.len)
	for n := t.over.keys.first(); n != nil; n = n.next[0] {
		if v := n.versions; v.seq >= t.over.coveredAt(n.key, t.over.seq) {
			r.note(n.key, v)
		}
	}
	t.over.writes = r.Writes
}

func (r *request) note(key []byte, v *version) {
	r.Writes = append(r.Writes, Write{Key: key, Value: v.value, Delta: v.kind == merged, Same: v.same, Delete: v.kind == deleted, New: v.isNew, Stamp: v.stamp})
	r.stamped = r.stamped || v.stamp != 0
	if v.kind == merged {
		r.Deltas = append(r.Deltas, Delta{Key: key, By: v.delta})
	}
}

// fill puts the commit's stamp where the writes want it.
func (r *request) fill(s storage.Stamp) {
	r.Stamp = s
	moved := false
	for i := range r.Writes {
		if w := &r.Writes[i]; w.Stamped() {
			at := int(w.Stamp) - 1
			fillStamp(w.Key, w.Value, at, s)
			moved = moved || at < len(w.Key)
		}
	}
	if moved {
		slices.SortFunc(r.Writes, func(a, b Write) int { return bytes.Compare(a.Key, b.Key) })
	}
}

// keysEnd is behind all keys: a Base may have to name an end of everything.
var keysEnd = []byte{0xff, 0xff, 0xff, 0xff}

// checkKey refuses the key that has no bytes, and those behind keysEnd.
func checkKey(key []byte) error {
	if len(key) == 0 || bytes.HasPrefix(key, keysEnd) {
		return fmt.Errorf("key %x is outside the store's key space", key)
	}
	return nil
}

// ranges returns what the range deletions cover, sorted and disjoint.
func (o *overlay) ranges() []Span {
	var out []Span
	for n := o.covered.first(); n != nil; n = n.next[0] {
		if n.versions == nil {
			continue
		}
		s := Span{From: n.key}
		if next := n.next[0]; next != nil {
			s.To = next.key
		}
		if last := len(out) - 1; last >= 0 && bytes.Equal(out[last].To, s.From) {
			out[last].To = s.To
			continue
		}
		out = append(out, s)
	}
	return out
}

func (l *skiplist) first() *node {
	if l.len == 0 {
		return nil
	}
	return l.head.next[0]
}

// each implements storage.Commit.Each.
func (r *request) each(fn func(storage.Change)) {
	for _, s := range r.Ranges {
		fn(rangeChange(s, r.kind != commitBy))
	}
	for _, w := range r.Writes {
		fn(storage.Change{Key: w.Key, Value: w.Value, Deleted: w.Delete, New: w.New})
	}
}

func rangeChange(s Span, del bool) storage.Change {
	to := s.To
	if to == nil {
		to = []byte{}
	}
	return storage.Change{Key: s.From, To: to, Deleted: del}
}

// Changes implements storage.Tx.
func (t *Tx) Changes(fn func(storage.Change) error) error {
	if t.over.empty() {
		return nil
	}
	for _, s := range t.over.ranges() {
		if err := fn(rangeChange(s, true)); err != nil {
			return err
		}
	}
	for n := t.over.keys.first(); n != nil; n = n.next[0] {
		v := n.versions
		if v.seq < t.over.coveredAt(n.key, t.over.seq) {
			continue
		}
		if err := fn(storage.Change{Key: n.key, Value: v.value, Deleted: v.kind == deleted, New: v.isNew}); err != nil {
			return err
		}
	}
	return nil
}
