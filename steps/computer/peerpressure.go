package computer

// PeerPressure lets every vertex vote with its strength for its cluster, along its
// edges, until nothing changes or after times rounds. The result is the number of the
// vertex that names each vertex's cluster. less breaks ties between cluster names.
func PeerPressure(g *Graph, times int, strength []float64, less func(a, b int32) bool, poll Poll) ([]int32, error) {
	n := g.Len()
	cluster := make([]int32, n)
	for v := range cluster {
		cluster[v] = int32(v)
	}
	in := g.Reverse()
	votes := map[int32]float64{}
	for i := 1; ; i++ {
		next := make([]int32, n)
		stable := true
		for v := range next {
			if err := poll.at(v); err != nil {
				return nil, err
			}
			clear(votes)
			votes[cluster[v]] = strength[v]
			for _, u := range in.Out(int32(v)) {
				votes[cluster[u]] += strength[u]
			}
			next[v] = winner(votes, int32(v), less)
			stable = stable && next[v] == cluster[v]
		}
		cluster = next
		if stable || i >= times {
			return cluster, nil
		}
	}
}

// winner is the cluster with the most votes; self when nobody has any.
func winner(votes map[int32]float64, self int32, less func(a, b int32) bool) int32 {
	best, most, found := self, 0.0, false
	for c, n := range votes {
		if n <= 0 {
			continue
		}
		if !found || n > most || n == most && less(c, best) {
			best, most, found = c, n, true
		}
	}
	return best
}

// Reverse returns the graph with every edge turned round.
func (g *Graph) Reverse() *Graph {
	n := g.Len()
	r := &Graph{IDs: g.IDs, index: g.index, base: g.base, dense: g.dense,
		Offsets: make([]int64, n+1), Targets: make([]int32, len(g.Targets)), Edges: g.Edges[:0:0]}
	for _, t := range g.Targets {
		r.Offsets[t+1]++
	}
	for v := 0; v < n; v++ {
		r.Offsets[v+1] += r.Offsets[v]
	}
	at := append([]int64{}, r.Offsets[:n]...)
	for v := 0; v < n; v++ {
		for _, t := range g.Out(int32(v)) {
			r.Targets[at[t]] = int32(v)
			at[t]++
		}
	}
	return r
}
