package occ

import (
	"sync/atomic"
	"time"
)

// shared is one published state: everything up to commit seq, all of it durable. All
// readers that begin between two groups of commits hold the same one.
type shared struct {
	store *Store
	state State
	seq   uint64
	born  time.Time
	refs  atomic.Int64 // readers, and one while it is the current state
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

// release gives up one reference; the last one closes the state.
func (sh *shared) release() error {
	left := sh.refs.Add(-1)
	if invariants {
		mustHold(left >= 0, "state %d was released too often", sh.seq)
	}
	if left > 0 {
		return nil
	}
	err := sh.state.Close()
	sh.store.lifetimes.released(sh)
	return err
}
