package strategy

import (
	"slices"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// earlyLimit moves limits ahead of steps that give one for one, and merges limits
// that meet.
//
//	V().out().valueMap().limit(3) => V().out().limit(3).valueMap()
//	V().limit(5).id().limit(3)    => V().limit(3).id()
var earlyLimit = Strategy{Name: "EarlyLimitStrategy", On: []string{"limit", "range", "skip"}, Category: Optimization, Default: true, Rewrite: rewriteEarlyLimit}

func rewriteEarlyLimit(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	nodes := slices.Clone(p.Nodes)
	anchor, merge := -1, false // the step behind which the next limit goes
	changed := false
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		r := globalRange(n)
		switch {
		case r != nil && anchor >= 0:
			moved, at, err := c.moveRange(nodes, i, anchor, merge)
			if err != nil {
				return nil, err
			}
			if moved != nil {
				nodes, changed = moved, true
				i = at
			}
			anchor, merge = at, true
		case r != nil || !movable(n):
			anchor, merge = i, true
		case n.Effects()&traversal.WritesSideEffect != 0:
			merge = false
		}
	}
	if !changed {
		return p, nil
	}
	return p.With(nodes), nil
}

// moveRange puts the limit at i behind the step at anchor; nil when it is there. It
// returns where the limit is afterwards.
func (c *Context) moveRange(nodes []*traversal.Node, i, anchor int, merge bool) ([]*traversal.Node, int, error) {
	step := nodes[i]
	if other := globalRange(nodes[anchor]); other != nil {
		m, err := c.mergedRange(other, globalRange(step))
		if err != nil {
			return nil, 0, err
		}
		if !merge {
			nodes[i] = m.WithLabels(step.Labels)
			return nodes, i, nil
		}
		nodes[anchor] = m.WithLabels(nodes[anchor].Labels)
		return c.dropRange(nodes, i), anchor, nil
	}
	if anchor == i-1 {
		return nil, i, nil
	}
	nodes = c.dropRange(nodes, i)
	return slices.Insert(nodes, anchor+1, step.WithLabels(nil)), anchor + 1, nil
}

// dropRange removes the limit at i; its labels stay with the step before it.
func (c *Context) dropRange(nodes []*traversal.Node, i int) []*traversal.Node {
	if nodes[i].HasLabels() {
		before := nodes[i-1]
		nodes[i-1] = before.WithLabels(append(slices.Clone(before.Labels), nodes[i].Labels...))
	}
	return slices.Delete(nodes, i, i+1)
}

// mergedRange is the range that two ranges in a row amount to.
func (c *Context) mergedRange(a, b *traversal.Range) (*traversal.Node, error) {
	low, high := a.Low+b.Low, int64(-1)
	switch {
	case a.High == -1:
		high = a.Low + b.High // with b.High -1 the reference errs in the same way
	case b.High == -1:
		high = a.High
	default:
		high = min(a.Low+b.High, a.High)
	}
	if a.High != -1 && high <= low {
		return c.node("discard")
	}
	return c.node("range", traversal.Const(value.Long(low)), traversal.Const(value.Long(high)))
}

func globalRange(n *traversal.Node) *traversal.Range {
	r, ok := n.Data.(*traversal.Range)
	if !ok || r.Local || r.Tail {
		return nil
	}
	return r
}

// oneForOne names the steps that give exactly one result for each traverser.
var oneForOne = []string{"constant", "otherV", "elementMap", "id", "label", "math", "identity", "path", "project",
	"key", "value", "valueMap", "propertyMap", "sack"}

func movable(n *traversal.Node) bool {
	if n.Spec.Kind == traversal.SideEffectStep && !n.Spec.Start {
		return true
	}
	local := isLocal(n) && (n.Name() == "count" || n.Name() == "order" || n.Name() == "sample")
	return local || slices.Contains(oneForOne, n.Name())
}

// orderLimit tells order() how many it has to keep when a limit follows.
//
//	order() keeps only what a limit(n) behind it can let through
var orderLimit = Strategy{Name: "OrderLimitStrategy", On: []string{"order"}, Category: Optimization, Default: true, Rewrite: rewriteOrderLimit}

func rewriteOrderLimit(_ *Context, p *traversal.Plan) (*traversal.Plan, error) {
	nodes := slices.Clone(p.Nodes)
	changed := false
	for i, n := range nodes {
		if n.Name() != "order" || isLocal(n) {
			continue
		}
		high := int64(-1)
		for j := i + 1; j < len(nodes); j++ {
			if r := globalRange(nodes[j]); r != nil {
				high = r.High
			}
			if high > 0 || !movable(nodes[j]) || nodes[j].Spec.Kind == traversal.SideEffectStep {
				break
			}
		}
		if high <= 0 {
			continue
		}
		m := *n
		m.Mods = append(slices.Clone(n.Mods), traversal.Mod{Name: "~limit", Args: []traversal.Arg{traversal.Const(value.Long(high))}})
		if err := m.Prepare(); err != nil {
			return nil, err
		}
		nodes[i], changed = &m, true
	}
	if !changed {
		return p, nil
	}
	return p.With(nodes), nil
}
