package walk

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/traversal"
)

// Near is a Frontier one hop around a vertex: how many edges lead to each neighbour.
type Near struct {
	f   Frontier
	hop blueprints.Expansion
}

// NewNear returns a Near around no vertex.
func NewNear(r *traversal.Run, hop blueprints.Expansion) *Near {
	hop.Want = blueprints.WantEnds
	return &Near{f: *New(r), hop: hop}
}

// Go goes to another vertex, and marks what is near there.
func (n *Near) Go(v blueprints.VertexID) error {
	n.f.here.Reset()
	n.f.ids = append(n.f.ids[:0], v)
	return n.f.r.View.Expand(n.f.ids, n.hop, (*around)(&n.f))
}

// around is a Frontier that takes the neighbours of one vertex.
type around Frontier

// Take puts a walker at the far end of each edge.
func (a *around) Take(_ int, e blueprints.Expanded) error { return arrive(&a.here, e, 1) }

// Edges returns how many edges lead to a vertex, 0 when it is not near.
func (n *Near) Edges(v blueprints.VertexID) int64 { return n.f.here.Sum(uint64(v)) }

// Release goes away and gives the memory back.
func (n *Near) Release() { n.f.Release() }
