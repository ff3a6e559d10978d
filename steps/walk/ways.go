package walk

import "github.com/gremlind/gremlind/blueprints"

// Ways counts in how many ways walkers could hop. It is a blueprints.Sink, for WantCount,
// and for WantEnds where it depends on the far end.
type Ways struct {
	// Walkers are how many stand at each of the vertices that are expanded.
	Walkers []int64
	// Meet is what the far end of an edge must be near to: the edge counts once for every
	// choice of one edge that leads there in each. Nil counts all edges.
	Meet []*Near
	N    int64
}

// Take counts the ways of the walkers of a vertex.
func (w *Ways) Take(i int, e blueprints.Expanded) error {
	n := e.Count
	if len(w.Meet) == 1 {
		n += w.Meet[0].f.here.SumPairs(e.Pairs)
	} else {
		for k := 1; k < len(e.Pairs); k += 2 {
			n += meet(w.Meet, blueprints.VertexID(e.Pairs[k]))
		}
	}
	for k := range e.Edges {
		n += meet(w.Meet, e.Edges[k].Other)
	}
	w.N += n * w.Walkers[i]
	return nil
}

// meet returns in how many ways a vertex is near to all.
func meet(all []*Near, v blueprints.VertexID) int64 {
	n := int64(1)
	for _, near := range all {
		n *= near.Edges(v)
	}
	return n
}
