package steps

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// propertyStep is a running values() or properties(). The values of one key it reads
// for as many vertices at once as it was asked for.
//
// Tolerates: labels and paths, for each traverser is split as if it had come alone. A
// strict run demands one traverser at a time, so that no effect or side effect lies
// between.
type propertyStep struct {
	r    *traversal.Run
	in   traversal.Input
	read propertyReader
	// from are the traversers whose values wait in vals from pos on; those of from[i] end
	// at ends[i], and at is the one under way.
	from    []traversal.Traverser
	vals    []value.Value
	ends    []int
	at, pos int
	ids     []blueprints.VertexID
}

// keepRoom empties s and keeps its memory.
func (s *propertyStep) keepRoom() {
	in, vals, ends, ids := s.in.Kept(), traversal.Kept(s.vals), traversal.Kept(s.ends), traversal.Kept(s.ids)
	*s = propertyStep{} // by itself, or it is made elsewhere and copied
	s.in, s.vals, s.ends, s.ids = in, vals, ends, ids
}

func (s *propertyStep) Next(b *traversal.Batch, max int) error {
	for got := 0; got < max; {
		if s.pos < len(s.vals) {
			for s.ends[s.at] <= s.pos {
				s.at++
			}
			b.Add(s.r.Split(&s.from[s.at], s.vals[s.pos]))
			s.pos++
			got++
			continue
		}
		if got > 0 && s.in.Buffered() == 0 {
			return nil
		}
		n, ok, err := s.load(b, s.r.Demand(max-got))
		if got += n; !ok || err != nil {
			return err
		}
	}
	return nil
}

// load reads the values of the next traversers. It gives them at once, n of them, when
// they are no more than asked for; ok is false at the end.
func (s *propertyStep) load(b *traversal.Batch, want int) (n int, ok bool, err error) {
	s.vals, s.ends, s.pos, s.at = s.vals[:0], s.ends[:0], 0, 0
	if ok, err := s.in.Pull(want); !ok {
		return 0, false, err
	}
	if err := s.r.PollNow(); err != nil {
		return 0, false, err
	}
	s.ids = s.ids[:0]
	if s.read.column() {
		s.ids = traversal.VertexIDs(s.ids, s.in.Objects())
	}
	if s.in.Plain() && s.r.SplitsPlain() {
		n, err = s.plain(b, want)
		return n, true, err
	}
	if s.vals, err = s.values(s.vals); err != nil {
		s.in.SkipMany(s.taken())
		s.vals = s.vals[:0]
		return 0, true, err
	}
	s.from = s.from[:0]
	for i := range s.taken() {
		s.from = append(s.from, s.in.At(i))
	}
	s.in.SkipMany(s.taken())
	if len(s.vals) > want {
		return 0, true, nil
	}
	b.Grow(len(s.vals))
	for i := range s.ends {
		for ; s.pos < s.ends[i]; s.pos++ {
			b.Add(s.r.Split(&s.from[i], s.vals[s.pos]))
		}
	}
	return len(s.vals), true, nil
}

// taken is how many traversers are read at once.
func (s *propertyStep) taken() int { return max(len(s.ids), 1) }

// values appends the values of the next traversers, and to ends where those of each end.
func (s *propertyStep) values(dst []value.Value) ([]value.Value, error) {
	var err error
	if len(s.ids) > 0 {
		dst, s.ends, err = s.read.many(dst, s.ends, s.ids)
		return dst, err
	}
	dst, err = s.read.one(dst, s.in.Objects()[0])
	s.ends = append(s.ends, len(dst))
	return dst, err
}

// plain reads the values of traversers that are nothing but their objects straight into b;
// those that are too many wait.
func (s *propertyStep) plain(b *traversal.Batch, want int) (int, error) {
	from := b.Len()
	var err error
	b.Objects, err = s.values(b.Objects)
	s.in.SkipMany(s.taken())
	if err != nil {
		b.Objects = b.Objects[:from]
		return 0, err
	}
	n := min(len(b.Objects)-from, want)
	if rest := b.Objects[from+n:]; len(rest) > 0 {
		s.vals = append(s.vals, rest...)
		s.from = append(s.from[:0], traversal.NewTraverser(value.Null))
		s.ends = append(s.ends[:0], len(s.vals))
		b.Objects = b.Objects[:from+n]
	}
	b.Fill(from, 1, nil)
	return n, nil
}

func (s *propertyStep) Reset() {
	s.vals, s.ends, s.pos, s.at = s.vals[:0], s.ends[:0], 0, 0
	s.in.Reset()
}
