package blueprints

// Expand gives the sink the edges that are there, of vertices that are there.
func (r *Restricted) Expand(vs []VertexID, x Expansion, into Sink) error {
	if r.edges == nil && r.vertices == nil {
		return r.expandWalked(vs, x, into)
	}
	left, all, none := r.edges.without(x.Labels)
	x.Labels = left
	switch {
	case x.Want == WantWalk:
		return r.expandWalked(vs, x, into)
	case none:
		return nothingOf(vs, x.Want, into)
	case r.vertices == nil && !all:
		return r.tx.Expand(vs, x, into)
	case r.vertices == nil && x.Want == WantCount:
		return r.countEdges(vs, x, into)
	}
	s := &restrictedSink{r: r, want: x.Want, into: into}
	if err := s.lookAt(vs); err != nil {
		return err
	}
	x.Want = WantEdges
	if x.Max <= 0 {
		return r.tx.Expand(vs, x, s)
	}
	for i := range vs {
		edges, err := s.page(i, vs[i:i+1], x)
		if err != nil {
			return err
		}
		if err := into.Take(i, Expanded{Edges: edges}); err != nil {
			return err
		}
	}
	return nil
}

// expandWalked is Expand where nothing but an index may be denied.
func (r *Restricted) expandWalked(vs []VertexID, x Expansion, into Sink) error {
	if x.Want != WantWalk {
		return r.tx.Expand(vs, x, into)
	}
	if r.deniesIndex(x.By.Index) {
		return nil
	}
	s := &restrictedSink{r: r, into: into}
	if err := s.lookAt(vs); err != nil {
		return err
	}
	return r.tx.Expand(vs, x, s)
}

// nothingOf tells a sink that no vertex has any edges.
func nothingOf(vs []VertexID, want Want, into Sink) error {
	if want == WantEnds {
		return nil
	}
	for i := range vs {
		if err := into.Take(i, Expanded{}); err != nil {
			return err
		}
	}
	return nil
}

// countEdges counts all edges but those of labels that are denied.
func (r *Restricted) countEdges(vs []VertexID, x Expansion, into Sink) error {
	denied := x
	denied.Labels, denied.Next = r.edges.list(), nil
	if len(vs) == 1 {
		var all Expanded
		count := SinkFunc(func(_ int, e Expanded) error {
			all.Count = e.Count
			return nil
		})
		if err := r.tx.Expand(vs, x, count); err != nil || all.Count == 0 {
			if err != nil {
				return err
			}
			return into.Take(0, all)
		}
		n, err := r.tx.degree(vs[0], &denied, &rowPair{})
		if err != nil {
			return err
		}
		return into.Take(0, Expanded{Count: all.Count - n})
	}
	less := make([]int64, len(vs))
	err := r.tx.Expand(vs, denied, SinkFunc(func(i int, e Expanded) error {
		less[i] += e.Count
		return nil
	}))
	if err != nil {
		return err
	}
	return r.tx.Expand(vs, x, SinkFunc(func(i int, e Expanded) error {
		return into.Take(i, Expanded{Count: e.Count - less[i]})
	}))
}

// restrictedSink gives on what is there of the edges it takes.
type restrictedSink struct {
	r      *Restricted
	want   Want
	into   Sink
	hidden []bool // the vertices that are not there; nil: all are
	ends   []VertexID
	labels []Symbol
}

// lookAt finds out which of the vertices are not there.
func (s *restrictedSink) lookAt(vs []VertexID) (err error) {
	if s.r.vertices == nil {
		return nil
	}
	s.labels, err = s.r.tx.VertexLabels(s.labels[:0], vs)
	for i, v := range vs {
		shows := err == nil && !s.r.vertices.has(s.labels[i])
		if err != nil { // one of them is gone
			var one error
			if shows, one = s.r.showsVertex(v); one != nil {
				return one
			}
		}
		if shows {
			continue
		}
		if s.hidden == nil {
			s.hidden = make([]bool, len(vs))
		}
		s.hidden[i] = true
	}
	return nil
}

// keep drops the edges that are not there.
func (s *restrictedSink) keep(edges []Adjacent) ([]Adjacent, error) {
	kept := edges[:0]
	for _, e := range edges {
		if !s.r.edges.has(e.Label) {
			kept = append(kept, e)
		}
	}
	if s.r.vertices == nil || len(kept) == 0 {
		return kept, nil
	}
	s.ends = s.ends[:0]
	for _, e := range kept {
		s.ends = append(s.ends, e.Other)
	}
	var err error
	if s.labels, err = s.r.tx.VertexLabels(s.labels[:0], s.ends); err != nil {
		return nil, err
	}
	edges, kept = kept, kept[:0]
	for i, e := range edges {
		if !s.r.vertices.has(s.labels[i]) {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// Take gives on what is there, or its number.
func (s *restrictedSink) Take(i int, e Expanded) error {
	var kept []Adjacent
	if s.hidden == nil || !s.hidden[i] {
		var err error
		if kept, err = s.keep(e.Edges); err != nil {
			return err
		}
	}
	if s.want == WantCount {
		return s.into.Take(i, Expanded{Count: int64(len(kept))})
	}
	return s.into.Take(i, Expanded{Edges: kept})
}

// page reads on until x.Max edges of the i-th vertex are there, or it has no more.
func (s *restrictedSink) page(i int, v []VertexID, x Expansion) (all []Adjacent, err error) {
	if s.hidden != nil && s.hidden[i] {
		return nil, nil
	}
	most := x.Max
	for {
		x.Max = most - len(all)
		read := 0
		err = s.r.tx.Expand(v, x, SinkFunc(func(_ int, e Expanded) error {
			if read = len(e.Edges); read > 0 {
				x.After = e.Edges[read-1]
			}
			kept, err := s.keep(e.Edges)
			all = append(all, kept...)
			return err
		}))
		if err != nil || read < x.Max || len(all) == most {
			return all, err
		}
	}
}

// TakeWalk gives on a walk of what is there.
func (s *restrictedSink) TakeWalk(i int, w EdgeWalk) error {
	if s.hidden != nil && s.hidden[i] {
		return w.Close()
	}
	return GiveWalk(s.into, i, &restrictedWalk{EdgeWalk: w, s: &restrictedSink{r: s.r}})
}

// restrictedWalk leaves out what is not there.
type restrictedWalk struct {
	EdgeWalk
	s   *restrictedSink
	err error
}

// Next fills buf with edges that are there.
func (w *restrictedWalk) Next(buf []Adjacent) int {
	for w.err == nil {
		n := w.EdgeWalk.Next(buf)
		if n == 0 {
			return 0
		}
		var kept []Adjacent
		if kept, w.err = w.s.keep(buf[:n]); len(kept) > 0 && w.err == nil {
			return len(kept)
		}
	}
	return 0
}

// Err returns why the walk ended early.
func (w *restrictedWalk) Err() error {
	if w.err != nil {
		return w.err
	}
	return w.EdgeWalk.Err()
}
