package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints/rowcache"
)

// Expand gives the sink the edges that are there, of vertices that are there.
func (r *Restricted) Expand(vs []VertexID, x Expansion, into Sink) error {
	if len(x.Labels) == 0 && x.Max <= 0 && r.vertices.list == nil && x.Want != WantWalk { // as it mostly is
		x.without, x.pruned = r.edges.list, r.pruning()
		return r.tx.expand(vs, &x, into)
	}
	left, all, none := r.edges.without(x.Labels)
	x.Labels = left
	switch {
	case x.Want == WantWalk:
		return r.expandWalked(vs, x, into)
	case none:
		return nothingOf(vs, x.Want, into)
	}
	if all && x.Max <= 0 {
		x.without = r.edges.list
	}
	if r.vertices.list == nil && (!all || x.Max <= 0 || r.edges.list == nil) {
		return r.tx.expand(vs, &x, into)
	}
	hidden, err := r.hides(vs)
	if err != nil {
		return err
	}
	return r.expandShown(vs, hidden, x, into)
}

// pruning returns the rows without the edges that are denied.
func (r *Restricted) pruning() *pruned {
	if r.prunedFor != r.deniedSymbols {
		r.prunedFor, r.prunedRows = r.deniedSymbols, r.tx.pruning(r.edges.list)
	}
	return r.prunedRows
}

// expandShown is Expand that looks at the other ends of edges. Vertices that are hidden have
// no edges.
func (r *Restricted) expandShown(vs []VertexID, hidden []bool, x Expansion, into Sink) error {
	s := r.takeSink(len(vs), hidden, x.Want, into)
	defer r.leaveSink(s)
	switch {
	case x.Want == WantCount:
		x.Want = WantEnds
		if err := r.tx.Expand(vs, x, s); err != nil {
			return err
		}
		for i := range vs {
			if err := into.Take(i, Expanded{Count: s.counts[i]}); err != nil {
				return err
			}
		}
		return nil
	case x.Max <= 0:
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

// expandWalked is Expand by an index.
func (r *Restricted) expandWalked(vs []VertexID, x Expansion, into Sink) error {
	if r.deniesIndex(x.By.Index) {
		return nil
	}
	if r.edges.list == nil && r.vertices.list == nil {
		return r.tx.Expand(vs, x, into)
	}
	hidden, err := r.hides(vs)
	if err != nil {
		return err
	}
	s := &restrictedSink{r: r, hidden: slices.Clone(hidden), into: into}
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

// restrictedSink gives on what is there of the edges it takes.
type restrictedSink struct {
	r      *Restricted
	want   Want
	into   Sink
	hidden []bool  // the vertices that are not there; nil: all are
	counts []int64 // of the edges of each vertex, where that is wanted
	ends   []VertexID
	pairs  []uint32
	labels []Symbol
}

// takeSink returns a sink for n vertices. It is one for itself: into may come back here.
func (r *Restricted) takeSink(n int, hidden []bool, want Want, into Sink) *restrictedSink {
	s := r.sink
	r.sink = nil
	if s == nil {
		s = &restrictedSink{r: r}
	}
	s.want, s.into, s.hidden = want, into, nil
	if hidden != nil {
		s.hidden, r.hidden = hidden, nil
	}
	if want == WantCount {
		s.counts = append(s.counts[:0], make([]int64, n)...)
	}
	return s
}

// leaveSink gives a sink and its memory to the next one.
func (r *Restricted) leaveSink(s *restrictedSink) {
	if s.hidden != nil {
		r.hidden = s.hidden
	}
	s.into, s.hidden = nil, nil
	r.sink = s
}

// keep drops the edges that are not there.
func (s *restrictedSink) keep(edges []Adjacent) ([]Adjacent, error) {
	kept := edges[:0]
	for _, e := range edges {
		if !s.r.edges.has(e.Label) {
			kept = append(kept, e)
		}
	}
	if s.r.vertices.list == nil || len(kept) == 0 {
		return kept, nil
	}
	dark, err := s.r.shaded(len(kept))
	if err != nil {
		return nil, err
	}
	if dark == nil {
		return s.keepLabelled(kept)
	}
	edges, kept = kept, kept[:0]
	for _, e := range edges {
		if !dark.has(e.Other) {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// keepLabelled drops the edges whose other ends are not there by their labels.
func (s *restrictedSink) keepLabelled(edges []Adjacent) (kept []Adjacent, err error) {
	s.ends = s.ends[:0]
	for _, e := range edges {
		s.ends = append(s.ends, e.Other)
	}
	if s.labels, err = s.r.tx.VertexLabels(s.labels[:0], s.ends); err != nil {
		return nil, err
	}
	kept = edges[:0]
	for i, e := range edges {
		if !s.r.vertices.has(s.labels[i]) {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// Take gives on what is there, or counts it.
func (s *restrictedSink) Take(i int, e Expanded) error {
	if s.hidden != nil && s.hidden[i] {
		e = Expanded{}
	}
	if len(e.Pairs) > 0 {
		if err := s.takePairs(i, e.Pairs); err != nil || len(e.Edges) == 0 {
			return err
		}
	}
	kept, err := s.keep(e.Edges)
	if err != nil {
		return err
	}
	switch s.want {
	case WantCount:
		s.counts[i] += int64(len(kept))
		return nil
	case WantEdges:
		for _, e := range kept {
			s.r.give(e.Edge)
		}
	}
	return s.into.Take(i, Expanded{Edges: kept})
}

// takePairs does so with pairs, whose labels are not denied.
func (s *restrictedSink) takePairs(i int, pairs []uint32) error {
	dark, err := s.r.shaded(len(pairs) / 2)
	if err != nil {
		return err
	}
	if dark == nil {
		return s.Take(i, Expanded{Edges: appendPairs(nil, rowcache.Chunk{Narrow: pairs}, 0, len(pairs)/2, 0, Out)})
	}
	n := dark.count(pairs)
	if s.want == WantCount {
		s.counts[i] += int64(len(pairs)/2 - n)
		return nil
	}
	if n > 0 {
		kept := s.pairs[:0]
		for k := 0; k < len(pairs); k += 2 {
			if !dark.has(VertexID(pairs[k+1])) {
				kept = append(kept, pairs[k], pairs[k+1])
			}
		}
		pairs, s.pairs = kept, kept
	}
	return s.into.Take(i, Expanded{Pairs: pairs})
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
