package strategy

import "github.com/gremlind/gremlind/traversal"

// matchProbe has match() look up whether an edge leads from one bound label to another, in
// place of going to all neighbours, where a pattern is a single hop.
//
//	V().match(__.as("a").out().as("b"), __.as("b").in("x").as("a"))              => [GraphStep(vertex,[]), MatchStep(null,AND,[[MatchStartStep(a), VertexStep(OUT,vertex), MatchEndStep(b)], [MatchStartStep(b), VertexStep(IN,[x],vertex), MatchEndStep(a)]],probe=[a->b, b->a])]
//	V().match(__.as("a").out().as("b"), __.as("b").out().as("a")).addE("x").to("a") => V().match(__.as("a").out().as("b"), __.as("b").out().as("a")).addE("x").to("a")
//	V().match(__.as("a").has("age"))                                             => V().match(__.as("a").has("age"))
//	V().match(__.as("a").out().as("b"), __.as("b").out().out().as("a"))          => [GraphStep(vertex,[]), MatchStep(null,AND,[[MatchStartStep(a), VertexStep(OUT,vertex), MatchEndStep(b)], [MatchStartStep(b), VertexStep(OUT,vertex), VertexStep(OUT,vertex), MatchEndStep(a)]],probe=[a->b])]
//	V().match(__.as("a").out().as("b"), __.as("b").out().as("a")).profile()      => V().match(__.as("a").out().as("b"), __.as("b").out().as("a")).profile()
//
// Tolerates: side effects, labels and children everywhere. No effects that conflict, for the
// graph could change on the way; no profile(), which measures the steps of patterns.
// Whether a lookup pays, which depends on how often its ends change, shows as it runs.
var matchProbe = Strategy{Name: "MatchProbeStrategy", On: []string{"match"}, Category: Provider, Default: true, Rewrite: rewriteMatchProbe}

func rewriteMatchProbe(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	f := c.root.find()
	if f.conflicts || f.profiled {
		return p, nil
	}
	return marked(p, []string{"match"}, "~probe")
}
