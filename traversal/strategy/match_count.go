package strategy

import (
	"errors"

	"github.com/gremlind/gremlind/traversal"
)

// matchCount counts the matches of a match() without making them, where each pattern is a
// single hop.
//
//	V().match(__.as("a").out().as("b"), __.as("b").in("x").as("a")).count() => [GraphStep(vertex,[]), MatchCountStep(null,AND,[[MatchStartStep(a), VertexStep(OUT,vertex), MatchEndStep(b)], [MatchStartStep(b), VertexStep(IN,[x],vertex), MatchEndStep(a)]])]
//	V().match(__.as("a").out().in().as("b")).count()                        => V().match(__.as("a").out().in().as("b")).count()
//
// Tolerates: a label on count(), and labels bound before. No effects that conflict, nobody
// who asks for traversers of bulk one, and no sacks; a label on match() forbids it.
var matchCount = Strategy{Name: "MatchCountStrategy", On: []string{"match"}, Category: Provider, Default: true, Rewrite: rewriteMatchCount}

func rewriteMatchCount(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if _, ok := c.Registry.Lookup("~matchCount"); !ok || c.root.find().conflicts || c.root.needs&traversal.NeedOneBulk != 0 ||
		c.Options.Sack != nil || !c.Options.Bulk {
		return p, nil
	}
	for i := 0; i+1 < len(p.Nodes); i++ {
		n, next := p.Nodes[i], p.Nodes[i+1]
		if n.Name() != "match" || n.HasLabels() || next.Name() != "count" || isLocal(next) {
			continue
		}
		counted, err := c.node("~matchCount", n.Args...)
		if errors.Is(err, traversal.ErrUnfit) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out := append([]*traversal.Node{}, p.Nodes[:i]...)
		return p.With(append(append(out, counted.WithLabels(next.Labels)), p.Nodes[i+2:]...)), nil
	}
	return p, nil
}
