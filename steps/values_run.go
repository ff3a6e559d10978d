package steps

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// propertyStep is a running values() or properties(). The values of one key it reads
// for as many vertices at once as it was asked for.
//
// Tolerates: labels and paths, for each traverser is split as if it had come alone. A
// strict run demands one traverser at a time, so that no effect or side effect lies
// between; objects go without traversers only where traversal.Objects lets them.
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
	objs    []value.Value
}

// keepRoom empties s and keeps its memory.
func (s *propertyStep) keepRoom() {
	*s = propertyStep{in: s.in.Kept(), vals: traversal.Kept(s.vals), ends: traversal.Kept(s.ends), ids: traversal.Kept(s.ids)}
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
		if got > 0 && len(s.in.Buffered()) == 0 {
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
	t, err := s.in.Peek(want)
	if t == nil {
		return 0, false, err
	}
	if err := s.r.PollNow(); err != nil {
		return 0, false, err
	}
	ts := s.in.Buffered()
	s.ids = slices.Grow(s.ids[:0], len(ts))
	for i := 0; i < len(ts) && s.read.column() && isStoredVertex(ts[i].Value); i++ {
		s.ids = append(s.ids, blueprints.VertexID(ts[i].Ref()))
	}
	if ts = ts[:max(len(s.ids), 1)]; len(s.ids) > 0 {
		s.vals, s.ends, err = s.read.many(s.vals, s.ends, s.ids)
	} else {
		s.vals, err = s.read.one(s.vals, t.Value)
		s.ends = append(s.ends, len(s.vals))
	}
	for range ts {
		s.in.Skip()
	}
	if err != nil {
		s.vals = s.vals[:0]
		return 0, true, err
	}
	if len(s.vals) > want {
		s.from = append(s.from[:0], ts...)
		return 0, true, nil
	}
	b.T = slices.Grow(b.T, len(s.vals))
	for i := range s.ends {
		for ; s.pos < s.ends[i]; s.pos++ {
			b.Add(s.r.Split(&ts[i], s.vals[s.pos]))
		}
	}
	return len(s.vals), true, nil
}

func isStoredVertex(v value.Value) bool { return v.Kind() == value.KindVertex && v.IsStored() }

// NextObjects implements traversal.Objects.
func (s *propertyStep) NextObjects(dst []value.Value, max int) ([]value.Value, bool, error) {
	up := s.r.Objects(s.in.Up)
	if up == nil || s.pos < len(s.vals) || !s.in.Idle() {
		return dst, false, nil
	}
	from := len(dst)
	for {
		var plain bool
		var upErr error
		s.objs, plain, upErr = up.NextObjects(s.objs[:0], s.r.Demand(max))
		var err error
		if dst, err = s.readObjects(dst, s.objs); err != nil {
			return dst, true, err
		}
		if len(dst) > from || len(s.objs) == 0 || !plain || upErr != nil {
			return dst, plain, upErr
		}
		if err := s.r.PollNow(); err != nil {
			return dst, true, err
		}
	}
}

func (s *propertyStep) readObjects(dst, objs []value.Value) ([]value.Value, error) {
	var err error
	for len(objs) > 0 && err == nil {
		s.ids = s.ids[:0]
		if s.read.column() {
			s.ids = traversal.VertexIDs(s.ids, objs)
		}
		if n := len(s.ids); n > 0 {
			dst, s.ends, err = s.read.many(dst, s.ends[:0], s.ids)
			objs = objs[n:]
			continue
		}
		dst, err = s.read.one(dst, objs[0])
		objs = objs[1:]
	}
	return dst, err
}

func (s *propertyStep) Reset() {
	s.vals, s.ends, s.pos, s.at = s.vals[:0], s.ends[:0], 0, 0
	s.in.Reset()
}
