package computer

import "math"

// PageRankOptions are the settings of pageRank().
type PageRankOptions struct {
	Alpha   float64   // damping
	Times   int       // propagations
	Epsilon float64   // stop when the sum of changes is below
	Initial []float64 // rank of each vertex at the start; nil spreads 1 over all
}

// PageRank computes TinkerPop's variant of PageRank: rank that is not passed on
// (damping, and vertices without edges) is spread evenly over all vertices.
func PageRank(g *Graph, o PageRankOptions, poll Poll) ([]float64, error) {
	n := g.Len()
	rank, incoming := make([]float64, n), make([]float64, n)
	energy := 1.0
	if o.Initial != nil {
		copy(incoming, o.Initial)
		energy = 0
	}
	for i := 0; ; i++ {
		change, next := 0.0, energy
		local := energy / float64(n)
		received := incoming
		incoming = make([]float64, n)
		for v := 0; v < n; v++ {
			if err := poll.at(v); err != nil {
				return nil, err
			}
			r := received[v]
			if energy > 0 {
				r += local
				next -= local // vertex by vertex, as the reference rounds
			}
			change += math.Abs(r - rank[v])
			rank[v] = r
			next += (1 - o.Alpha) * r
			r *= o.Alpha
			out := g.Out(int32(v))
			if len(out) == 0 {
				next += r
				continue
			}
			share := r / float64(len(out))
			for _, t := range out {
				incoming[t] += share
			}
		}
		energy = next
		if i >= o.Times || change < o.Epsilon {
			return rank, nil
		}
	}
}
