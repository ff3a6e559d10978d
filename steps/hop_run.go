package steps

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/steps/walk"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// How many vertices a hop takes.
const (
	// hopManyMin is the demand from which adjacency is read for many vertices at once.
	hopManyMin = 128
	// hopPullMin is how many vertices are taken at first, however much is asked for: they
	// may have many edges each. It grows fourfold with each taking.
	hopPullMin = 16
)

// hop expands vertices. It reads adjacency in pieces no longer than what is asked
// for, so that limit(1) behind a supernode stays cheap; when much is asked for, it
// reads that of many vertices at once.
//
// Tolerates: labels, paths and side effects: each traverser is split as if it had come
// alone. Many vertices are read at once only where the run is not strict, so that no effect
// lies between.
type hop struct {
	r     *traversal.Run
	in    traversal.Input
	h     *traversal.Hop
	syms  labelSymbols
	edges walk.Reader
	cur   traversal.Traverser // at the vertex under way
	ids   []blueprints.VertexID
	pull  int // vertices to be taken next

	// For TakeEdges: where the next objects go, and how long that may get.
	out *traversal.Batch
	end int
}

// keepRoom empties s and keeps its memory.
func (s *hop) keepRoom() {
	s.edges.KeepRoom()
	*s = hop{in: s.in.Kept(), edges: s.edges, ids: traversal.Kept(s.ids)}
}

func (s *hop) Next(b *traversal.Batch, max int) error {
	from := b.Len()
	s.out, s.end = b, from+max
	for b.Len() < s.end {
		if s.edges.Waits() {
			if err := s.goOn(s.r.Demand(s.end - b.Len())); err != nil {
				return err
			}
			continue
		}
		if b.Len() > from && s.in.Buffered() == 0 {
			return nil
		}
		if ok, err := s.begin(s.r.Demand(s.end - b.Len())); !ok || err != nil {
			return err
		}
	}
	return nil
}

// goOn gives objects of the vertex under way.
func (s *hop) goOn(want int) error {
	syms, ok := s.syms.resolve(s.r)
	if !ok {
		s.edges.Leave()
		return nil
	}
	s.edges.Along(s.h.Dir, syms)
	return s.edges.Go(want, s)
}

// TakeEdges gives the objects of edges, until it has given enough.
func (s *hop) TakeEdges(i int, edges []blueprints.Adjacent) (int, error) {
	if i != walk.Under {
		s.cur = s.in.At(i)
	}
	n := min(s.end-s.out.Len(), len(edges))
	s.give(edges[:n])
	if s.out.Len() < s.end {
		return n, s.r.Poll()
	}
	return n, walk.ErrEnough
}

func (s *hop) give(edges []blueprints.Adjacent) {
	b, from := s.out, s.out.Len()
	b.Grow(len(edges))
	for i := range edges {
		v := value.VertexRef(uint64(edges[i].Other))
		if s.h.Edge {
			v = value.EdgeRef(uint64(edges[i].Edge))
		}
		b.Objects = append(b.Objects, v)
	}
	s.r.SplitMany(b, from, &s.cur)
}

// begin takes the next vertex, or expands many at once; ok is false at the end.
func (s *hop) begin(want int) (ok bool, err error) {
	if s.in.Buffered() == 0 {
		s.pull = max(hopPullMin, min(4*s.pull, gatherPull))
	}
	t, err := s.in.Peek(min(want, s.pull))
	if t == nil {
		return false, err
	}
	if want >= hopManyMin && !s.r.Strict && s.in.Buffered() > 1 {
		return true, s.many()
	}
	if err := s.r.Poll(); err != nil {
		return false, err
	}
	s.in.Skip()
	if t.Kind() != value.KindVertex {
		return false, step.NotVertex(t.Value)
	}
	if t.IsStored() { // a detached copy has no edges here
		s.cur = *t
		s.edges.Enter(blueprints.VertexID(t.Ref()))
	}
	return true, nil
}

// many expands buffered vertices until enough objects were given.
func (s *hop) many() error {
	objs := s.in.Objects()
	s.ids = traversal.VertexIDs(s.ids[:0], objs)
	if len(s.ids) == 0 {
		s.in.Skip()
		if objs[0].Kind() != value.KindVertex {
			return step.NotVertex(objs[0])
		}
		return nil
	}
	syms, ok := s.syms.resolve(s.r)
	if !ok {
		s.in.SkipMany(len(s.ids))
		return s.r.Poll()
	}
	s.edges.Along(s.h.Dir, syms)
	n, err := s.edges.Many(s.ids, s)
	s.in.SkipMany(n)
	return err
}

func (s *hop) Reset() {
	s.edges.Leave()
	s.pull = 0
	s.in.Reset()
}
