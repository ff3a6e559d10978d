package computer

import "github.com/gremlind/gremlind/storage/keyed"

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
	var votes ballot
	for i := 1; ; i++ {
		next := make([]int32, n)
		stable := true
		for v := range next {
			if err := poll.at(v); err != nil {
				return nil, err
			}
			votes.clear()
			votes.add(cluster[v], strength[v])
			for _, u := range in.Out(int32(v)) {
				votes.add(cluster[u], strength[u])
			}
			next[v] = votes.winner(int32(v), less)
			stable = stable && next[v] == cluster[v]
		}
		cluster = next
		if stable || i >= times {
			return cluster, nil
		}
	}
}

// ballot is the votes for clusters.
type ballot struct {
	clusters keyed.Index
	votes    []float64 // by the places of clusters
}

func (b *ballot) clear() {
	b.clusters.Reset()
	b.votes = b.votes[:0]
}

func (b *ballot) add(cluster int32, strength float64) {
	i, isNew := b.clusters.Add(uint64(cluster))
	if isNew {
		b.votes = append(b.votes, 0)
	}
	b.votes[i] += strength
}

// winner is the cluster with the most votes; self when nobody has any.
func (b *ballot) winner(self int32, less func(a, b int32) bool) int32 {
	best, most, found := self, 0.0, false
	for i, key := range b.clusters.Keys() {
		c, n := int32(key), b.votes[i]
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
	r := &Graph{IDs: g.IDs, numbers: g.numbers,
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
