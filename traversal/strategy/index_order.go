package strategy

import (
	"slices"

	"github.com/gremlind/gremlind/traversal"
)

// indexOrder walks a key index in its order when only the first few vertices by that
// key are wanted. order() stays behind it.
//
//	V().order().by("name").limit(3) => [GraphStep(vertex,[]) in order of index name, first 3, OrderGlobalStep([value(name)]), RangeGlobalStep(0,3)]
//	V().order().by("age").limit(3)  => [GraphStep(vertex,[]), OrderGlobalStep([value(age)]), RangeGlobalStep(0,3)]
//
// Tolerates: labels, effects and side effects behind order(), which stays and decides, and
// vertices for which its by() is unproductive: they are in no index, and by() drops them. A
// label on V() forbids it.
var indexOrder = Strategy{Name: "IndexOrderStrategy", Category: Provider, Default: true, On: []string{"order"}, Rewrite: rewriteIndexOrder}

func rewriteIndexOrder(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if c.Graph == nil || p.HidesProperties() || !p.Root || len(p.Nodes) < 2 {
		return p, nil
	}
	g := graphStart(p.Nodes[0])
	if g == nil || g.Edges || g.ByID || len(g.Has) > 0 || p.Nodes[0].HasLabels() {
		return p, nil
	}
	order, limit := p.Nodes[1], limitBehindOrder(p.Nodes, 1)
	if len(order.By) != 1 || limit <= 0 {
		return p, nil
	}
	by := order.By[0]
	if by.Kind != traversal.ByKey || by.Productive || !by.Comparator.IsNull() || shuffles(order) ||
		!slices.Contains(c.Graph.VertexIndexes(), by.Key) {
		return p, nil
	}
	ordered := *g
	ordered.Index = &traversal.IndexChoice{
		Key: by.Key, At: -1, Ordered: true, Reverse: by.Order == "desc", Limit: int(limit),
	}
	nodes := slices.Clone(p.Nodes)
	nodes[0] = nodes[0].WithData(&ordered)
	return p.With(nodes), nil
}
