package pebble

import (
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage/occ"
)

// state is a snapshot of Pebble, with cursors that wait for their next reader: to open
// an iterator costs far more than to move one.
type state struct {
	s    *Store
	snap *pebble.Snapshot

	mu    sync.Mutex
	idle  []*cursor
	first cursor // allocated with the state: few have more
	begun bool   // first was given out
}

const idleCursors = 16 // kept per state

var _ occ.State = (*state)(nil)

// Cursor implements occ.State.
func (st *state) Cursor() (occ.Cursor, error) {
	st.mu.Lock()
	if n := len(st.idle); n > 0 {
		c := st.idle[n-1]
		st.idle = st.idle[:n-1]
		st.mu.Unlock()
		return c, nil
	}
	c := &st.first
	if st.begun {
		c = &cursor{}
	}
	st.begun = true
	st.mu.Unlock()
	it, err := st.snap.NewIter(nil)
	if err != nil {
		return nil, st.s.readError(err)
	}
	c.st, c.it = st, it
	return c, nil
}

// dropIdle closes the cursors that nobody uses; they pin memory and files.
func (st *state) dropIdle() error {
	st.mu.Lock()
	idle := st.idle
	st.idle = nil
	st.mu.Unlock()
	var first error
	for _, c := range idle {
		if err := c.it.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Close implements occ.State.
func (st *state) Close() error {
	err := st.dropIdle()
	if cerr := st.snap.Close(); err == nil {
		err = cerr
	}
	return err
}
