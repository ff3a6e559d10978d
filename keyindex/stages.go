package keyindex

import (
	"context"
	"sync/atomic"
	"time"
)

// stages divides the time that elements have beside others: entries are found first, and written to
// tables then. Each has as much of it as it has worked on those before, so that the builder takes
// the same part of a processor all the time. In half of the time what is nearly all the work would
// leave others no processor for seconds.
type stages struct {
	found   float64 // the part of the time that finding has, 0 while nothing is known
	finding atomic.Int64
	writing atomic.Int64 // nanoseconds of work on the elements under way
}

// Bounds of the part that finding has: what is thought to be no work must not come at once.
const (
	foundMin   = 0.2
	foundMax   = 0.9
	foundFirst = 0.75
)

// begin is called ahead of some elements, and learns from those before.
func (s *stages) begin() {
	finding, writing := s.finding.Swap(0), s.writing.Swap(0)
	switch {
	case s.found == 0:
		s.found = foundFirst
	case finding > 0 && writing > 0:
		now := float64(finding) / float64(finding+writing)
		s.found = min(max(now, foundMin), foundMax)
	}
}

// stint is the work of one goroutine in one of the stages, from when it is made.
type stint struct {
	p     *pacer
	part  float64 // of the time of elements
	spent *atomic.Int64
	since time.Time
}

func (s *stages) find(p *pacer) *stint {
	return &stint{p: p, part: s.found, spent: &s.finding, since: time.Now()}
}

func (s *stages) write(p *pacer) *stint {
	return &stint{p: p, part: 1 - s.found, spent: &s.writing, since: time.Now()}
}

// turn is pacer.turn behind what the stage does for some elements.
func (s *stint) turn(ctx context.Context, elements float64) error {
	s.spent.Add(int64(time.Since(s.since)))
	err := s.p.turnOf(ctx, elements*s.part)
	s.since = time.Now()
	return err
}
