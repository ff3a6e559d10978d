package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/storage/value"
)

// Reading ahead. Steps say which elements they have before them (View.Ahead), and read them
// one at a time, as if the store were memory. The first that is not in memory brings all of
// them. What a step reads beside them lies mostly next to them: the edges of a vertex, its
// neighbours, the ends of an edge. Of those more are brought each time.

const (
	aheadLists = 6       // as many as steps around a step, mostly
	nearMin    = 16      // neighbours that are brought the first time
	nearGrowth = 4       // how many times as many the next time
	nearLook   = 1 << 14 // edges that are looked at for an element
	vainMax    = 64      // elements that are read alone when one was looked for in vain
	longMax    = 1 << 12 // rows that are known to be long
)

// ahead is what a transaction was told that it is about to read. It belongs to those who
// said so, and may change: an answer does not depend on it.
type ahead struct {
	lists      [aheadLists][]value.Value // the last one first
	near       int                       // neighbours that are brought the next time
	vain, skip int                       // what was looked for in vain, and what is not looked for now
	long       map[VertexID]part         // rows that are left to who reads them
	vertices   []VertexID                // scratch
	edges      []EdgeID                  // scratch
	adjacent   []Adjacent                // scratch
}

// Ahead says which elements are read next.
func (t *Tx) Ahead(objs []value.Value) {
	if len(objs) == 0 {
		return
	}
	lists := &t.ahead.lists
	i := 0
	for ; i < aheadLists-1; i++ {
		if l := lists[i]; len(l) > 0 && &l[0] == &objs[0] { // who said that says something else
			break
		}
	}
	if i > 0 {
		copy(lists[1:i+1], lists[:i])
	}
	lists[0] = objs
}

// forgetAhead leaves nothing of what belongs to others.
func (t *Tx) forgetAhead() {
	clear(t.ahead.lists[:])
	t.ahead.near, t.ahead.vain, t.ahead.skip = 0, 0, 0
	t.ahead.long = nil
}

// fillAroundVertex reads parts of a vertex that is not in memory, with those of vertices
// that are probably read next. It may leave the vertex out.
func (t *Tx) fillAroundVertex(v VertexID, parts part, max int) error {
	a := &t.ahead
	if a.skip > 0 {
		a.skip--
		return nil
	}
	a.vertices = t.listedFrom(a.vertices[:0], v)
	if listed := len(a.vertices); listed < a.window() {
		a.vertices = t.neighboursFrom(t.endsFrom(a.vertices, v), v)
		a.grow(len(a.vertices) - listed)
	}
	if !a.found(len(a.vertices)) {
		return nil
	}
	return t.fillVertices(a.vertices, parts, max)
}

// fillAroundEdge is fillAroundVertex for an edge.
func (t *Tx) fillAroundEdge(e EdgeID) error {
	a := &t.ahead
	if a.skip > 0 {
		a.skip--
		return nil
	}
	a.edges = t.listedEdgesFrom(a.edges[:0], e)
	if listed := len(a.edges); listed < a.window() {
		a.edges = t.edgesNear(a.edges, e)
		a.grow(len(a.edges) - listed)
	}
	if !a.found(len(a.edges)) {
		return nil
	}
	return t.fillEdges(a.edges)
}

// found takes note of how many elements a look brought, and reports whether these are worth
// while.
func (a *ahead) found(n int) bool {
	if n > 0 {
		a.vain = 0
		return n > 1
	}
	a.vain = min(2*a.vain+1, vainMax)
	a.skip = a.vain
	return false
}

// listedFrom appends the vertices of the list that v is on, from v on: of the last list, and
// where that is short up to a window of the longest.
func (t *Tx) listedFrom(dst []VertexID, v VertexID) []VertexID {
	return listedFrom(&t.ahead, dst, value.KindVertex, uint64(v))
}

func (t *Tx) listedEdgesFrom(dst []EdgeID, e EdgeID) []EdgeID {
	return listedFrom(&t.ahead, dst, value.KindEdge, uint64(e))
}

func listedFrom[ID ~uint64](a *ahead, dst []ID, k value.Kind, ref uint64) []ID {
	most, first := fillMax, 0
	for _, l := range a.lists {
		i := placeOf(l, k, ref)
		if i < 0 || len(l)-i <= len(dst) {
			continue
		}
		if dst = appendListed(dst[:0], l[i:], k, most); first == 0 {
			first, most = len(dst), a.window()
		}
		if len(dst) >= most {
			break
		}
	}
	if first > 0 {
		a.grow(len(dst) - first)
	}
	return dst
}

// placeOf returns where a stored element is among objs, -1 when it is not.
func placeOf(objs []value.Value, k value.Kind, ref uint64) int {
	for i := range objs {
		if objs[i].Ref() == ref && objs[i].Kind() == k && objs[i].IsStored() {
			return i
		}
	}
	return -1
}

// appendListed appends the first stored elements of a kind.
func appendListed[ID ~uint64](dst []ID, objs []value.Value, k value.Kind, most int) []ID {
	for i := range objs {
		if len(dst) >= most {
			break
		}
		if objs[i].Kind() == k && objs[i].IsStored() {
			dst = append(dst, ID(objs[i].Ref()))
		}
	}
	return dst
}

// endsFrom appends the ends of the edges of a list from one on that has v as an end.
func (t *Tx) endsFrom(dst []VertexID, v VertexID) []VertexID {
	from := len(dst)
	for _, l := range t.ahead.lists {
		for i := range l {
			if l[i].Kind() != value.KindEdge || !l[i].IsStored() {
				continue
			}
			r := t.cachedEdge(EdgeID(l[i].Ref()))
			if r == nil || !r.exists || len(dst) == from && r.cell.Out != v && r.cell.In != v {
				continue
			}
			if dst = append(dst, r.cell.Out, r.cell.In); len(dst)-from >= 2*fillMax {
				return dst
			}
		}
		if len(dst) > from {
			return dst
		}
	}
	return dst
}

// neighboursFrom appends v and the neighbours of listed vertices behind it, up to a window.
func (t *Tx) neighboursFrom(dst []VertexID, v VertexID) []VertexID {
	if from := len(dst); from < t.ahead.window() {
		t.eachNear(func(a *Adjacent) bool {
			if len(dst) > from || a.Other == v {
				dst = append(dst, a.Other)
			}
			return len(dst) < t.ahead.window()
		})
	}
	return dst
}

// edgesNear appends e and the edges of listed vertices behind it, up to a window.
func (t *Tx) edgesNear(dst []EdgeID, e EdgeID) []EdgeID {
	if from := len(dst); from < t.ahead.window() {
		t.eachNear(func(a *Adjacent) bool {
			if len(dst) > from || a.Edge == e {
				dst = append(dst, a.Edge)
			}
			return len(dst) < t.ahead.window()
		})
	}
	return dst
}

// window is how many neighbours are brought at most.
func (a *ahead) window() int { return max(a.near, nearMin) }

// grow has more brought the next time.
func (a *ahead) grow(brought int) {
	if brought > 0 {
		a.near = min(a.window()*nearGrowth, fillMax)
	}
}

// eachNear calls fn for the edges in memory of the vertices that were listed, list by list,
// until it returns false.
func (t *Tx) eachNear(fn func(*Adjacent) bool) {
	left := nearLook
	for _, l := range t.ahead.lists {
		for i := range l {
			if l[i].Kind() != value.KindVertex || !l[i].IsStored() {
				continue
			}
			for _, d := range bothWays {
				v := VertexID(l[i].Ref())
				row := t.cachedAdjacency(v, d)
				if row == nil {
					continue
				}
				t.ahead.adjacent = appendRow(t.ahead.adjacent[:0], row, d, nil, left, nil)
				for k := range t.ahead.adjacent {
					if !fn(&t.ahead.adjacent[k]) {
						return
					}
				}
				if left -= len(t.ahead.adjacent) + 1; left <= 0 {
					return
				}
			}
		}
	}
}

// isLong takes note of a row that was not read to its end.
func (a *ahead) isLong(v VertexID, p part) {
	if a.long == nil || len(a.long) >= longMax {
		a.long = map[VertexID]part{}
	}
	a.long[v] |= p
}

// fillEdges reads edges that are not in memory.
func (t *Tx) fillEdges(es []EdgeID) error {
	if t.cache == nil || t.over {
		return nil
	}
	ids := slices.Clone(es)
	slices.Sort(ids)
	f := &fill{t: t}
	for _, e := range slices.Compact(ids) {
		f.addEdge(e)
	}
	return f.run()
}
