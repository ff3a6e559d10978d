package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/storage/value"
)

// Reading ahead. Steps say which elements they have before them (View.Ahead), and read them
// one at a time, as if the store were memory. The first that is not in memory brings all of
// them. What is read beside them lies next to what was walked from: the neighbours of
// vertices, their edges, the ends of edges, what comes next in a scan. Of those more are
// brought each time.

const (
	aheadLists = 10      // as many as steps around a step, mostly, some of which had another batch before
	parentsMax = 3       // expansions within expansions
	nearMin    = 16      // elements that are brought the first time beside those listed
	nearGrowth = 4       // how many times as many the next time
	nearLook   = 1 << 14 // edges of a list that are looked at for an element
	vainFree   = 8       // elements that may be looked for in vain, one after the other
	vainMax    = 64      // elements that are read alone then, at most, before one is looked for again
	longMax    = 1 << 12 // rows that are known to be long
)

// ahead is what a transaction was told that it is about to read. The lists belong to those
// who said so, and may change: an answer does not depend on them.
//
// What small transactions change stands in front, together: memory that is not touched need not
// be fetched.
type ahead struct {
	near       int32                     // how many are brought the next time
	vain, skip int32                     // what was looked for in vain, and what is not looked for now
	scratch    *aheadScratch             // nil until something is read ahead
	long       map[VertexID]part         // rows that are left to who reads them
	lent       []Adjacent                // edges that somebody got last
	lists      [aheadLists][]value.Value // the last one first
	parents    [parentsMax][]VertexID    // expanded last, the last ones first
	scanned    [2]scanned                // by class
}

// aheadScratch is memory for what is read ahead; whoever uses a list of it empties it first.
type aheadScratch struct {
	vertices []VertexID
	edges    []EdgeID
	ids      []VertexID // of a list
	adjacent []Adjacent
}

// room is where what is read ahead is listed.
func (a *ahead) room() *aheadScratch {
	if a.scratch == nil {
		a.scratch = &aheadScratch{}
	}
	return a.scratch
}

// scanned is what a scan gave last, when that lay side by side.
type scanned struct{ first, last uint64 }

// note takes note of what a scan gave.
func (s *scanned) note(first, last uint64, n int) {
	if *s = (scanned{first, last}); n == 0 || last-first >= 2*uint64(n) {
		*s = scanned{}
	}
}

// Ahead says which elements are read next.
func (t *Tx) Ahead(objs []value.Value) {
	if len(objs) == 0 {
		return
	}
	toFront(t.ahead.lists[:], objs)
}

// toFront puts a list before the others, in place of that which began at the same place of
// memory: who made that has made another. Behind the first place that is free all are.
func toFront[T any](lists [][]T, l []T) {
	i := 0
	for ; i < len(lists)-1; i++ {
		if have := lists[i]; len(have) == 0 || &have[0] == &l[0] {
			break
		}
	}
	if i > 0 {
		copy(lists[1:i+1], lists[:i])
	}
	lists[0] = l
}

// forgetAhead leaves nothing of what belongs to others.
func (t *Tx) forgetAhead() {
	a := &t.ahead
	forgetLists(a.lists[:])
	forgetLists(a.parents[:])
	a.lent, a.long, a.scanned = nil, nil, [2]scanned{}
	a.near, a.vain, a.skip = 0, 0, 0
}

func forgetLists[T any](lists [][]T) {
	for i := range lists {
		if lists[i] == nil {
			return
		}
		lists[i] = nil
	}
}

// leave makes what was forgotten ready for another transaction.
func (a *ahead) leave() { a.scratch = nil }

// fillAroundVertex reads parts of a vertex that is not in memory, with those of vertices
// that are probably read next. It may leave the vertex out.
func (t *Tx) fillAroundVertex(v VertexID, parts part, max int) error {
	a := &t.ahead
	if a.skip > 0 {
		a.skip--
		return nil
	}
	lacks := func(v VertexID) bool { return t.lacksPart(v, parts) }
	room := a.room()
	room.vertices = around(t, room.vertices[:0], v, value.KindVertex, lacks, func(e *Adjacent) VertexID { return e.Other })
	room.vertices = t.endsFrom(room.vertices, v)
	if !a.found(len(room.vertices)) {
		return nil
	}
	return t.fillVertices(room.vertices, parts, max)
}

// lacksPart reports whether a part of a vertex is not in memory, and not known to be long.
func (t *Tx) lacksPart(v VertexID, p part) bool {
	switch p {
	case partHeader:
		return t.cachedVertex(v) == nil
	case partOut:
		return t.cachedAdjacency(v, Out) == nil && t.ahead.long[v]&p == 0
	default:
		return t.cachedAdjacency(v, In) == nil && t.ahead.long[v]&p == 0
	}
}

// fillAroundEdge is fillAroundVertex for an edge.
func (t *Tx) fillAroundEdge(e EdgeID) error {
	a := &t.ahead
	if a.skip > 0 {
		a.skip--
		return nil
	}
	lacks := func(e EdgeID) bool { return t.cachedEdge(e) == nil }
	room := a.room()
	room.edges = around(t, room.edges[:0], e, value.KindEdge, lacks, func(e *Adjacent) EdgeID { return e.Edge })
	if !a.found(len(room.edges)) {
		return nil
	}
	return t.fillEdges(room.edges)
}

// around appends an element and those that are probably read behind it: what the last list
// has of them, and where that is little up to a window of others.
func around[ID ~uint64](t *Tx, dst []ID, id ID, k value.Kind, lacks func(ID) bool, of func(*Adjacent) ID) []ID {
	a := &t.ahead
	dst = listedFrom(a, dst, k, id, lacks)
	listed := len(dst)
	most := min(listed+a.window(), fillMax)
	if dst = appendScanned(dst, a.scanned[slotOf(k)], id, most, lacks); len(dst) < most {
		dst = near(t, dst, id, k, most, lacks, of)
	}
	if len(dst) > listed {
		a.near = int32(min(a.window()*nearGrowth, fillMax))
	}
	return dst
}

// found takes note of how many elements a look brought, and reports whether these are worth
// while.
func (a *ahead) found(n int) bool {
	if n > 0 {
		a.vain = 0
		return n > 1
	}
	if a.vain++; a.vain > vainFree {
		a.skip = min(a.vain, vainMax)
	}
	return false
}

// slotOf is the place of a class.
func slotOf(k value.Kind) int {
	if k == value.KindEdge {
		return 1
	}
	return 0
}

// listedFrom appends the elements of the list that id is on, from there on: of the last
// list, and up to a window of the longest.
func listedFrom[ID ~uint64](a *ahead, dst []ID, k value.Kind, id ID, lacks func(ID) bool) []ID {
	most, longest := fillMax, 0
	for _, l := range a.lists {
		i := placeOf(l, k, uint64(id))
		if i < 0 || len(l)-i <= longest {
			continue
		}
		longest = len(l) - i
		dst = appendListed(dst[:0], l[i:], k, max(most, len(dst)), lacks)
		if most = a.window(); len(dst) >= most {
			break
		}
	}
	return dst
}

// appendScanned appends what a scan gives behind an element that it gave last: what it gives
// next, and where nothing was listed also what it gave with that.
func appendScanned[ID ~uint64](dst []ID, s scanned, id ID, most int, lacks func(ID) bool) []ID {
	if s.last == 0 || uint64(id) < s.first || uint64(id) > s.last {
		return dst
	}
	next := ID(s.last + 1)
	if len(dst) == 0 {
		next = id
	}
	for range most - len(dst) {
		if lacks(next) {
			dst = append(dst, next)
		}
		next++
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

// appendListed appends the first stored elements of a kind that are not in memory.
func appendListed[ID ~uint64](dst []ID, objs []value.Value, k value.Kind, most int, lacks func(ID) bool) []ID {
	for i := range objs {
		if len(dst) >= most {
			break
		}
		if objs[i].Kind() == k && objs[i].IsStored() && lacks(ID(objs[i].Ref())) {
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

// window is how many elements are brought beside those listed, at most.
func (a *ahead) window() int { return max(int(a.near), nearMin) }

// near appends id and what lies behind it, until there are most, next to the vertices of the list
// that has most of it. Lists that id is on itself are not asked.
func near[ID ~uint64](t *Tx, dst []ID, id ID, k value.Kind, most int, lacks func(ID) bool, of func(*Adjacent) ID) []ID {
	a, from := &t.ahead, len(dst)
	best, begun := 0, false
	if dst = nextIn(dst, a.lent, &begun, id, most-from, lacks, of); len(dst) >= most {
		return dst
	}
	best = len(dst) - from
	ask := func(vs []VertexID) (enough bool) {
		end := len(dst)
		dst = nextTo(t, dst, vs, id, most-from, lacks, of)
		if n := len(dst) - end; n > best {
			best = copy(dst[from:], dst[end:])
		}
		dst = dst[:from+best]
		return from+best >= most
	}
	for _, vs := range a.parents {
		if ask(vs) {
			return dst
		}
	}
	for _, l := range a.lists {
		if placeOf(l, k, uint64(id)) >= 0 {
			continue
		}
		room := a.room()
		room.ids = room.ids[:0]
		for i := range l {
			if l[i].Kind() == value.KindVertex && l[i].IsStored() {
				room.ids = append(room.ids, VertexID(l[i].Ref()))
			}
		}
		if ask(room.ids) {
			return dst
		}
	}
	return dst
}

// nextTo appends id and what lies behind it next to vertices whose edges are in memory.
func nextTo[ID ~uint64](t *Tx, dst []ID, vs []VertexID, id ID, most int, lacks func(ID) bool, of func(*Adjacent) ID) []ID {
	end, left, begun := len(dst)+most, nearLook, false
	for _, v := range vs {
		for k, d := range bothWays {
			row := t.cachedAdjacency(v, d)
			if row == nil {
				row = t.kept.begun[k][v]
			}
			if row == nil {
				continue
			}
			room := t.ahead.room()
			room.adjacent = appendRow(room.adjacent[:0], row, d, nil, nil, left, nil)
			dst = nextIn(dst, room.adjacent, &begun, id, end-len(dst), lacks, of)
			if left -= len(room.adjacent) + 1; left <= 0 || len(dst) >= end {
				return dst
			}
		}
	}
	return dst
}

// nextIn appends what edges lead to that is not in memory, once they have led to id.
func nextIn[ID ~uint64](dst []ID, edges []Adjacent, begun *bool, id ID, most int, lacks func(ID) bool, of func(*Adjacent) ID) []ID {
	end := len(dst) + most
	for i := range edges {
		x := of(&edges[i])
		if *begun = *begun || x == id; *begun && lacks(x) {
			if dst = append(dst, x); len(dst) >= end {
				break
			}
		}
	}
	return dst
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
