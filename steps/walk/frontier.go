package walk

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/traversal"
)

// Frontier is where walkers stand: vertices without an order, each once, and how many
// walkers there are at each.
//
// After an error a Frontier holds a part of what it should: it can only be released.
type Frontier struct {
	r *traversal.Run
	// here is where walkers stand; there, empty between two calls, where they go.
	here, there keyed.Table[int64]

	ids     []blueprints.VertexID
	walkers []int64
	n       int64 // of the last hop
}

// arrays are those of frontiers that are done.
var arrays keyed.Arrays[int64]

// New returns a Frontier without walkers.
func New(r *traversal.Run) *Frontier {
	table := keyed.Table[int64]{Arrays: &arrays, Account: r.Account}
	return &Frontier{r: r, here: table, there: table}
}

// Add puts n walkers at a vertex.
func (f *Frontier) Add(v blueprints.VertexID, n int64) error { return f.here.Add(uint64(v), n) }

// Hop sends every walker along each of the edges of its vertex, to the other end.
func (f *Frontier) Hop(x blueprints.Expansion) error {
	x.Want = blueprints.WantEnds
	if err := f.leave(x, (*hop)(f)); err != nil {
		return err
	}
	f.here, f.there = f.there, f.here
	return nil
}

// hop is a Frontier that takes neighbours.
type hop Frontier

// Take sends the walkers of a vertex to its neighbours.
func (f *hop) Take(i int, e blueprints.Expanded) error {
	if len(e.Edges) == 0 { // as of most vertices
		return f.there.AddPairs(e.Pairs, f.walkers[i])
	}
	return arrive(&f.there, e, f.walkers[i])
}

// arrive puts n walkers at the far end of each edge.
func arrive(t *keyed.Table[int64], e blueprints.Expanded, n int64) error {
	if err := t.AddPairs(e.Pairs, n); err != nil {
		return err
	}
	for i := range e.Edges {
		if err := t.Add(uint64(e.Edges[i].Other), n); err != nil {
			return err
		}
	}
	return nil
}

// Count returns in how many ways the walkers could hop, and leaves nobody behind.
func (f *Frontier) Count(x blueprints.Expansion) (int64, error) {
	x.Want, f.n = blueprints.WantCount, 0
	err := f.leave(x, (*last)(f))
	return f.n, err
}

// last is a Frontier that counts the edges of the last hop.
type last Frontier

// Take counts the ways that the walkers of a vertex have.
func (l *last) Take(i int, e blueprints.Expanded) error {
	l.n += e.Count * l.walkers[i]
	return nil
}

// CountEnds returns to how many vertices the walkers could hop, and leaves nobody behind.
func (f *Frontier) CountEnds(x blueprints.Expansion) (int64, error) {
	x.Want = blueprints.WantEnds
	e := ends{keyed.Set{Account: f.r.Account}}
	defer e.Release()
	err := f.leave(x, &e)
	return e.Len(), err
}

// ends are vertices, each once.
type ends struct{ keyed.Set }

// Take adds the neighbours.
func (s *ends) Take(_ int, e blueprints.Expanded) error {
	if err := s.AddPairs(e.Pairs); err != nil {
		return err
	}
	for i := range e.Edges {
		if _, err := s.Add(uint64(e.Edges[i].Other)); err != nil {
			return err
		}
	}
	return nil
}

// atOnce is how many vertices are expanded between two looks at the clock.
const atOnce = 256

// leave takes all walkers up and expands their vertices.
func (f *Frontier) leave(x blueprints.Expansion, into blueprints.Sink) error {
	x.Next = f
	for {
		f.ids, f.walkers = keyed.Take(&f.here, f.ids[:0], f.walkers[:0], atOnce)
		if len(f.ids) == 0 {
			return nil
		}
		if err := f.r.PollNow(); err != nil {
			return err
		}
		if err := f.r.View.Expand(f.ids, x, into); err != nil {
			return err
		}
	}
}

// Upcoming implements blueprints.Upcoming.
func (f *Frontier) Upcoming(dst []blueprints.VertexID, max int) []blueprints.VertexID {
	return keyed.Peek(&f.here, dst, max)
}

// Release leaves nobody anywhere and gives the memory back.
func (f *Frontier) Release() {
	f.here.Release()
	f.there.Release()
}
