package rowcache

import (
	"cmp"
	"slices"
)

// Change is an edge that a commit added or removed.
type Change struct {
	Edge
	Removed bool
}

func byLabelAndEdge(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Edge, b.Edge), cmp.Compare(a.Other, b.Other))
}

// Apply returns the row after changes, which are by label and edge, and how many edges
// had to be copied. A big row shares all chunks but those that changed.
func (a *Adjacency) Apply(changes []Change) (next Adjacency, copied int) {
	if a.small != nil {
		edges := applyTo(a.edges(), changes)
		return NewAdjacency(edges, true), len(edges)
	}
	next = Adjacency{runs: slices.Clone(a.runs), all: a.all}
	for len(changes) > 0 {
		label, n := changes[0].Label, 1
		for n < len(changes) && changes[n].Label == label {
			n++
		}
		copied += next.applyRun(label, changes[:n])
		changes = changes[n:]
	}
	return next, copied
}

// edges decodes the row.
func (a *Adjacency) edges() []Edge {
	all := make([]Edge, 0, a.Len()+1)
	var one [1]Chunk
	for i := range a.Labels() {
		label, chunks := a.Run(i, &one)
		for _, c := range chunks {
			all = append(all, c.edges(label)...)
		}
	}
	return all
}

func (c Chunk) edges(label uint32) []Edge {
	edges := make([]Edge, c.Len(), c.Len()+1)
	for i := range edges {
		edges[i].Label = label
		edges[i].Edge, edges[i].Other = c.At(i)
	}
	return edges
}

// applyTo changes a sorted list.
func applyTo(edges []Edge, changes []Change) []Edge {
	for _, c := range changes {
		i, found := slices.BinarySearchFunc(edges, c.Edge, byLabelAndEdge)
		switch {
		case c.Removed && found:
			edges = slices.Delete(edges, i, i+1)
		case !c.Removed && !found:
			edges = slices.Insert(edges, i, c.Edge)
		}
	}
	return edges
}

// applyRun changes one label of a row whose runs are its own copy.
func (a *Adjacency) applyRun(label uint32, changes []Change) (copied int) {
	r := a.find(label)
	if r == nil {
		if !a.all {
			return 0 // unknown before, unknown after
		}
		edges := applyTo(nil, changes)
		if len(edges) == 0 {
			return 0
		}
		i, _ := slices.BinarySearchFunc(a.runs, label, func(r run, l uint32) int { return cmp.Compare(r.label, l) })
		a.runs = slices.Insert(a.runs, i, newRun(label, edges))
		return len(edges)
	}
	r.chunks = slices.Clone(r.chunks)
	for len(changes) > 0 {
		at := r.chunkOf(changes[0].Edge.Edge)
		n := 1
		for n < len(changes) && (at+1 == len(r.chunks) || changes[n].Edge.Edge < r.first(at+1)) {
			n++
		}
		copied += r.replace(at, changes[:n])
		changes = changes[n:]
	}
	if r.n == 0 && a.all {
		i := slices.IndexFunc(a.runs, func(r run) bool { return r.label == label })
		a.runs = slices.Delete(a.runs, i, i+1)
	}
	return copied
}

func (r *run) first(chunk int) uint64 { e, _ := r.chunks[chunk].At(0); return e }

// chunkOf returns the chunk where an edge is or belongs, -1 when there are none.
func (r *run) chunkOf(edge uint64) int {
	lo, hi := 0, len(r.chunks)
	for lo < hi {
		if mid := (lo + hi) / 2; r.first(mid) <= edge {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return max(lo-1, min(0, len(r.chunks)-1))
}

// replace changes one chunk. A new edge behind a full last chunk begins another.
func (r *run) replace(at int, changes []Change) (copied int) {
	if at < 0 {
		edges := applyTo(nil, changes)
		*r = newRun(r.label, edges)
		return len(edges)
	}
	old := r.chunks[at]
	last, _ := old.At(old.Len() - 1)
	if at+1 == len(r.chunks) && old.Len() >= chunkMax && !changes[0].Removed && changes[0].Edge.Edge > last {
		edges := applyTo(nil, changes)
		more := newRun(r.label, edges)
		r.chunks, r.n = append(r.chunks, more.chunks...), r.n+more.n
		return len(edges)
	}
	if at+1 == len(r.chunks) && old.Narrow != nil && appends(changes, last) {
		next := make([]uint32, len(old.Narrow), len(old.Narrow)+2*len(changes))
		copy(next, old.Narrow)
		for _, c := range changes {
			next = append(next, uint32(c.Edge.Edge), uint32(c.Other))
		}
		r.chunks[at], r.n = Chunk{Narrow: next}, r.n+len(changes)
		return old.Len() + len(changes)
	}
	edges := applyTo(old.edges(r.label), changes)
	r.n += len(edges) - old.Len()
	r.chunks = slices.Replace(r.chunks, at, at+1, newRun(r.label, edges).chunks...)
	return len(edges)
}

// appends reports whether changes only add narrow edges behind last, and not many.
func appends(changes []Change, last uint64) bool {
	if len(changes) > chunkMax/2 {
		return false
	}
	for _, c := range changes {
		if c.Removed || c.Edge.Edge <= last || (c.Edge.Edge|c.Other)>>32 != 0 {
			return false
		}
		last = c.Edge.Edge
	}
	return true
}

// With returns the row with the edges of one more label, which are by edge.
func (a *Adjacency) With(label uint32, edges []Edge) Adjacency {
	next := Adjacency{runs: slices.Clone(a.runs), all: a.all}
	i, found := slices.BinarySearchFunc(next.runs, label, func(r run, l uint32) int { return cmp.Compare(r.label, l) })
	if found {
		next.runs[i] = newRun(label, edges)
	} else {
		next.runs = slices.Insert(next.runs, i, newRun(label, edges))
	}
	return next
}
