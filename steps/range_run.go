package steps

import (
	"encoding/binary"

	"github.com/gremlind/gremlind/traversal"
)

// ranger is a running range(). Once it is full it asks for nothing.
//
// Tolerates: effects of the steps before it: where there are some, it asks for one traverser
// more, as the reference does. A range in a repeat() counts each pass for itself.
type ranger struct {
	r     *traversal.Run
	in    traversal.Input
	g     *traversal.Range
	count int64
	loops map[string]int64 // count for each pass of the repeat()s around
	key   []byte
}

func (s *ranger) Next(b *traversal.Batch, max int) error {
	for got := 0; got < max; {
		if got > 0 && s.in.Buffered() == 0 {
			return nil
		}
		if s.full() && s.in.Buffered() == 0 {
			return s.end()
		}
		t, ok, err := s.in.Take(s.demand(max - got))
		if !ok || err != nil {
			return err
		}
		if got == 0 {
			b.Grow(min(max, 1+s.in.Buffered()))
		}
		if err := s.r.Poll(); err != nil {
			return err
		}
		keep, inLoop := s.keep(&t)
		if keep > 0 {
			b.Add(t.WithBulk(keep))
			got++
		} else if s.full() && !inLoop {
			return nil
		}
	}
	return nil
}

func (s *ranger) full() bool { return s.loops == nil && s.g.High != -1 && s.count >= s.g.High }

// demand asks for no more than can be used.
func (s *ranger) demand(want int) int {
	n := int64(want) + max(s.g.Low-s.count, 0)
	if s.g.High != -1 && s.loops == nil {
		n = min(n, s.g.High-s.count)
	}
	return s.r.Demand(int(min(max(n, 1), gatherPull)))
}

// end is where the last traverser has gone. The reference notices that only when it
// has pulled one more, each time it is asked; where steps have effects that shows, so
// it is done here too.
func (s *ranger) end() error {
	if !s.r.Strict {
		return nil
	}
	_, _, err := s.in.Take(1)
	return err
}

// keep returns how much of t's bulk is in the range.
func (s *ranger) keep(t *traversal.Traverser) (bulk int64, inLoop bool) {
	count := s.count
	inLoop = t.Loops() != nil
	if inLoop {
		s.key = loopKey(s.key[:0], t.Loops())
		count = s.loops[string(s.key)]
	}
	if s.g.High != -1 && count >= s.g.High {
		return 0, inLoop
	}
	end := count + t.Bulk
	from, to := max(count, s.g.Low), end
	if s.g.High != -1 {
		to = min(end, s.g.High)
	}
	if to < from {
		to = end // all of it lies before the range
	}
	if inLoop {
		if s.loops == nil {
			s.loops = map[string]int64{}
		}
		s.loops[string(s.key)] = to
	} else {
		s.count = to
	}
	return max(to-from, 0), inLoop
}

// loopKey tells the passes of nested repeat()s apart.
func loopKey(dst []byte, f *traversal.LoopFrame) []byte {
	for ; f != nil; f = f.Parent {
		dst = binary.AppendUvarint(dst, uint64(f.Count))
	}
	return dst
}

func (s *ranger) Reset() {
	s.count, s.loops = 0, nil
	s.in.Reset()
}
