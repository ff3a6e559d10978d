// Package walk goes from vertices to vertices, many at a time.
//
//	Frontier  where walkers stand, and how many: counts over hops, distinct ends
//	Reader    edges of one vertex after the other, in pieces, for who may have enough
//	Trail     frontiers one behind the other, each place with the one before it: paths
//	Near      a Frontier around one vertex: its neighbours
//	Figure    patterns of hops with several ends, whose corners must be near to others
//	Ways      in how many ways walkers could make a last hop
//
// How many walkers stand at a vertex is a sum of bulks, and wraps as Java's long does: the
// reference wraps, and so does whatever walks traversers one by one. That somebody stands
// there is kept beside the sum, so that a vertex with 2^64 walkers, which are 0, counts as
// one, and leads to its neighbours.
//
// Everything here asks the run for its View, which is the one way from vertices to edges,
// charges the run's account before memory is taken, and looks at the run's clock once for
// every 256 vertices.
package walk
