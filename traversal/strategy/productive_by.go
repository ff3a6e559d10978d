package strategy

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// productiveBy lets an unproductive by() give null instead of dropping the traverser.
//
//	by("age") acts as by(coalesce(values("age"), constant(null)))
//
// Tolerates: whatever stands beside it, for it changes what by() gives and nothing else:
// null where it gave nothing. by() of a token or a closure always gives something, and so
// does a child that ends in a reducing step; their effects stay.
var productiveBy = Strategy{Name: "ProductiveByStrategy", Category: Optimization, Rewrite: rewriteProductiveBy}

func rewriteProductiveBy(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	productive := map[string]bool{}
	if keys, ok := c.setting("productiveKeys"); ok {
		traversal.Each(keys, func(v value.Value, _ int64) { productive[v.Str()] = true })
	}
	nodes := make([]*traversal.Node, len(p.Nodes))
	for i, n := range p.Nodes {
		nodes[i] = n
		if len(n.By) == 0 {
			continue
		}
		nc := *n
		nc.By = make([]*traversal.Modulator, len(n.By))
		for j, m := range n.By {
			mc := *m
			mc.Productive = m.Kind == traversal.ByKey && !productive[m.Key] || m.Kind == traversal.ByChild && !endsReducing(m.Child)
			nc.By[j] = &mc
		}
		if err := nc.Prepare(); err != nil {
			return nil, err
		}
		nodes[i] = &nc
	}
	return p.With(nodes), nil
}

func endsReducing(p *traversal.Plan) bool {
	n := len(p.Nodes)
	return n > 0 && p.Nodes[n-1].Spec.Kind == traversal.ReduceStep
}
