package blueprints_test

import "github.com/gremlind/gremlind/blueprints"

// edgesOf returns the edges of a vertex.
func edgesOf(v blueprints.View, at blueprints.VertexID, x blueprints.Expansion) (all []blueprints.Adjacent, err error) {
	err = v.Expand([]blueprints.VertexID{at}, x, blueprints.SinkFunc(func(_ int, e blueprints.Expanded) error {
		all = append(all, e.Edges...)
		return nil
	}))
	return all, err
}

// degreeOf returns the number of edges of a vertex.
func degreeOf(v blueprints.View, at blueprints.VertexID, dir blueprints.Direction, labels ...blueprints.Symbol) (n int64, err error) {
	x := blueprints.Expansion{Dir: dir, Labels: labels, Want: blueprints.WantCount}
	err = v.Expand([]blueprints.VertexID{at}, x, blueprints.SinkFunc(func(_ int, e blueprints.Expanded) error {
		n = e.Count
		return nil
	}))
	return n, err
}
