package blueprints

import (
	"errors"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/value"
)

// How a Restricted goes through elements and counts them.

// Vertices iterates over vertices.
func (r *Restricted) Vertices(labels ...Symbol) VertexIterator {
	left, all, none := r.vertices.without(labels)
	switch {
	case none:
		return exhausted[VertexID]{}
	case all:
		return r.tx.verticesWithout(r.vertices.list)
	}
	return r.tx.Vertices(left...)
}

// Edges iterates over edges.
func (r *Restricted) Edges(labels ...Symbol) EdgeIterator {
	left, all, none := r.edges.without(labels)
	switch {
	case none:
		return exhausted[EdgeID]{}
	case all:
		return r.betweenShown(r.tx.edgesWithout(r.edges.list))
	}
	return r.betweenShown(r.tx.Edges(left...))
}

// betweenShown leaves out edges of vertices that are not there.
func (r *Restricted) betweenShown(it EdgeIterator) EdgeIterator {
	if r.vertices.list == nil {
		return it
	}
	return r.shownEdges(it)
}

// VertexCount counts vertices.
func (r *Restricted) VertexCount(labels ...Symbol) (int64, error) {
	left, all, none := r.vertices.without(labels)
	switch {
	case none:
		return 0, nil
	case !all || r.vertices.list == nil:
		return r.tx.VertexCount(left...)
	}
	return lessOf(r.tx.VertexCount, r.vertices.list)
}

// EdgeCount counts edges. With vertices that are denied their edges go, which are counted; how
// many there are is counted once as long as nobody commits.
func (r *Restricted) EdgeCount(labels ...Symbol) (int64, error) {
	if r.vertices.list == nil && len(labels) > 0 || !r.tx.options.ReadOnly || r.tx.observing || r.tx.cache == nil || r.tx.asOf != 0 {
		return r.edgeCount(labels)
	}
	if n, ok := r.by.countedIn(r.tx, labels); ok {
		return n, nil
	}
	n, err := r.edgeCount(labels)
	if err == nil {
		r.by.keepCount(r.tx, labels, n)
	}
	return n, err
}

func (r *Restricted) edgeCount(labels []Symbol) (n int64, err error) {
	left, all, none := r.edges.without(labels)
	switch {
	case none:
		return 0, nil
	case !all || r.edges.list == nil:
		n, err = r.tx.EdgeCount(left...)
	default:
		n, err = lessOf(r.tx.EdgeCount, r.edges.list)
	}
	if err != nil || n == 0 || r.vertices.list == nil {
		return n, err
	}
	hidden, err := r.tx.VertexCount(r.vertices.list...)
	if err != nil {
		return 0, err
	}
	if hidden > n {
		return r.countEdges(left)
	}
	less, err := r.hiddenEnds(left)
	return n - less, err
}

// countEdges counts edges one by one.
func (r *Restricted) countEdges(labels []Symbol) (n int64, err error) {
	it := r.Edges(labels...)
	buf := make([]EdgeID, 4*stage)
	for got := it.Next(buf); got > 0 && err == nil; got = it.Next(buf) {
		n, err = n+int64(got), r.tx.ctx.Err()
	}
	return n, errors.Join(err, it.Err(), it.Close())
}

// hiddenEnds counts the edges of labels, all that are not denied when there are none, of which
// a vertex at least is not there: those that leave such vertices, and those that come to
// them from others.
func (r *Restricted) hiddenEnds(labels []Symbol) (n int64, err error) {
	leave := Expansion{Dir: Out, Labels: labels, Want: WantCount}
	if len(labels) == 0 {
		leave.without = r.edges.list
	}
	come := leave
	come.Dir = In
	add := SinkFunc(func(_ int, e Expanded) error {
		n += e.Count
		return nil
	})
	it := r.tx.Vertices(r.vertices.list...)
	buf := make([]VertexID, 4*stage)
	for got := it.Next(buf); got > 0 && err == nil; got = it.Next(buf) {
		if err = r.tx.Expand(buf[:got], leave, add); err == nil {
			err = r.expandShown(buf[:got], nil, come, add)
		}
		if err == nil {
			err = r.tx.ctx.Err()
		}
	}
	return n, errors.Join(err, it.Err(), it.Close())
}

// lessOf counts all but those of some labels.
func lessOf(count func(labels ...Symbol) (int64, error), labels []Symbol) (int64, error) {
	n, err := count()
	if err != nil {
		return 0, err
	}
	less, err := count(labels...)
	return n - less, err
}

// IndexVersion is nil: who is denied something sees a part of the indexes.
func (r *Restricted) IndexVersion() *keyindex.Definitions { return nil }

// VertexIndexes lists the key indexes.
func (r *Restricted) VertexIndexes() []string { return r.indexes().keys[0] }

// EdgeIndexes lists the key indexes.
func (r *Restricted) EdgeIndexes() []string { return r.indexes().keys[1] }

func (r *Restricted) deniesKey(name string) bool { return r.by.deniesKey(name) }

// DeclaredIndexes lists the declared indexes of what is there.
func (r *Restricted) DeclaredIndexes(c ElementClass) []*IndexDefinition {
	if c == EdgeClass {
		return r.indexes().declared[1]
	}
	return r.indexes().declared[0]
}

// HidesIndex reports whether an index is not there for who asks.
func (r *Restricted) HidesIndex(i *IndexInfo) bool {
	if len(i.Keys) == 0 { // a key index
		return r.deniesKey(i.Name)
	}
	return r.by.deniesAny(i.Class, i.Label, i.Keys)
}

// deniesIndex reports whether an index is about something that is denied.
func (r *Restricted) deniesIndex(d *IndexDefinition) bool { return r.by.deniesIndex(d) }

// LookupVertices walks a key index.
func (r *Restricted) LookupVertices(key string, vr ValueRange) VertexIterator {
	if r.deniesKey(key) {
		return exhausted[VertexID]{}
	}
	return r.shownVertices(r.tx.LookupVertices(key, vr))
}

// LookupEdges walks a key index.
func (r *Restricted) LookupEdges(key string, vr ValueRange) EdgeIterator {
	if r.deniesKey(key) {
		return exhausted[EdgeID]{}
	}
	return r.shownEdges(r.tx.LookupEdges(key, vr))
}

// LookupVerticesBy walks a declared index.
func (r *Restricted) LookupVerticesBy(d *IndexDefinition, c IndexColumns) VertexIterator {
	if r.deniesIndex(d) {
		return exhausted[VertexID]{}
	}
	return r.shownVertices(r.tx.LookupVerticesBy(d, c))
}

// LookupEdgesBy walks a declared index.
func (r *Restricted) LookupEdgesBy(d *IndexDefinition, c IndexColumns) EdgeIterator {
	if r.deniesIndex(d) {
		return exhausted[EdgeID]{}
	}
	return r.shownEdges(r.tx.LookupEdgesBy(d, c))
}

// FewVertices looks up vertices.
func (r *Restricted) FewVertices(dst []VertexID, key string, values []value.Value, max int) ([]VertexID, int, error) {
	if r.deniesKey(key) {
		return dst, len(values), nil
	}
	from := len(dst)
	dst, n, err := r.tx.FewVertices(dst, key, values, max)
	if err != nil {
		return dst, n, err
	}
	kept, err := r.keepVertices(dst[from:])
	return dst[:from+kept], n, err
}

// keepVertices moves those that are there to the front and returns how many there are.
func (r *Restricted) keepVertices(vs []VertexID) (kept int, err error) {
	hidden, err := r.hides(vs)
	if hidden == nil || err != nil {
		return len(vs), err
	}
	for i, v := range vs {
		if !hidden[i] {
			vs[kept] = v
			kept++
		}
	}
	return kept, nil
}

func (r *Restricted) keepEdges(es []EdgeID) (kept int, err error) {
	for _, e := range es {
		ok, err := r.showsEdge(e)
		if err != nil {
			return kept, err
		}
		if ok {
			r.give(e)
			es[kept] = e
			kept++
		}
	}
	return kept, nil
}

func (r *Restricted) shownVertices(it VertexIterator) VertexIterator {
	if r.vertices.list == nil {
		return it
	}
	return &shownIterator[VertexID]{iterator: it, keep: r.keepVertices}
}

func (r *Restricted) shownEdges(it EdgeIterator) EdgeIterator {
	if r.edges.list == nil && r.vertices.list == nil {
		return it
	}
	return &shownIterator[EdgeID]{iterator: it, keep: r.keepEdges}
}

// iterator is what VertexIterator and EdgeIterator are.
type iterator[ID any] interface {
	Next(buf []ID) int
	Exact() bool
	Err() error
	Close() error
}

// shownIterator leaves out what is not there.
type shownIterator[ID any] struct {
	iterator[ID]
	keep func([]ID) (int, error)
	err  error
}

// Next fills buf with what is there.
func (it *shownIterator[ID]) Next(buf []ID) int {
	for it.err == nil {
		n := it.iterator.Next(buf)
		if n == 0 {
			return 0
		}
		if n, it.err = it.keep(buf[:n]); n > 0 && it.err == nil {
			return n
		}
	}
	return 0
}

// Err returns why it ended early.
func (it *shownIterator[ID]) Err() error {
	if it.err != nil {
		return it.err
	}
	return it.iterator.Err()
}
