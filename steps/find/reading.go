package find

import (
	"sync"

	"github.com/gremlind/gremlind/blueprints"
)

// readMax is the most elements a scan reads at once.
const readMax = 1024

// scanAtFirst is how many elements a scan reads at first, whatever is asked for; it reads
// more when there were as many.
const scanAtFirst = 8

var (
	vertexRooms = sync.Pool{New: func() any { return new([readMax]blueprints.VertexID) }}
	edgeRooms   = sync.Pool{New: func() any { return new([readMax]blueprints.EdgeID) }}
)

// reading is where a scan reads ids to: into a little of its own at first, then into
// memory that scans hand on.
type reading[ID any] struct {
	first [scanAtFirst]ID
	wide  *[readMax]ID
	size  int // how many the read before had room for
	last  int // how many it gave; the caller sets it
}

// room returns where the next read goes: to at most max ids, and to twice as many as the
// read before when that was full.
func (r *reading[ID]) room(max int, rooms *sync.Pool) []ID {
	if r.size < max && r.last == r.size {
		r.size = min(2*r.size+scanAtFirst, max, readMax)
	}
	n := min(max, r.size)
	if n <= scanAtFirst {
		return r.first[:n]
	}
	if r.wide == nil {
		r.wide = rooms.Get().(*[readMax]ID)
	}
	return r.wide[:n]
}

// release gives the memory back.
func (r *reading[ID]) release(rooms *sync.Pool) {
	if r.wide != nil {
		rooms.Put(r.wide)
		r.wide = nil
	}
}
