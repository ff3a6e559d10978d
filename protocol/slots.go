package protocol

import (
	"context"
	"sync/atomic"
)

// slots are rights to run, of which there is a fixed number. Taking one that is free
// and giving it back is one atomic step each.
type slots struct {
	max int64
	// held counts who has a slot or waits for one. As long as somebody waits, all are
	// taken: what is given back then goes to one who waits.
	held atomic.Int64
	hand chan struct{}
}

func (s *slots) init(max int) {
	s.max, s.hand = int64(max), make(chan struct{}, 1)
}

// tryTake takes a slot if one is free.
func (s *slots) tryTake() bool {
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

// take waits for a slot; false when ctx ended first.
func (s *slots) take(ctx context.Context) bool {
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
	s.give()
	return false
}

// give gives a slot back.
func (s *slots) give() {
	if s.held.Add(-1) >= s.max {
		s.hand <- struct{}{}
	}
}
