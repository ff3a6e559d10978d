package strategy

import "github.com/gremlind/gremlind/traversal"

// programEdges reads the edges of many vertices at once for a vertex program, where the
// traversal that gives them is one hop.
//
//	V().pageRank().with(PageRank.edges, __.outE("a"))                     => [GraphStep(vertex,[]), PageRankVertexProgramStep(edges=VertexStep(OUT,[a],edge))]
//	V().pageRank().with(PageRank.edges, __.outE("a").has("b"))            => V().pageRank().with(PageRank.edges, __.outE("a").has("b"))
//	V().shortestPath().with(ShortestPath.edges, __.bothE())               => [GraphStep(vertex,[]), ShortestPathVertexProgramStep(edges=VertexStep(BOTH,edge))]
//	V().connectedComponent().with(ConnectedComponent.edges, __.identity()) => V().connectedComponent().with(ConnectedComponent.edges, __.identity())
//	V().peerPressure().with(PeerPressure.edges, __.inE())                 => [GraphStep(vertex,[]), PeerPressureVertexProgramStep(edges=VertexStep(IN,edge))]
//
// Tolerates: a label on the hop, which nobody can ask for, and anything outside of the
// program, which reads the graph at one moment.
var programEdges = Strategy{Name: "ProgramEdgesStrategy", On: programs, Category: Provider, Default: true, Rewrite: rewriteProgramEdges}

// programs are the steps that run a vertex program.
var programs = []string{"pageRank", "peerPressure", "connectedComponent", "shortestPath"}

func rewriteProgramEdges(_ *Context, p *traversal.Plan) (*traversal.Plan, error) {
	return marked(p, programs, "~hops")
}
