// Package computer runs whole-graph algorithms on arrays: a compressed sparse row
// form of the edges that an algorithm walks, indexed by dense vertex numbers. The
// formulas and the order of iterations are those of TinkerPop's vertex programs, so
// that results agree to the last bit where floating point allows.
package computer

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/keyed"
)

// Graph is the edges of every vertex in one direction of travel.
type Graph struct {
	IDs     []blueprints.VertexID // vertex number -> id, ascending
	Offsets []int64               // vertex number -> its first edge; one more at the end
	Targets []int32               // edge -> vertex number at its far end
	Edges   []blueprints.EdgeID   // edge -> id
	numbers *keyed.Table[int32]   // vertex id -> number
}

// NewGraph indexes the vertices; edges come by Add, vertex after vertex. The account is
// charged for the index; nil means no limit.
func NewGraph(ids []blueprints.VertexID, a *account.Account) (*Graph, error) {
	g := &Graph{IDs: ids, Offsets: make([]int64, 1, len(ids)+1), numbers: &keyed.Table[int32]{Account: a}}
	for i, id := range ids {
		if err := g.numbers.Add(uint64(id), int32(i)); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Number returns the vertex number of an id, false for a vertex not in the graph.
func (g *Graph) Number(id blueprints.VertexID) (int32, bool) { return g.numbers.Get(uint64(id)) }

// Add appends an edge of the current vertex.
func (g *Graph) Add(edge blueprints.EdgeID, other blueprints.VertexID) {
	if n, ok := g.Number(other); ok {
		g.Targets = append(g.Targets, n)
		g.Edges = append(g.Edges, edge)
	}
}

// EndVertex closes the current vertex; the next Add belongs to the next one.
func (g *Graph) EndVertex() { g.Offsets = append(g.Offsets, int64(len(g.Targets))) }

// Len returns the number of vertices.
func (g *Graph) Len() int { return len(g.IDs) }

// Out returns the vertex numbers that v's edges lead to.
func (g *Graph) Out(v int32) []int32 { return g.Targets[g.Offsets[v]:g.Offsets[v+1]] }

// Poll is called now and then by algorithms, at least once for so many vertices; an error
// ends them.
type Poll func() error

const pollVertices = 1024

// at polls at some vertices.
func (p Poll) at(v int) error {
	if v%pollVertices != 0 {
		return nil
	}
	return p()
}
