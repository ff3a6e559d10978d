package steps

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/keyed"
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
// to one vertex.
type nearby struct {
	vertices keyed.Index // those reached, in the order of their places
	first    int         // the place of the first
}

// begin makes ready for what is reached from one place: it will be behind the others.
func (n *nearby) begin(others int) {
	n.vertices.Reset()
	n.first = others
}

// add appends a place, or adds its bulk to that of an equal one.
func (n *nearby) add(places []place, p place) []place {
	i, isNew := n.vertices.Add(uint64(p.vertex))
	if !isNew {
		places[n.first+i].bulk += p.bulk
		return places
	}
	if len(places) == cap(places) {
		places = slices.Grow(places, max(placesMin, len(places))) // append would copy more often
	}
	return append(places, p)
}

// placesMin is how many places there is room for at first.
const placesMin = 64
