package steps

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Bounds of a hop's reading.
const (
	// hopPieceMin is how many edges are read at least at once; they cost next to
	// nothing once the first is found.
	hopPieceMin = 16
	// hopManyMin is the demand from which adjacency is read for many vertices at once.
	hopManyMin = 128
	// hopPullMin is how many vertices are taken at first, however much is asked for: they
	// may have many edges each. It grows fourfold with each taking.
	hopPullMin = 16
	// hopKeepMax is how many edges beyond the demand are kept rather than read again.
	hopKeepMax = 4096
	// adjacentBytes is what an edge takes that is kept.
	adjacentBytes = 24
)

// hop expands vertices. It reads adjacency in pieces no longer than what is asked
// for, so that limit(1) behind a supernode stays cheap; when much is asked for, it
// reads that of many vertices at once.
//
// Tolerates: labels, paths and side effects: each traverser is split as if it had come
// alone. Many vertices are read at once only where the run is not strict, so that no effect
// lies between.
type hop struct {
	r      *traversal.Run
	in     traversal.Input
	h      *traversal.Hop
	syms   labelSymbols
	cur    traversal.Traverser
	active bool // cur may have more edges behind buf
	last   blueprints.Adjacent
	begun  bool
	buf    []blueprints.Adjacent
	pos    int
	ids    []blueprints.VertexID
	pull   int  // vertices to be taken next
	writes bool // the traversal changes the graph

	// For the sinks: where the next room objects go, how many vertices were used, and how
	// many edges are read of the current one, 0 for all.
	out   *traversal.Batch
	room  int
	used  int
	piece int
	at    [1]blueprints.VertexID
}

// keepRoom empties s and keeps its memory.
func (s *hop) keepRoom() {
	*s = hop{in: s.in.Kept(), buf: traversal.Kept(s.buf), ids: traversal.Kept(s.ids)}
}

func (s *hop) Next(b *traversal.Batch, max int) error {
	for got := 0; got < max; {
		if s.pos < len(s.buf) {
			n := min(max-got, len(s.buf)-s.pos)
			s.give(b, &s.cur, s.buf[s.pos:s.pos+n])
			s.pos += n
			got += n
			continue
		}
		if s.active {
			n, err := s.more(b, max-got)
			if got += n; err != nil {
				return err
			}
			continue
		}
		if got > 0 && s.in.Buffered() == 0 {
			return nil
		}
		n, ok, err := s.begin(b, s.r.Demand(max-got))
		if got += n; !ok || err != nil {
			return err
		}
	}
	return nil
}

func (s *hop) give(b *traversal.Batch, t *traversal.Traverser, edges []blueprints.Adjacent) {
	from := b.Len()
	b.Grow(len(edges))
	for i := range edges {
		v := value.VertexRef(uint64(edges[i].Other))
		if s.h.Edge {
			v = value.EdgeRef(uint64(edges[i].Edge))
		}
		b.Objects = append(b.Objects, v)
	}
	s.r.SplitMany(b, from, t)
}

// begin takes the next vertex, or expands many at once into b and returns how many
// objects that gave; ok is false at the end.
func (s *hop) begin(b *traversal.Batch, want int) (n int, ok bool, err error) {
	if s.in.Buffered() == 0 {
		s.pull = max(hopPullMin, min(4*s.pull, gatherPull))
	}
	t, err := s.in.Peek(min(want, s.pull))
	if t == nil {
		return 0, false, err
	}
	if want >= hopManyMin && !s.r.Strict && s.in.Buffered() > 1 {
		n, err = s.many(b, want)
		return n, true, err
	}
	if err := s.r.Poll(); err != nil {
		return 0, false, err
	}
	s.in.Skip()
	if t.Kind() != value.KindVertex {
		return 0, false, step.NotVertex(t.Value)
	}
	s.cur, s.active, s.begun = *t, true, false
	return 0, true, nil
}

// errEnough ends a walk over many vertices.
var errEnough = errors.New("enough")

// many expands buffered vertices until want objects were given. What is left of the
// last vertex stays in buf, and behind that in the store.
func (s *hop) many(b *traversal.Batch, want int) (int, error) {
	objs := s.in.Objects()
	s.ids = traversal.VertexIDs(s.ids[:0], objs)
	if len(s.ids) == 0 {
		s.in.Skip()
		if objs[0].Kind() != value.KindVertex {
			return 0, step.NotVertex(objs[0])
		}
		return 0, nil // a detached copy has no edges here
	}
	syms, ok := s.syms.resolve(s.r)
	if !ok {
		return 0, s.skip(len(s.ids))
	}
	s.out, s.room, s.used = b, want, 0
	err := s.r.View.Expand(s.ids, blueprints.Expansion{Dir: s.h.Dir, Labels: syms}, (*hopMany)(s))
	if errors.Is(err, errEnough) {
		err = nil
	}
	s.in.SkipMany(s.used)
	return want - s.room, err
}

// hopMany is a hop that takes the edges of buffered vertices.
type hopMany hop

// Take gives the objects of a vertex, and has enough when there is no more room.
func (m *hopMany) Take(i int, e blueprints.Expanded) error {
	s := (*hop)(m)
	s.used = i + 1
	s.cur = s.in.At(i)
	n := min(s.room, len(e.Edges))
	s.give(s.out, &s.cur, e.Edges[:n])
	if s.room -= n; s.room > 0 {
		return s.r.Poll()
	}
	s.keep(e.Edges[n:])
	return errEnough
}

func (s *hop) keep(rest []blueprints.Adjacent) {
	n := min(len(rest), hopKeepMax)
	s.buf, s.pos = append(s.buf[:0], rest[:n]...), 0
	if s.active = n < len(rest); s.active {
		s.last, s.begun = rest[n-1], true
	}
}

func (s *hop) skip(n int) error {
	s.in.SkipMany(n)
	return s.r.Poll()
}

// more reads the next piece of the current vertex's edges, and gives as many objects as
// there is room for.
func (s *hop) more(b *traversal.Batch, room int) (int, error) {
	s.buf, s.pos = s.buf[:0], 0
	syms, ok := s.syms.resolve(s.r)
	if !ok || !s.cur.IsStored() {
		s.active = false
		return 0, nil
	}
	x := blueprints.Expansion{Dir: s.h.Dir, Labels: syms, Max: max(s.r.Demand(room), hopPieceMin)}
	if s.writes {
		x.Max = 0 // all at once: edges that the traversal adds meanwhile are not walked
	}
	if s.begun {
		x.After = s.last
	}
	s.out, s.room, s.piece, s.active = b, room, x.Max, false
	s.at[0] = blueprints.VertexID(s.cur.Ref())
	err := s.r.View.Expand(s.at[:], x, (*hopPiece)(s))
	return room - s.room, err
}

// hopPiece is a hop that takes a piece of the current vertex's edges.
type hopPiece hop

// Take gives objects and keeps the other edges.
func (p *hopPiece) Take(_ int, e blueprints.Expanded) error {
	s := (*hop)(p)
	n := min(s.room, len(e.Edges))
	s.give(s.out, &s.cur, e.Edges[:n])
	s.room -= n
	s.buf = append(s.buf, e.Edges[n:]...)
	if s.piece == 0 {
		return s.r.Charge(len(s.buf) * adjacentBytes)
	}
	if s.active = len(e.Edges) >= s.piece; s.active {
		s.last, s.begun = e.Edges[len(e.Edges)-1], true
	}
	return nil
}

func (s *hop) Reset() {
	s.active, s.begun, s.pos, s.pull = false, false, 0, 0
	s.buf = s.buf[:0]
	s.in.Reset()
}
