package walk

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/traversal"
)

// Figure counts the ways to lay a figure of hops over the graph, corner by corner:
//
//	corner 0 at a start; corner 1 where a hop from corner 0 leads; corner 2 where one from
//	corner 1 leads, if as well an edge leads from there to corner 0
//
// Corners are tried depth first, so that the neighbours of those before stay marked. What
// leads to the last corner is only counted.
type Figure struct {
	r       *traversal.Run
	corners []corner
	ways    Ways
	one     [1]int64
}

// corner is one vertex of a Figure.
type corner struct {
	from   int                  // the corner from which the hop leads here
	hop    blueprints.Expansion // not of the first
	checks []*Near              // marks of earlier corners: a vertex here must be near to each
	marks  []*Near              // what later corners ask of a vertex here
	at     [1]blueprints.VertexID
	bulk   int64 // of each edge that leads here
	// found are the vertices that may be here, and bulks the ways to them.
	found []blueprints.VertexID
	bulks []int64
}

// NewFigure returns a Figure of one corner.
func NewFigure(r *traversal.Run) *Figure { return &Figure{r: r, corners: make([]corner, 1)} }

// Corner adds a corner where a hop from another one leads.
func (f *Figure) Corner(from int, hop blueprints.Expansion) {
	hop.Want = blueprints.WantEnds
	f.corners = append(f.corners, corner{from: from, hop: hop})
}

// Check asks that a hop leads from one corner to another.
func (f *Figure) Check(from, to int, hop blueprints.Expansion) {
	if to < from {
		from, to, hop.Dir = to, from, Back(hop.Dir)
	}
	near := NewNear(f.r, hop)
	f.corners[from].marks = append(f.corners[from].marks, near)
	f.corners[to].checks = append(f.corners[to].checks, near)
}

// Back is the direction in which the far end sees a hop.
func Back(d blueprints.Direction) blueprints.Direction {
	switch d {
	case blueprints.Out:
		return blueprints.In
	case blueprints.In:
		return blueprints.Out
	}
	return d
}

// Count returns in how many ways the figure lies with its first corner at a vertex.
func (f *Figure) Count(v blueprints.VertexID) (int64, error) {
	f.ways.N = 0
	if err := f.stand(0, v); err != nil {
		return 0, err
	}
	err := f.expand(1, 1)
	return f.ways.N, err
}

// stand puts a vertex at a corner and marks what later corners ask about it.
func (f *Figure) stand(i int, v blueprints.VertexID) error {
	c := &f.corners[i]
	c.at[0] = v
	for _, m := range c.marks {
		if err := m.Go(v); err != nil {
			return err
		}
	}
	return f.r.Poll()
}

// foundBytes is what a vertex takes that may be at a corner.
const foundBytes = 16

// expand counts the ways to fill a corner and those behind it, bulk times each.
func (f *Figure) expand(i int, bulk int64) error {
	if i == len(f.corners) {
		f.ways.N += bulk
		return nil
	}
	c := &f.corners[i]
	from := f.corners[c.from].at[:]
	if i == len(f.corners)-1 {
		f.one[0] = bulk
		return f.last(from, f.one[:])
	}
	c.found, c.bulks, c.bulk = c.found[:0], c.bulks[:0], bulk
	room := cap(c.found)
	err := f.r.View.Expand(from, c.hop, c)
	if err == nil {
		err = f.r.Charge(foundBytes * (cap(c.found) - room))
	}
	if err != nil {
		return err
	}
	if i == len(f.corners)-2 && f.corners[i+1].from == i && len(c.marks) == 0 {
		return f.last(c.found, c.bulks)
	}
	for k, v := range c.found {
		if err := f.stand(i, v); err != nil {
			return err
		}
		if err := f.expand(i+1, c.bulks[k]); err != nil {
			return err
		}
	}
	return nil
}

// Take keeps the vertices that pass the checks.
func (c *corner) Take(_ int, e blueprints.Expanded) error {
	for k := 1; k < len(e.Pairs); k += 2 {
		c.keep(blueprints.VertexID(e.Pairs[k]))
	}
	for i := range e.Edges {
		c.keep(e.Edges[i].Other)
	}
	return nil
}

func (c *corner) keep(v blueprints.VertexID) {
	if bulk := c.bulk * meet(c.checks, v); bulk != 0 {
		c.found, c.bulks = append(c.found, v), append(c.bulks, bulk)
	}
}

// last counts the ways from vertices to the last corner.
func (f *Figure) last(from []blueprints.VertexID, bulks []int64) error {
	c := &f.corners[len(f.corners)-1]
	hop := c.hop
	if f.ways.Meet = c.checks; len(c.checks) == 0 {
		hop.Want = blueprints.WantCount
	}
	for len(from) > 0 {
		n := min(len(from), atOnce)
		if err := f.r.PollNow(); err != nil {
			return err
		}
		f.ways.Walkers = bulks
		if err := f.r.View.Expand(from[:n], hop, &f.ways); err != nil {
			return err
		}
		from, bulks = from[n:], bulks[n:]
	}
	return nil
}

// Release gives the memory of the marks back.
func (f *Figure) Release() {
	for _, c := range f.corners {
		for _, m := range c.marks {
			m.Release()
		}
	}
}
