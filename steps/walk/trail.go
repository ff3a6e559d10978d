package walk

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/traversal"
)

// Trail is where walkers of one start stand and have stood: frontiers one behind the other,
// in the order in which they were reached, and each place with the one that it was reached
// from. Walkers who reach a vertex from the same place stand together.
//
// One place after the other is the head, from which walkers go on.
type Trail struct {
	r      *traversal.Run
	places []place
	head   int
	near   keyed.Index // vertices reached from head: the places from first on
	first  int
	paid   int // places that the account was charged for
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
)

// NewTrail returns an empty Trail.
func NewTrail(r *traversal.Run) *Trail { return &Trail{r: r, head: -1} }

// Begin puts n walkers at a start; whatever was before is forgotten.
func (t *Trail) Begin(v blueprints.VertexID, n int64) {
	t.Forget()
	t.near.Grow(placesMin)
	t.places = append(t.places, place{v, n, -1})
}

// Forget empties the trail and keeps its memory.
func (t *Trail) Forget() {
	t.places, t.head, t.first = t.places[:0], -1, 0
	t.near.Reset()
}

// Len returns the number of places.
func (t *Trail) Len() int { return len(t.places) }

// Head is the place from which walkers go on, -1 before Next.
func (t *Trail) Head() int { return t.head }

// Waits reports whether there is a place behind head.
func (t *Trail) Waits() bool { return t.head+1 < len(t.places) }

// Next makes the next place head.
func (t *Trail) Next() {
	t.head++
	t.first = len(t.places)
	t.near.Reset()
}

// Pay charges for the places that came since.
func (t *Trail) Pay() error {
	n := len(t.places) - t.paid
	if n <= 0 {
		return nil
	}
	t.paid += n
	return t.r.Charge(n * placeBytes)
}

// Ahead appends the vertices of some places behind head: as many as are read at once.
func (t *Trail) Ahead(ids []blueprints.VertexID) []blueprints.VertexID {
	for _, p := range t.places[t.head+1 : min(t.head+1+atOnce, len(t.places))] {
		ids = append(ids, p.vertex)
	}
	return ids
}

// At returns the vertex of a place, how many walkers reached it, and the place that they
// came from, -1 for the start.
func (t *Trail) At(i int) (v blueprints.VertexID, walkers int64, from int) {
	p := &t.places[i]
	return p.vertex, p.walkers, int(p.from)
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

// Been reports whether the way to head meets a vertex, the start left out.
func (t *Trail) Been(v blueprints.VertexID) bool {
	for i := int32(t.head); i > 0; i = t.places[i].from {
		if t.places[i].vertex == v {
			return true
		}
	}
	return false
}
