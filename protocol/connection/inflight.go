package connection

import (
	"sync"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/request"
)

// inFlight are the requests of a connection that have not got their terminal frame.
type inFlight struct {
	mu   sync.Mutex
	one  *request.Task // of most connections, which have no more
	more map[uuid.UUID]*request.Task
}

// add takes t in unless another request has its id.
func (f *inFlight) add(t *request.Task) bool {
	id := t.Req.ID
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, used := f.more[id]; used || f.one != nil && f.one.Req.ID == id {
		return false
	}
	switch {
	case f.one == nil:
		f.one = t
	case f.more == nil:
		f.more = map[uuid.UUID]*request.Task{id: t}
	default:
		f.more[id] = t
	}
	return true
}

// remove gives the id of t free if t has it.
func (f *inFlight) remove(t *request.Task) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.one == t {
		f.one = nil
	} else if f.more[t.Req.ID] == t {
		delete(f.more, t.Req.ID)
	}
}

// each calls fn for all of them, which do not end meanwhile.
func (f *inFlight) each(fn func(*request.Task)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.one != nil {
		fn(f.one)
	}
	for _, t := range f.more {
		fn(t)
	}
}
