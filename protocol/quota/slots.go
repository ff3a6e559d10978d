package quota

import (
	"context"
	"sync/atomic"
)

// Slots are rights to run, of which there is a fixed number. Taking one that is free
// and giving it back is one atomic step each.
type Slots struct {
	max int64
	// held counts who has a slot or waits for one. As long as somebody waits, all are
	// taken: what is given back then goes to one who waits.
	held atomic.Int64
	hand chan struct{}
}

// Init makes max slots, all free.
func (s *Slots) Init(max int) {
	s.max, s.hand = int64(max), make(chan struct{}, 1)
}

// TryTake takes a slot if one is free.
func (s *Slots) TryTake() bool {
	for {
		n := s.held.Load()
		if n >= s.max {
			return false
		}
		if s.held.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Take waits for a slot; false when ctx ended first.
func (s *Slots) Take(ctx context.Context) bool {
	if s.held.Add(1) <= s.max {
		return true
	}
	select {
	case <-s.hand:
		return true
	case <-ctx.Done():
	}
	for n := s.held.Load(); n > s.max; n = s.held.Load() {
		if s.held.CompareAndSwap(n, n-1) {
			return false
		}
	}
	// Nobody waits without a slot being on its way to him.
	<-s.hand
	s.Give()
	return false
}

// Give gives a slot back.
func (s *Slots) Give() {
	if s.held.Add(-1) >= s.max {
		s.hand <- struct{}{}
	}
}
