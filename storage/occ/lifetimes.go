package occ

import (
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

// lifetimes knows the current state, which states are still in use, and where the
// oldest transaction began that may yet commit.
type lifetimes struct {
	latest  atomic.Pointer[shared] // current, nil when closing, for readers without mu
	mu      sync.Mutex
	current *shared
	states  map[*shared]struct{}
	starts  []start // ascending
	closing bool
	empty   chan struct{} // closed when closing and no state is left
}

// start counts the open read-write transactions that began at seq.
type start struct {
	seq  uint64
	open int
}

// acquire returns the current state with a reference, nil when closing. A read-write
// transaction is noted in the same step, so that the committer keeps what it needs.
func (l *lifetimes) acquire(readWrite bool) *shared {
	if !readWrite {
		if sh := l.latest.Load(); sh != nil && sh.retain() {
			return sh
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return nil
	}
	sh := l.current
	sh.refs.Add(1)
	if readWrite {
		if n := len(l.starts); n > 0 && l.starts[n-1].seq == sh.seq {
			l.starts[n-1].open++
		} else {
			l.starts = append(l.starts, start{sh.seq, 1})
		}
	}
	return sh
}

// ended takes back the note of a read-write transaction; idle says that it was the last one.
func (l *lifetimes) ended(seq uint64) (idle bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := sort.Search(len(l.starts), func(i int) bool { return l.starts[i].seq >= seq })
	l.starts[i].open--
	over := 0
	for over < len(l.starts) && l.starts[over].open == 0 {
		over++
	}
	l.starts = slices.Delete(l.starts, 0, over) // keeps the room for the next ones
	return len(l.starts) == 0
}

// oldest returns the commit that every open read-write transaction has seen.
func (l *lifetimes) oldest() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.starts) > 0 {
		return l.starts[0].seq
	}
	return l.current.seq
}

// publish makes a new state current.
func (l *lifetimes) publish(s *Store, state State, seq uint64) error {
	sh := &shared{store: s, state: state, seq: seq, born: time.Now()}
	sh.refs.Store(1)
	l.mu.Lock()
	if l.closing { // nobody will read it
		l.mu.Unlock()
		return state.Close()
	}
	old := l.current
	if invariants && old != nil {
		mustHold(old.seq < seq, "published %d after %d", seq, old.seq)
	}
	l.current = sh
	l.latest.Store(sh)
	if l.states == nil {
		l.states = map[*shared]struct{}{}
	}
	l.states[sh] = struct{}{}
	l.mu.Unlock()
	if old != nil {
		return old.release()
	}
	return nil
}

// released forgets a state that is closed.
func (l *lifetimes) released(sh *shared) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.states, sh)
	if l.closing && len(l.states) == 0 {
		close(l.empty)
	}
}

// retire gives up the current state for good. The channel closes when no reader is left.
func (l *lifetimes) retire() (<-chan struct{}, error) {
	l.mu.Lock()
	l.closing = true
	l.latest.Store(nil)
	l.empty = make(chan struct{})
	cur := l.current
	l.mu.Unlock()
	return l.empty, cur.release()
}

// openStates returns the number of states that readers hold and the age of the oldest.
func (l *lifetimes) openStates() (n, transactions int, age time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for sh := range l.states {
		held := sh.refs.Load()
		if sh == l.current && !l.closing {
			held--
		}
		if held > 0 {
			n += int(held)
			age = max(age, time.Since(sh.born))
		}
	}
	for _, s := range l.starts {
		transactions += s.open
	}
	return n, transactions, age
}
