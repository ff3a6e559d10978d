package computer

import "container/heap"

// Step is one way to reach a vertex on a shortest path.
type Step struct {
	From int32 // vertex number before
	Edge int64 // position of the edge in the Graph
}

// Shortest holds the shortest ways from one source.
type Shortest struct {
	Distance []float64 // by vertex number; negative when not reached
	Before   [][]Step  // all last steps of shortest paths; over edges of length 0 they lead in circles, too
	Reached  []int32   // in the order of their distance
}

// ShortestPaths finds all shortest paths from a source. distance gives the length of
// an edge (never negative); paths longer than max are not followed (max < 0: no bound).
//
// It is no use of the walks of steps/walk. Those go hop by hop, and where somebody stands is
// settled when it is reached; here a vertex is settled when nothing nearer waits, lengths may
// be fractions, and every edge that ends a shortest way to it is kept. Vertices are numbers
// of the Graph, so that the columns are found by position and need no table.
func ShortestPaths(g *Graph, source int32, distance func(edge int64) (float64, error), max float64, poll Poll) (*Shortest, error) {
	s := &Shortest{Distance: make([]float64, g.Len()), Before: make([][]Step, g.Len())}
	for v := range s.Distance {
		s.Distance[v] = -1
	}
	s.Distance[source] = 0
	done := make([]bool, g.Len())
	q := nearest{{source, 0}}
	for len(q) > 0 {
		at := heap.Pop(&q).(reach)
		if done[at.v] {
			continue
		}
		if err := poll(); err != nil {
			return nil, err
		}
		done[at.v] = true
		s.Reached = append(s.Reached, at.v)
		for e := g.Offsets[at.v]; e < g.Offsets[at.v+1]; e++ {
			d, err := distance(e)
			if err != nil {
				return nil, err
			}
			if t := g.Targets[e]; t != source {
				s.relax(&q, t, Step{at.v, e}, at.d+d, max)
			}
		}
	}
	return s, nil
}

func (s *Shortest) relax(q *nearest, t int32, step Step, d, max float64) {
	known := s.Distance[t]
	switch {
	case max >= 0 && d > max || known >= 0 && d > known:
		return
	case known < 0 || d < known:
		s.Distance[t], s.Before[t] = d, append(s.Before[t][:0], step)
		heap.Push(q, reach{t, d})
	default:
		s.Before[t] = append(s.Before[t], step)
	}
}

type reach struct {
	v int32
	d float64
}

// nearest is a heap by distance.
type nearest []reach

func (n nearest) Len() int           { return len(n) }
func (n nearest) Less(i, j int) bool { return n[i].d < n[j].d }
func (n nearest) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }

// Push adds x; it serves container/heap.
func (n *nearest) Push(x any) { *n = append(*n, x.(reach)) }

// Pop removes the last; it serves container/heap.
func (n *nearest) Pop() any {
	x := (*n)[len(*n)-1]
	*n = (*n)[:len(*n)-1]
	return x
}
