package blueprints

import (
	"errors"
	"slices"

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
		return r.shownVertices(r.tx.Vertices())
	}
	return r.tx.Vertices(left...)
}

// Edges iterates over edges.
func (r *Restricted) Edges(labels ...Symbol) EdgeIterator {
	left, all, none := r.edges.without(labels)
	switch {
	case none:
		return exhausted[EdgeID]{}
	case all || r.vertices != nil:
		return r.shownEdges(r.tx.Edges(left...))
	}
	return r.tx.Edges(left...)
}

// VertexCount counts vertices.
func (r *Restricted) VertexCount(labels ...Symbol) (int64, error) {
	left, all, none := r.vertices.without(labels)
	switch {
	case none:
		return 0, nil
	case !all || r.vertices == nil:
		return r.tx.VertexCount(left...)
	}
	return lessOf(r.tx.VertexCount, r.vertices)
}

// EdgeCount counts edges: one by one where vertices are denied, with which their edges go.
func (r *Restricted) EdgeCount(labels ...Symbol) (n int64, err error) {
	left, all, none := r.edges.without(labels)
	switch {
	case none:
		return 0, nil
	case r.vertices != nil:
		it := r.Edges(left...)
		buf := make([]EdgeID, stage)
		for got := it.Next(buf); got > 0; got = it.Next(buf) {
			n += int64(got)
		}
		return n, errors.Join(it.Err(), it.Close())
	case !all || r.edges == nil:
		return r.tx.EdgeCount(left...)
	}
	return lessOf(r.tx.EdgeCount, r.edges)
}

// lessOf counts all but those of some labels.
func lessOf(count func(labels ...Symbol) (int64, error), labels symbolSet) (int64, error) {
	n, err := count()
	if err != nil {
		return 0, err
	}
	less, err := count(labels.list()...)
	return n - less, err
}

// VertexIndexes lists the key indexes.
func (r *Restricted) VertexIndexes() []string { return r.keyIndexes(0, r.tx.VertexIndexes) }

// EdgeIndexes lists the key indexes.
func (r *Restricted) EdgeIndexes() []string { return r.keyIndexes(1, r.tx.EdgeIndexes) }

func (r *Restricted) keyIndexes(i int, list func() []string) []string {
	if !r.listed[i] {
		r.listed[i], r.indexes[i] = true, list()
		if slices.ContainsFunc(r.indexes[i], r.deniesKey) {
			r.indexes[i] = slices.DeleteFunc(slices.Clone(r.indexes[i]), r.deniesKey)
		}
	}
	return r.indexes[i]
}

func (r *Restricted) deniesKey(name string) bool { return slices.Contains(r.denied.Keys, name) }

// DeclaredIndexes lists the declared indexes of what is there.
func (r *Restricted) DeclaredIndexes(c ElementClass) []*IndexDefinition {
	i := 2
	if c == EdgeClass {
		i = 3
	}
	if !r.listed[i] {
		r.listed[i], r.declared[i-2] = true, r.tx.DeclaredIndexes(c)
		if slices.ContainsFunc(r.declared[i-2], r.deniesIndex) {
			r.declared[i-2] = slices.DeleteFunc(slices.Clone(r.declared[i-2]), r.deniesIndex)
		}
	}
	return r.declared[i-2]
}

// deniesIndex reports whether an index is about something that is denied.
func (r *Restricted) deniesIndex(d *IndexDefinition) bool {
	labels := r.denied.VertexLabels
	if d.Class == EdgeClass {
		labels = r.denied.EdgeLabels
	}
	return slices.ContainsFunc(d.Keys, r.deniesKey) || d.Label != "" && slices.Contains(labels, d.Label)
}

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
	if r.vertices == nil {
		return len(vs), nil
	}
	labels := r.labels[:0]
	r.labels = nil
	defer func() { r.labels = labels }()
	if labels, err = r.tx.VertexLabels(labels, vs); err != nil {
		return 0, err
	}
	for i, v := range vs {
		if !r.vertices.has(labels[i]) {
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
			es[kept] = e
			kept++
		}
	}
	return kept, nil
}

func (r *Restricted) shownVertices(it VertexIterator) VertexIterator {
	if r.vertices == nil {
		return it
	}
	return &shownIterator[VertexID]{iterator: it, keep: r.keepVertices}
}

func (r *Restricted) shownEdges(it EdgeIterator) EdgeIterator {
	if r.edges == nil && r.vertices == nil {
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
