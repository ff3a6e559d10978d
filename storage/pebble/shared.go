package pebble

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// shared is one published state of the store: everything up to commit seq, all of it
// durable. All readers that begin between two commits hold the same one.
type shared struct {
	store *Store
	snap  *pebble.Snapshot
	seq   uint64
	born  time.Time
	refs  atomic.Int64 // readers, and one while it is the current state

	mu   sync.Mutex
	idle []*pebble.Iterator // open, unpositioned, for the next reader
}

const idleIterators = 16 // kept per published state

// iterator returns an iterator over everything; give it back with recycle.
func (sh *shared) iterator() (*pebble.Iterator, error) {
	sh.mu.Lock()
	if n := len(sh.idle); n > 0 {
		it := sh.idle[n-1]
		sh.idle = sh.idle[:n-1]
		sh.mu.Unlock()
		return it, nil
	}
	sh.mu.Unlock()
	it, err := sh.snap.NewIter(nil)
	if err != nil {
		return nil, sh.store.readError(err)
	}
	return it, nil
}

// recycle takes an iterator back; one that met an error is closed instead.
func (sh *shared) recycle(it *pebble.Iterator) error {
	if err := it.Error(); err != nil {
		_ = it.Close() // repeats err
		return sh.store.readError(err)
	}
	sh.mu.Lock()
	if len(sh.idle) < idleIterators {
		sh.idle = append(sh.idle, it)
		sh.mu.Unlock()
		return nil
	}
	sh.mu.Unlock()
	return it.Close()
}

// dropIdle closes the iterators that nobody uses; they pin memory and files.
func (sh *shared) dropIdle() error {
	sh.mu.Lock()
	idle := sh.idle
	sh.idle = nil
	sh.mu.Unlock()
	var first error
	for _, it := range idle {
		if err := it.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// retain takes a reference unless the last one was given up.
func (sh *shared) retain() bool {
	for {
		n := sh.refs.Load()
		if n == 0 {
			return false
		}
		if sh.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release gives up one reference; the last one closes the snapshot.
func (sh *shared) release() error {
	left := sh.refs.Add(-1)
	if invariants {
		mustHold(left >= 0, "state %d was released too often", sh.seq)
	}
	if left > 0 {
		return nil
	}
	err := sh.dropIdle()
	if cerr := sh.snap.Close(); err == nil {
		err = cerr
	}
	sh.store.lifetimes.released(sh)
	return err
}
