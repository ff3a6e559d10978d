package blueprints

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints/rowcache"
)

// Expansion says which edges of each vertex Expand is to read, and what of them.
type Expansion struct {
	Dir Direction
	// Labels are a set, in any order; none means all edges.
	Labels []Symbol
	// without are labels whose edges are left out, each once, where Labels and Max are none
	// and no walk is wanted.
	without []Symbol
	pruned  *pruned // rows without these; nil for none
	Want    Want
	// Max, when > 0, is how many edges are read of each vertex at most, and After, unless
	// it is the zero Adjacent, is one to continue behind: the last one of an earlier call
	// for the same vertex. Both are for WantEdges alone.
	Max   int
	After Adjacent
	// By is where WantWalk looks.
	By *EdgeLookup
	// Next, unless nil, knows which vertices the caller expands likewise, right behind these:
	// their edges are read with these vertices' where those are not in memory.
	Next Upcoming
}

// leavesOut returns how many of the edges of a row are left out.
func (x *Expansion) leavesOut(row *rowcache.Adjacency) (n int) {
	for _, l := range x.without {
		n += row.LenOf(uint32(l))
	}
	return n
}

// Upcoming knows what is read next.
type Upcoming interface {
	// Upcoming appends up to max vertices.
	Upcoming(dst []VertexID, max int) []VertexID
}

// EdgeLookup says which entries of a complete edge-centric index are wanted of each vertex.
type EdgeLookup struct {
	Index   *IndexDefinition
	Columns IndexColumns
}

// Want is what is wanted of the edges of a vertex. The less it is, the less it costs.
type Want uint8

const (
	// WantEdges gives Edges, once for each vertex: outgoing ones first, in each direction
	// by label in the order first used by the graph's symbols, within a label in insertion
	// order.
	WantEdges Want = iota
	// WantEnds gives Pairs and Edges, in no particular order and any number of times for
	// each vertex, also not at all.
	WantEnds
	// WantCount gives Count, once for each vertex.
	WantCount
	// WantWalk gives, to a WalkSink, once for each vertex that can have any, a walk of the
	// edges in one direction that By finds.
	WantWalk
)

// Expanded is what was found of the i-th vertex. Edges is the sink's to change, Pairs is
// not; both are valid during the call.
type Expanded struct {
	Edges []Adjacent
	// Pairs are edges of which little but their other ends is of interest: edge and other
	// vertex, as they lie in the row cache.
	Pairs []uint32
	Count int64
}

// Sink takes what Expand finds, vertex by vertex in the order asked for but for WantEnds. It may read and
// write meanwhile. Its error, by which it also says that it has enough, ends the reading,
// and Expand returns it.
type Sink interface {
	Take(i int, e Expanded) error
}

// SinkFunc is a Sink that is a function.
type SinkFunc func(i int, e Expanded) error

// Take calls the function.
func (f SinkFunc) Take(i int, e Expanded) error { return f(i, e) }

// EdgeWalk gives the edges that an index finds of one vertex, in the order of the index. What
// a transaction changes meanwhile it does not see, except that edges that are gone are left
// out. It has to be closed before the transaction ends.
type EdgeWalk interface {
	// Next fills buf and returns how many edges there were; 0 at the end or on an error.
	Next(buf []Adjacent) int
	// Exact reports whether every edge is one that was looked up; otherwise the caller has
	// to compare the values.
	Exact() bool
	Err() error
	Close() error
}

// WalkSink is a Sink of WantWalk. The walk is the sink's to close.
type WalkSink interface {
	Sink
	TakeWalk(i int, w EdgeWalk) error
}

// GiveWalk gives a walk to a sink, which takes it over, or closes it.
func GiveWalk(into Sink, i int, w EdgeWalk) error {
	s, ok := into.(WalkSink)
	if !ok {
		return errors.Join(errors.New("the edges that an index finds are given to a WalkSink"), w.Close())
	}
	return s.TakeWalk(i, w)
}
