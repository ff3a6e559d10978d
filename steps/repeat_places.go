package steps

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
)

// edgeReader reads the edges of a pathWalk's places: in growing pieces at first, so
// that a limit(1) behind a supernode stays cheap, then those of many vertices at once.
type edgeReader struct {
	buf   []blueprints.Adjacent
	pos   int
	more  bool // the vertex may have more edges behind buf
	piece int  // edges read last at once
	kept  []blueprints.Adjacent
	ids   []blueprints.VertexID
}

// pieceMax is from how many edges on vertices are read whole.
const pieceMax = 1024

func (e *edgeReader) few() bool { return e.piece < pieceMax }

func (e *edgeReader) forget() { e.buf, e.pos, e.more = nil, 0, false }

// read reads the first edges of a vertex, or those behind buf when it may have more.
func (e *edgeReader) read(v blueprints.View, id blueprints.VertexID, x blueprints.Expansion) error {
	e.piece = min(max(4*e.piece, hopPieceMin), hopKeepMax)
	x.Max = e.piece
	if e.more {
		x.After = e.buf[len(e.buf)-1]
	}
	e.buf, e.pos, e.more = nil, 0, false
	e.ids = append(e.ids[:0], id)
	return v.Expand(e.ids, x, e)
}

// Take keeps a piece.
func (e *edgeReader) Take(_ int, x blueprints.Expanded) error {
	e.kept = append(e.kept[:0], x.Edges...)
	e.buf, e.more = e.kept, len(x.Edges) >= e.piece
	return nil
}

// keep copies what is left of buf, which lasts no longer than a call: as much as is
// worth it, for the rest can be read again.
func (e *edgeReader) keep() {
	rest := e.buf[e.pos:]
	n := min(len(rest), hopKeepMax)
	e.kept = append(e.kept[:0], rest[:n]...)
	e.buf, e.pos, e.more = e.kept, 0, n < len(rest)
}

// nearby finds equal places among those reached from one place: several edges may lead
// to one vertex. It is a hash table of numbers of places, linearly probed. Those of one
// start go on where those of the last one ended, so that nothing has to be cleared: a
// number below the present ones stands for a free slot.
type nearby struct {
	slots []int
	base  int // the number of the start's first place
	first int // the number of the first place reached from the present one
}

const nearbyMin = 64

// begin makes ready for what is reached from one place: it will be behind the others.
func (n *nearby) begin(others int) { n.first = n.base + others }

// forget makes ready for a new start; the last one had that many places.
func (n *nearby) forget(places int) { n.base += places }

// add appends a place, or adds its bulk to that of an equal one.
func (n *nearby) add(places []place, p place) []place {
	if 2*(n.base+len(places)-n.first+1) > len(n.slots) {
		n.grow(places)
	}
	i, found := n.slot(places, p.vertex)
	if found {
		places[n.slots[i]-n.base].bulk += p.bulk
		return places
	}
	n.slots[i] = n.base + len(places)
	if len(places) == cap(places) {
		places = slices.Grow(places, max(nearbyMin, len(places))) // append would copy more often
	}
	return append(places, p)
}

func (n *nearby) slot(places []place, v blueprints.VertexID) (i uint64, found bool) {
	mask := uint64(len(n.slots) - 1)
	for i = (uint64(v) * 0x9e3779b97f4a7c15 >> 32) & mask; n.slots[i] >= n.first; i = (i + 1) & mask {
		if places[n.slots[i]-n.base].vertex == v {
			return i, true
		}
	}
	return i, false
}

func (n *nearby) grow(places []place) {
	size := max(nearbyMin, 2*len(n.slots))
	n.slots = slices.Grow(n.slots[:0], size)[:size]
	for i := range n.slots {
		n.slots[i] = -1
	}
	for k := n.first; k < n.base+len(places); k++ {
		i, _ := n.slot(places, places[k-n.base].vertex)
		n.slots[i] = k
	}
}
