package strategy

import (
	"slices"

	"github.com/gremlind/gremlind/traversal"
)

// filterRanking puts comparisons before questions whether a property is there, so that
// V() and E() can take them, and an index with them.
//
//	V().has("mix").has("tag", "jose")       => V().has("tag", "jose").has("mix")
//	V().hasNot("mix").hasLabel("a").out()   => V().hasLabel("a").hasNot("mix").out()
//	V().has("mix").as("x").has("tag", "a")  => V().has("mix").as("x").has("tag", "a")
//
// Tolerates: effects and side effects of other steps, for only filters that stand side by
// side change places. They have no effects themselves, so that the same elements pass; a
// label keeps a filter where it is, and has(key, traversal), whose child may be
// unproductive, only moves as a whole.
var filterRanking = Strategy{Name: "FilterRankingStrategy", On: []string{"has", "hasNot"}, Category: Optimization, Default: true, Rewrite: rewriteFilterRanking}

func rewriteFilterRanking(_ *Context, p *traversal.Plan) (*traversal.Plan, error) {
	var out []*traversal.Node
	for i := 1; i < len(p.Nodes); i++ {
		if !ranked(p.Nodes[i-1]) || !ranked(p.Nodes[i]) || !pureHas(p.Nodes[i]) || pureHas(p.Nodes[i-1]) {
			continue
		}
		out = slices.Clone(p.Nodes)
		break
	}
	if out == nil {
		return p, nil
	}
	for from := 0; from < len(out); from++ {
		to := from
		for to < len(out) && ranked(out[to]) {
			to++
		}
		slices.SortStableFunc(out[from:to], func(a, b *traversal.Node) int { return rank(a) - rank(b) })
		from = max(from, to-1)
	}
	return p.With(out), nil
}

// ranked reports whether a node is a filter that may change places with its like.
func ranked(n *traversal.Node) bool {
	return !n.HasLabels() && (pureHas(n) || n.Name() == "has" || n.Name() == "hasNot")
}

func rank(n *traversal.Node) int {
	if pureHas(n) {
		return 0
	}
	return 1
}
