package traversal

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// How a guardedView reads elements and adjacency.

// FindVertex finds a vertex that shows.
func (g *guardedView) FindVertex(id value.Value) (blueprints.VertexID, bool, error) {
	v, ok, err := g.View.FindVertex(id)
	if ok && err == nil {
		ok, err = g.showsVertex(v)
	}
	return v, ok, err
}

// FindEdge finds an edge that shows.
func (g *guardedView) FindEdge(id value.Value) (blueprints.EdgeID, bool, error) {
	e, ok, err := g.View.FindEdge(id)
	if ok && err == nil {
		ok, err = g.showsEdge(e)
	}
	return e, ok, err
}

// Vertices iterates over the vertices that show.
func (g *guardedView) Vertices(labels ...blueprints.Symbol) blueprints.VertexIterator {
	return g.vertices(g.View.Vertices(labels...))
}

// Edges iterates over the edges that show.
func (g *guardedView) Edges(labels ...blueprints.Symbol) blueprints.EdgeIterator {
	return g.edges(g.View.Edges(labels...))
}

// LookupVertices walks an index over the vertices that show.
func (g *guardedView) LookupVertices(key string, r blueprints.ValueRange) blueprints.VertexIterator {
	return g.vertices(g.View.LookupVertices(key, r))
}

// LookupEdges walks an index over the edges that show.
func (g *guardedView) LookupEdges(key string, r blueprints.ValueRange) blueprints.EdgeIterator {
	return g.edges(g.View.LookupEdges(key, r))
}

// LookupVerticesBy walks an index over the vertices that show.
func (g *guardedView) LookupVerticesBy(d *blueprints.IndexDefinition, c blueprints.IndexColumns) blueprints.VertexIterator {
	return g.vertices(g.View.LookupVerticesBy(d, c))
}

// LookupEdgesBy walks an index over the edges that show.
func (g *guardedView) LookupEdgesBy(d *blueprints.IndexDefinition, c blueprints.IndexColumns) blueprints.EdgeIterator {
	return g.edges(g.View.LookupEdgesBy(d, c))
}

// FewVertices looks up vertices that show.
func (g *guardedView) FewVertices(dst []blueprints.VertexID, key string, values []value.Value, max int) ([]blueprints.VertexID, int, error) {
	from := len(dst)
	dst, n, err := g.View.FewVertices(dst, key, values, max)
	if err != nil {
		return dst, n, err
	}
	kept, err := visible(dst[from:], g.showsVertex)
	return dst[:from+kept], n, err
}

// VertexCount counts the vertices that show.
func (g *guardedView) VertexCount(labels ...blueprints.Symbol) (int64, error) {
	if g.vertex == nil {
		return g.View.VertexCount(labels...)
	}
	return count(g.r, g.Vertices(labels...))
}

// EdgeCount counts the edges that show.
func (g *guardedView) EdgeCount(labels ...blueprints.Symbol) (int64, error) {
	if !g.hidesEdges() {
		return g.View.EdgeCount(labels...)
	}
	return count(g.r, g.Edges(labels...))
}

// countedAtOnce is how many elements are counted between two looks at the clock.
const countedAtOnce = 256

func count[ID blueprints.VertexID | blueprints.EdgeID](r *Run, it iterator[ID]) (n int64, err error) {
	buf := make([]ID, countedAtOnce)
	for got := it.Next(buf); got > 0 && err == nil; got = it.Next(buf) {
		n += int64(got)
		err = r.PollNow()
	}
	return n, errors.Join(err, it.Err(), it.Close())
}

// Expand gives the sink the edges that show.
func (g *guardedView) Expand(vs []blueprints.VertexID, x blueprints.Expansion, into blueprints.Sink) error {
	if !g.hidesEdges() {
		return g.View.Expand(vs, x, into)
	}
	want := x.Want
	if want == blueprints.WantWalk {
		return g.View.Expand(vs, x, &shownSink{g: g, into: into})
	}
	x.Want = blueprints.WantEdges
	if x.Max <= 0 {
		return g.View.Expand(vs, x, &shownSink{g: g, want: want, into: into})
	}
	for i := range vs {
		edges, err := g.shownEdges(vs[i:i+1], x)
		if err != nil {
			return err
		}
		if err := into.Take(i, blueprints.Expanded{Edges: edges}); err != nil {
			return err
		}
	}
	return nil
}

// shownSink gives on what shows of the edges it takes.
type shownSink struct {
	g    *guardedView
	want blueprints.Want
	into blueprints.Sink
}

// Take gives on what shows, or its number.
func (s *shownSink) Take(i int, e blueprints.Expanded) error {
	kept, err := s.g.keepEdges(e.Edges, 0)
	if err != nil {
		return err
	}
	if s.want == blueprints.WantCount {
		return s.into.Take(i, blueprints.Expanded{Count: int64(len(kept))})
	}
	return s.into.Take(i, blueprints.Expanded{Edges: kept})
}

// TakeWalk gives on a walk of what shows.
func (s *shownSink) TakeWalk(i int, w blueprints.EdgeWalk) error {
	return blueprints.GiveWalk(s.into, i, &shownWalk{EdgeWalk: w, g: s.g})
}

// shownWalk leaves out what does not show.
type shownWalk struct {
	blueprints.EdgeWalk
	g   *guardedView
	err error
}

// Next fills buf with edges that show.
func (w *shownWalk) Next(buf []blueprints.Adjacent) int {
	for w.err == nil {
		n := w.EdgeWalk.Next(buf)
		if n == 0 {
			return 0
		}
		var kept []blueprints.Adjacent
		if kept, w.err = w.g.keepEdges(buf[:n], 0); len(kept) > 0 && w.err == nil {
			return len(kept)
		}
	}
	return 0
}

// Err returns why the walk ended early.
func (w *shownWalk) Err() error {
	if w.err != nil {
		return w.err
	}
	return w.EdgeWalk.Err()
}

// shownEdges reads on until x.Max edges of a vertex that show are there, or there are no
// more.
func (g *guardedView) shownEdges(v []blueprints.VertexID, x blueprints.Expansion) (all []blueprints.Adjacent, err error) {
	most := x.Max
	for {
		x.Max = most - len(all)
		read := 0
		err = g.View.Expand(v, x, blueprints.SinkFunc(func(_ int, e blueprints.Expanded) error {
			if read = len(e.Edges); read > 0 {
				x.After = e.Edges[read-1]
			}
			kept, err := g.keepEdges(e.Edges, 0)
			all = append(all, kept...)
			return err
		}))
		if err != nil || read < x.Max || len(all) == most {
			return all, err
		}
	}
}

// iterator is what VertexIterator and EdgeIterator are.
type iterator[ID any] interface {
	Next(buf []ID) int
	Exact() bool
	Err() error
	Close() error
}

func (g *guardedView) vertices(it blueprints.VertexIterator) blueprints.VertexIterator {
	if g.vertex == nil {
		return it
	}
	return &visibleIterator[blueprints.VertexID]{iterator: it, shows: g.showsVertex}
}

func (g *guardedView) edges(it blueprints.EdgeIterator) blueprints.EdgeIterator {
	if !g.hidesEdges() {
		return it
	}
	return &visibleIterator[blueprints.EdgeID]{iterator: it, shows: g.showsEdge}
}

// visibleIterator leaves out what does not show.
type visibleIterator[ID any] struct {
	iterator[ID]
	shows func(ID) (bool, error)
	err   error
}

func (it *visibleIterator[ID]) Next(buf []ID) int {
	for it.err == nil {
		n := it.iterator.Next(buf)
		if n == 0 {
			return 0
		}
		if n, it.err = visible(buf[:n], it.shows); n > 0 && it.err == nil {
			return n
		}
	}
	return 0
}

func (it *visibleIterator[ID]) Err() error {
	if it.err != nil {
		return it.err
	}
	return it.iterator.Err()
}

// visible moves what shows to the front and returns how many there are.
func visible[ID any](list []ID, shows func(ID) (bool, error)) (int, error) {
	kept := 0
	for _, id := range list {
		ok, err := shows(id)
		if err != nil {
			return kept, err
		}
		if ok {
			list[kept] = id
			kept++
		}
	}
	return kept, nil
}
