package walk

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Trail is where walkers of one start stand and have stood: frontiers one behind the other,
// in the order in which they were reached, and each place with the one that it was reached
// from. Walkers who reach a vertex from the same place stand together.
//
// One place after the other is the head, from which walkers go on. Edges are read in growing
// pieces at first, so that few steps from a supernode stay cheap, then those of many places
// at once.
type Trail struct {
	r      *traversal.Run
	places []place
	head   int
	behind int // the places from here on were reached in one pass more than head
	passes int
	near   keyed.Index // vertices reached from head: the places from first on
	first  int
	paid   int // places that the account was charged for

	history *traversal.PathNode   // of the start
	way     []blueprints.VertexID // of the history, and from past on those between start and wayTo
	past    int
	wayTo   int
	copies  []value.Value // vertices of the history that are not the graph's
	paths   map[int]*traversal.PathNode

	edges Reader
	ids   []blueprints.VertexID
	piece int // edges that were read last at once
	into  Taker
}

// place is where a walk is or has been. There are many: they hold no pointers.
type place struct {
	vertex  blueprints.VertexID
	walkers int64
	from    int32 // the place before; -1 for the start
}

const (
	placeBytes = 24 // what an account is charged for a place
	placesMin  = 64
	// pieceMax is from how many edges on vertices are read whole.
	pieceMax = 1024
)

// NewTrail returns an empty Trail.
func NewTrail(r *traversal.Run) *Trail {
	t := &Trail{r: r, head: -1}
	t.edges.Init(r, false)
	return t
}

// Along says along which edges walkers go from now on.
func (t *Trail) Along(dir blueprints.Direction, labels []blueprints.Symbol) {
	t.edges.Along(dir, labels)
}

// Begin puts n walkers with a history at a start; whatever was before is forgotten.
func (t *Trail) Begin(v blueprints.VertexID, n int64, history *traversal.PathNode) {
	t.Forget()
	t.near.Grow(placesMin)
	t.places = append(t.places, place{v, n, -1})
	t.history = history
	for p := history; p != nil; p = p.Parent {
		switch {
		case p.Object.Kind() != value.KindVertex:
		case p.Object.IsStored():
			t.way = append(t.way, blueprints.VertexID(p.Object.Ref()))
		default:
			t.copies = append(t.copies, p.Object)
		}
	}
	t.past = len(t.way)
}

// Forget empties the trail and keeps its memory.
func (t *Trail) Forget() {
	t.places, t.head, t.first, t.behind, t.passes = t.places[:0], -1, 0, 0, 0
	t.near.Reset()
	t.history, t.way, t.past, t.wayTo, t.copies = nil, t.way[:0], 0, -1, t.copies[:0]
	clear(t.paths)
	t.edges.Leave()
}

// Reset forgets also how much was read at once.
func (t *Trail) Reset() {
	t.Forget()
	t.piece = 0
}

// Waits reports whether there may be edges to go along.
func (t *Trail) Waits() bool { return t.edges.Waits() || t.head+1 < len(t.places) }

// Head is the place from which walkers go on, -1 at first.
func (t *Trail) Head() int { return t.head }

// Passes is how many hops lead to what is reached from head.
func (t *Trail) Passes() int { return t.passes }

// Walkers is how many stand at head.
func (t *Trail) Walkers() int64 { return t.places[t.head].walkers }

// Go offers edges that lead on: those of head that are left, or of the places behind it, each
// of which is head while its edges are offered.
func (t *Trail) Go(into Taker) error {
	if t.edges.Keeps() {
		return t.edges.Go(0, into)
	}
	if err := t.r.PollNow(); err != nil {
		return err
	}
	if err := t.pay(); err != nil {
		return err
	}
	if !t.edges.Waits() && t.piece >= pieceMax {
		t.into, t.ids = into, t.ahead(t.ids[:0])
		_, err := t.edges.Many(t.ids, (*ahead)(t))
		return err
	}
	if !t.edges.Waits() {
		t.next()
		t.edges.Enter(t.places[t.head].vertex)
	}
	t.piece = min(max(4*t.piece, PieceMin), keepMax)
	return t.edges.Go(t.piece, into)
}

// ahead is a Trail that takes the edges of the places behind head.
type ahead Trail

// TakeEdges makes the next place head and offers its edges.
func (a *ahead) TakeEdges(_ int, edges []blueprints.Adjacent) (int, error) {
	(*Trail)(a).next()
	return a.into.TakeEdges(Under, edges)
}

// ahead appends the vertices of some places behind head: as many as are read at once.
func (t *Trail) ahead(ids []blueprints.VertexID) []blueprints.VertexID {
	for _, p := range t.places[t.head+1 : min(t.head+1+atOnce, len(t.places))] {
		ids = append(ids, p.vertex)
	}
	return ids
}

// next makes the next place head.
func (t *Trail) next() {
	t.head++
	t.first = len(t.places)
	t.near.Reset()
	if t.head == t.behind {
		t.behind = len(t.places)
		t.passes++
	}
}

// pay charges for the places that came since.
func (t *Trail) pay() error {
	n := len(t.places) - t.paid
	if n <= 0 {
		return nil
	}
	t.paid += n
	return t.r.Charge(n * placeBytes)
}

// Add lets as many walkers as are at head go on to a vertex.
func (t *Trail) Add(v blueprints.VertexID) {
	n := t.places[t.head].walkers
	i, isNew := t.near.Add(uint64(v))
	if !isNew {
		t.places[t.first+i].walkers += n
		return
	}
	if len(t.places) == cap(t.places) {
		t.places = slices.Grow(t.places, max(placesMin, len(t.places))) // append would copy more often
	}
	t.places = append(t.places, place{v, n, int32(t.head)})
}

// Been reports whether the way to head, or the start's history, meets a vertex.
func (t *Trail) Been(v blueprints.VertexID) bool {
	if t.wayTo != t.head {
		t.wayTo, t.way = t.head, t.way[:t.past]
		for i := int32(t.head); i > 0; i = t.places[i].from {
			t.way = append(t.way, t.places[i].vertex)
		}
	}
	for _, w := range t.way {
		if w == v {
			return true
		}
	}
	if len(t.copies) > 0 {
		to := value.VertexRef(uint64(v))
		return slices.ContainsFunc(t.copies, func(c value.Value) bool { return value.Identical(c, to) })
	}
	return false
}

// Path returns the path to head. It is the start's history where it has none: a start in a
// test of another repeat().
func (t *Trail) Path() *traversal.PathNode { return t.path(int32(t.head)) }

func (t *Trail) path(i int32) *traversal.PathNode {
	p := t.places[i]
	if p.from < 0 {
		return t.history
	}
	n := t.paths[int(i)]
	if n == nil {
		n = t.path(p.from).Extend(value.VertexRef(uint64(p.vertex)), nil)
		if t.paths == nil {
			t.paths = map[int]*traversal.PathNode{}
		}
		t.paths[int(i)] = n
	}
	return n
}
