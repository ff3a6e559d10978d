package blueprints

// edgesOf returns the edges of a vertex.
func edgesOf(v View, at VertexID, x Expansion) (all []Adjacent, err error) {
	err = v.Expand([]VertexID{at}, x, SinkFunc(func(_ int, e Expanded) error {
		all = append(all, e.Edges...)
		return nil
	}))
	return all, err
}

// degreeOf returns the number of edges of a vertex.
func degreeOf(v View, at VertexID, dir Direction, labels ...Symbol) (n int64, err error) {
	x := Expansion{Dir: dir, Labels: labels, Want: WantCount}
	err = v.Expand([]VertexID{at}, x, SinkFunc(func(_ int, e Expanded) error {
		n = e.Count
		return nil
	}))
	return n, err
}

// ignored takes what nobody looks at.
var ignored = SinkFunc(func(int, Expanded) error { return nil })
