package computer

// Components spreads the least name along the edges until nothing changes, and
// returns for each vertex the number of the vertex whose name it got. Names are
// compared by less. A vertex that no edge reaches keeps its own.
func Components(g *Graph, less func(a, b int32) bool, poll Poll) ([]int32, error) {
	n := g.Len()
	name := make([]int32, n)
	active := make([]int32, n)
	for v := range name {
		name[v], active[v] = int32(v), int32(v)
	}
	queued := make([]bool, n)
	for len(active) > 0 {
		var next []int32
		for i, v := range active {
			if err := poll.at(i); err != nil {
				return nil, err
			}
			for _, t := range g.Out(v) {
				if name[v] != name[t] && less(name[v], name[t]) {
					name[t] = name[v]
					if !queued[t] {
						queued[t] = true
						next = append(next, t)
					}
				}
			}
		}
		for _, v := range next {
			queued[v] = false
		}
		active = next
	}
	return name, nil
}
