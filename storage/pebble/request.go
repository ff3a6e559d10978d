package pebble

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
)

// request is what a transaction, or an ingestion, hands to the committer.
type request struct {
	kind   requestKind
	tx     *Tx
	start  uint64 // commits after it are concurrent
	strict bool

	reads  []span       // sorted, disjoint
	guards [][]byte     // any order
	writes []writtenKey // sorted
	ranges []span       // deleted or ingested, sorted, disjoint
	deltas []delta
	size   int64         // of writes, in bytes
	batch  *pebble.Batch // what is deleted by ranges, and the writes but for the deltas unless left is set; may be nil
	left   bool          // writes are left to the committer

	ingest []string // paths of the tables of an ingestion

	state atomic.Int32 // waiting, taken or withdrawn
	seq   uint64
	err   error
	done  chan struct{}               // gets one token after seq and err are set, unless
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
	deltas, done := r.deltas, r.done
	clear(deltas)
	*r = request{deltas: deltas[:0], done: done}
	requests.Put(r)
}

type requestKind uint8

const (
	commitWrites requestKind = iota
	commitIngest
	acquireAlone
	releaseAlone
	refreshTx
)

// States of a request: its owner may withdraw it until the committer takes it.
const (
	waiting int32 = iota
	taken
	withdrawn
)

// answer tells the transaction that seq and err are set. The committer does not look at
// a request behind that.
func (r *request) answer() {
	if r.then == nil {
		r.done <- struct{}{}
		return
	}
	t, seq, err, then := r.tx, r.seq, r.err, r.then
	r.recycle()
	then(t.ended(seq, err))
}

func (r *request) fail(err error) {
	r.err = err
	r.answer()
}

// writtenKey is a key that a commit changes. A delta is soft: it does not conflict
// with other deltas.
type writtenKey struct {
	key   []byte
	value []byte // what was set: the overlay's, for the listeners
	soft  bool
	del   bool
}

type delta struct {
	key []byte
	by  int64
}

// expandAtMost is the number of keys up to which a range deletion is written as that
// many deletions. Pebble keeps range tombstones in a list that each write to it makes
// anew; dropping many small rows would be quadratic.
const expandAtMost = 512

// expandBytes bounds a batch to which such deletions are added.
const expandBytes = 16 << 20

// request turns the overlay into what the committer needs.
func (t *Tx) request() (*request, error) {
	r := newRequest(commitWrites, t)
	r.start, r.strict = t.Seq(), t.strict()
	r.size = t.over.size
	if r.strict {
		r.reads = t.reads.tidy()
	}
	r.take(t)
	r.left = r.size < ownBatchBytes && len(r.ranges) == 0 || r.size > ownBatchMax || !t.payBatch(r.size)
	if len(r.ranges) == 0 && r.left {
		return r, nil
	}
	return r, t.batch(r)
}

// take copies what the committer compares with other commits.
func (r *request) take(t *Tx) {
	r.guards, r.ranges = t.guards, t.over.ranges()
	r.writes = slices.Grow(t.over.writes[:0], t.over.keys.len)
	for n := t.over.keys.first(); n != nil; n = n.next[0] {
		if v := n.versions; v.seq >= t.over.coveredAt(n.key, t.over.seq) {
			r.note(n.key, v)
		}
	}
	t.over.writes = r.writes
}

func (r *request) note(key []byte, v *version) {
	r.writes = append(r.writes, writtenKey{key: key, value: v.value, soft: v.kind == merged, del: v.kind == deleted})
	if v.kind == merged {
		r.deltas = append(r.deltas, delta{key: key, by: v.delta})
	}
}

// batch makes the request's own batch.
func (t *Tx) batch(r *request) error {
	r.batch = newBatch(t.store.db, r.size)
	for _, s := range r.ranges {
		if err := t.writeRange(r.batch, s); err != nil {
			return err
		}
	}
	for i := range r.writes {
		if r.left {
			break
		}
		if err := r.writes[i].put(r.batch); err != nil {
			return err
		}
	}
	r.size = max(r.size, int64(r.batch.Len())) // what the ranges became is in no write set
	return nil
}

// writeRange deletes s: key by key when there are few, which is the same thing because
// a concurrent write within s is a conflict.
func (t *Tx) writeRange(b *pebble.Batch, s span) error {
	to := s.to
	if len(to) == 0 {
		to = afterAll
	}
	if b.Len() > expandBytes {
		return b.DeleteRange(s.from, to, nil)
	}
	it := t.base.Scan(storage.ScanOptions{From: s.from, To: s.to})
	var keys arena
	var found [][]byte
	for len(found) <= expandAtMost && it.Next() {
		found = append(found, keys.copy(it.Key()))
	}
	if err := it.Close(); err != nil {
		return err
	}
	if len(found) > expandAtMost {
		return b.DeleteRange(s.from, to, nil)
	}
	for _, key := range found {
		if err := b.Delete(key, nil); err != nil {
			return err
		}
	}
	return nil
}

// afterAll is behind every key that the store accepts (see checkKey).
var afterAll = bytes.Repeat([]byte{0xff}, 16)

// checkKey refuses keys that no table makes and that would collide with afterAll.
func checkKey(key []byte) error {
	if len(key) == 0 || bytes.HasPrefix(key, afterAll[:4]) {
		return fmt.Errorf("key %x is outside the store's key space", key)
	}
	return nil
}

// ranges returns what the range deletions cover, sorted and disjoint.
func (o *overlay) ranges() []span {
	var out []span
	for n := o.covered.first(); n != nil; n = n.next[0] {
		if n.versions == nil {
			continue
		}
		s := span{from: n.key}
		if next := n.next[0]; next != nil {
			s.to = next.key
		}
		if last := len(out) - 1; last >= 0 && bytes.Equal(out[last].to, s.from) {
			out[last].to = s.to
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
