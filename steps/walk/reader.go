package walk

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/traversal"
)

// Reader reads the edges of vertices, one vertex after the other, for a Taker that may have
// enough at any time: in pieces, so that a few edges of a supernode stay cheap, or those of
// many vertices at once. What was read and not taken is kept for the next call; of a long
// rest only the beginning, for the graph can be asked again.
type Reader struct {
	r    *traversal.Run
	kept []blueprints.Adjacent // read and not taken, from pos on
	pos  int
	more bool // there may be edges behind the kept ones
	last blueprints.Adjacent
	read bool // last is the edge behind which to go on
	// whole is set where a vertex is read all at once: edges that the traversal adds
	// meanwhile are not walked.
	whole bool

	x     blueprints.Expansion // direction and labels
	into  Taker
	at    [1]blueprints.VertexID // the vertex under way
	piece int
	begun int
}

// Taker takes edges that a Reader finds, as many as it wants, and returns how many those
// were. They are of the i-th of the vertices that are read, or of the one under way when i
// is Under. With ErrEnough it ends the reading; it must when it leaves any.
type Taker interface {
	TakeEdges(i int, edges []blueprints.Adjacent) (int, error)
}

// ErrEnough is a Taker's that wants no more for now.
var ErrEnough = errors.New("enough")

// Under says that edges are of the vertex under way.
const Under = -1

const (
	// PieceMin is how many edges are read at least at once; they cost next to nothing once
	// the first is found.
	PieceMin = 16
	// keepMax is how many edges that were not taken are kept rather than read again.
	keepMax = 4096
	// adjacentBytes is what an edge takes that is kept.
	adjacentBytes = 24
)

// Init makes d read for a run: vertices in pieces where they may be, else each whole.
func (d *Reader) Init(r *traversal.Run, whole bool) { d.r, d.whole = r, whole }

// KeepRoom empties d and keeps its memory.
func (d *Reader) KeepRoom() { *d = Reader{kept: traversal.Kept(d.kept)} }

// Along says which edges are read from now on: their direction and labels.
func (d *Reader) Along(dir blueprints.Direction, labels []blueprints.Symbol) {
	d.x = blueprints.Expansion{Dir: dir, Labels: labels}
}

// Enter begins a vertex, and reads nothing of it yet.
func (d *Reader) Enter(v blueprints.VertexID) {
	d.Leave()
	d.at[0], d.more = v, true
}

// Leave forgets the vertex under way.
func (d *Reader) Leave() { d.kept, d.pos, d.more, d.read = d.kept[:0], 0, false, false }

// Waits reports whether the vertex under way may have edges that were not taken.
func (d *Reader) Waits() bool { return d.pos < len(d.kept) || d.more }

// Keeps reports whether edges of it were read that were not taken.
func (d *Reader) Keeps() bool { return d.pos < len(d.kept) }

// Go offers what is kept of the vertex under way, or else the next piece of so many edges.
func (d *Reader) Go(piece int, into Taker) error {
	if d.Keeps() {
		n, err := into.TakeEdges(Under, d.kept[d.pos:])
		d.pos += n
		return enough(err)
	}
	x := d.x
	if x.Max = max(piece, PieceMin); d.whole {
		x.Max = 0
	}
	if d.read {
		x.After = d.last
	}
	d.piece, d.into, d.more = x.Max, into, false
	return enough(d.r.View.Expand(d.at[:], x, (*onePiece)(d)))
}

func enough(err error) error {
	if errors.Is(err, ErrEnough) {
		return nil
	}
	return err
}

// onePiece is a Reader that takes a piece of the edges of the vertex under way.
type onePiece Reader

// Take offers a piece.
func (p *onePiece) Take(_ int, e blueprints.Expanded) error {
	d := (*Reader)(p)
	d.more = d.piece > 0 && len(e.Edges) >= d.piece
	return d.offer(Under, e.Edges)
}

// Many offers the edges of vertices, one vertex after the other, and returns how many
// vertices it began before the Taker had enough. The last of them is the one under way then.
func (d *Reader) Many(vs []blueprints.VertexID, into Taker) (int, error) {
	d.Leave()
	d.begun, d.into = 0, into
	err := d.r.View.Expand(vs, d.x, (*manyWhole)(d))
	if d.begun > 0 {
		d.at[0] = vs[d.begun-1]
	}
	return d.begun, enough(err)
}

// manyWhole is a Reader that takes the edges of one vertex after the other.
type manyWhole Reader

// Take offers the edges of the next vertex.
func (m *manyWhole) Take(i int, e blueprints.Expanded) error {
	m.begun = i + 1
	return (*Reader)(m).offer(i, e.Edges)
}

// offer offers edges and keeps those that were not taken.
func (d *Reader) offer(i int, edges []blueprints.Adjacent) error {
	n, err := d.into.TakeEdges(i, edges)
	end := len(edges)
	if !d.whole {
		end = min(end, n+keepMax)
	}
	d.kept, d.pos = append(d.kept[:0], edges[n:end]...), 0
	d.more = d.more || end < len(edges)
	if end > 0 {
		d.last, d.read = edges[end-1], true
	}
	if err != nil && !errors.Is(err, ErrEnough) {
		return err
	}
	if d.whole {
		if err := d.r.Charge(len(d.kept) * adjacentBytes); err != nil {
			return err
		}
	}
	return err
}
