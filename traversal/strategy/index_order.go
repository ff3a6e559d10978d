package strategy

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/traversal"
)

// indexOrder walks a key index in its order when only the first few vertices by that
// key are wanted, or a composite one whose last key it is and whose others are bound to
// values. order() stays behind it.
//
//	V().order().by("name").limit(3) => [GraphStep(vertex,[]) in order of index name, first 3, OrderGlobalStep([value(name)]), RangeGlobalStep(0,3)]
//	V().order().by("born", desc).limit(3) => [GraphStep(vertex,[]) in order of composite born, first 3, OrderGlobalStep([[value(born), desc]]), RangeGlobalStep(0,3)]
//	V().order().by("age").limit(3) => [GraphStep(vertex,[]), OrderGlobalStep([value(age)]), RangeGlobalStep(0,3)]
//
// Tolerates: labels, effects and side effects behind order(), which stays and decides, and
// vertices for which its by() is unproductive: they are in no index, and by() drops them. A
// label on V() forbids it.
var indexOrder = Strategy{Name: "IndexOrderStrategy", Category: Provider, Default: true, On: []string{"order"}, Rewrite: rewriteIndexOrder}

func rewriteIndexOrder(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if c.Graph == nil || c.root.plan.HidesProperties() || !p.Root || len(p.Nodes) < 2 {
		return p, nil
	}
	g := graphStart(p.Nodes[0])
	if g == nil || g.ByID || p.Nodes[0].HasLabels() || p.Nodes[1].Name() != "order" {
		return p, nil
	}
	by, limit := orderedBy(p.Nodes, 1)
	if by == nil {
		return p, nil
	}
	ordered := *g
	switch {
	case !g.Edges && len(g.Has) == 0 && slices.Contains(c.Graph.VertexIndexes(), by.Key):
		ordered.Index = &traversal.IndexChoice{Key: by.Key, At: -1}
	default:
		ordered.Index = orderOfComposite(c.Graph, g, by.Key)
	}
	if ordered.Index == nil {
		return p, nil
	}
	ordered.Index.Ordered, ordered.Index.Reverse, ordered.Index.Limit = true, by.Order == "desc", int(limit)
	nodes := slices.Clone(p.Nodes)
	nodes[0] = nodes[0].WithData(&ordered)
	return p.With(nodes), nil
}

// orderOfComposite finds the composite index that delivers what the filters let through in the
// order of a key, nil for none. One that answers all filters is taken, unless a unique index
// finds what there is; one that leaves some to be tested only where no other index helps.
func orderOfComposite(x Indexes, g *traversal.GraphStart, key string) (best *traversal.IndexChoice) {
	class := blueprints.VertexClass
	if g.Edges {
		class = blueprints.EdgeClass
	}
	for _, d := range x.DeclaredIndexes(class) {
		if d.Kind != keyindex.Composite {
			continue
		}
		choice := &traversal.IndexChoice{Key: d.Keys[0], Declared: d, At: -1, LabelAt: -1}
		if d.Label != "" {
			if choice.LabelAt = labelFilter(g.Has, d.Label); choice.LabelAt < 0 {
				continue
			}
		}
		choice.Serves, choice.Exact, _ = bindKeys(d, g.Has)
		if delivers(d, key, g.Has, choice.Serves) && !better(g, choice) && (best == nil || len(choice.Serves) > len(best.Serves)) {
			best = choice
		}
	}
	return best
}

// better reports whether the index that was chosen for the filters finds so few elements that
// they are better sorted.
func better(g *traversal.GraphStart, ordered *traversal.IndexChoice) bool {
	now := g.Index
	if !now.LooksUp() {
		return false
	}
	if now.Declared != nil && now.Declared.Unique && len(now.Serves) == len(now.Declared.Keys) {
		return true
	}
	for i := range g.Has {
		if i != ordered.LabelAt && !slices.Contains(ordered.Serves, i) {
			return now.Declared != ordered.Declared
		}
	}
	return false
}
