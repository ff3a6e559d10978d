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
//
// Tolerates: side effects, which then see fewer traversers, as in the reference. Not steps
// that write to the graph or whose by() may be unproductive, such as sack(sum).by("age").
// Labels stay with what they name.
var earlyLimit = Strategy{Name: "EarlyLimitStrategy", On: []string{"limit", "range", "skip"}, Category: Optimization, Default: true, Rewrite: rewriteEarlyLimit}

func rewriteEarlyLimit(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	e := &limiting{c: c, anchor: -1, slots: make([]slot, 0, len(p.Nodes))}
	for _, n := range p.Nodes {
		if err := e.add(n); err != nil {
			return nil, err
		}
	}
	if !e.changed {
		return p, nil
	}
	return p.With(e.nodes()), nil
}

// limiting is a plan that is written anew. A limit that moves ahead waits at its new
// place, so that none shifts what stands behind it.
type limiting struct {
	c     *Context
	slots []slot
	// anchor is the slot whose end is the step behind which the next limit goes, -1 for
	// none; merge is set while a limit there may take the next one in.
	anchor         int
	merge, changed bool
	owned          *traversal.Node // whose labels nobody else has
}

// slot is a step and what was put behind it.
type slot struct {
	node   *traversal.Node
	behind []*traversal.Node
}

func (s *slot) last() **traversal.Node {
	if n := len(s.behind); n > 0 {
		return &s.behind[n-1]
	}
	return &s.node
}

func (e *limiting) nodes() []*traversal.Node {
	out := make([]*traversal.Node, 0, len(e.slots)+1)
	for i := range e.slots {
		out = append(append(out, e.slots[i].node), e.slots[i].behind...)
	}
	return out
}

func (e *limiting) add(n *traversal.Node) error {
	r := globalRange(n)
	switch {
	case r != nil && e.anchor >= 0:
		return e.limit(n, r)
	case r != nil || !movable(n):
		e.hold(n)
	default:
		if n.Effects()&traversal.WritesSideEffect != 0 {
			e.merge = false
		}
		e.slots = append(e.slots, slot{node: n})
	}
	return nil
}

// hold adds a step that no limit passes.
func (e *limiting) hold(n *traversal.Node) {
	e.anchor, e.merge = len(e.slots), true
	e.slots = append(e.slots, slot{node: n})
}

// limit puts a limit behind the anchor, or makes one of two.
func (e *limiting) limit(n *traversal.Node, r *traversal.Range) error {
	at := e.slots[e.anchor].last()
	if other := globalRange(*at); other != nil {
		m, err := e.c.mergedRange(other, r)
		if err != nil {
			return err
		}
		e.changed = true
		if !e.merge {
			e.hold(m.WithLabels(n.Labels))
			return nil
		}
		*at = m.WithLabels((*at).Labels)
		e.drop(n)
		return nil
	}
	if e.anchor == len(e.slots)-1 {
		e.hold(n)
		return nil
	}
	e.changed = true
	e.drop(n)
	s := &e.slots[e.anchor]
	s.behind = append(s.behind, n.WithLabels(nil))
	return nil
}

// drop leaves a limit out; its labels stay with the step before it.
func (e *limiting) drop(n *traversal.Node) {
	if !n.HasLabels() {
		return
	}
	before := e.slots[len(e.slots)-1].last()
	labels := (*before).Labels
	if *before != e.owned {
		labels = slices.Clone(labels)
	}
	*before = (*before).WithLabels(append(labels, n.Labels...))
	e.owned = *before
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
	if n.Name() == "sack" && len(n.Args) > 0 {
		return false // an unproductive by() drops the traverser
	}
	if n.Spec.Kind == traversal.SideEffectStep && !n.Spec.Start {
		return true
	}
	local := isLocal(n) && (n.Name() == "count" || n.Name() == "order" || n.Name() == "sample")
	return local || slices.Contains(oneForOne, n.Name())
}

// orderLimit tells order() how many it has to keep when a limit follows.
//
//	V().order().by("age").limit(3)                   => [GraphStep(vertex,[]), OrderGlobalStep([value(age)],limit=3), RangeGlobalStep(0,3)]
//	V().order().by("age").out().limit(3)             => V().order().by("age").out().limit(3)
//	V().order().by("age").valueMap().range(5, 9)     => [GraphStep(vertex,[]), OrderGlobalStep([value(age)],limit=9), PropertyMapStep(value), RangeGlobalStep(5,9)]
//	V().order().by("age").by(Order.shuffle).limit(3) => V().order().by("age").by(Order.shuffle).limit(3)
//
// Tolerates: labels, for order() and limit() stay where they are. Between them stand only
// steps that give one for one without side effects, effects or a by() that may be
// unproductive: what order() throws away would have reached them. No sacks, which a merge
// operator combines before they are sorted.
var orderLimit = Strategy{Name: "OrderLimitStrategy", On: []string{"order"}, Category: Optimization, Default: true, Rewrite: rewriteOrderLimit}

// keptMax is the largest limit for which order() keeps a heap rather than everything.
const keptMax = 1 << 16

func rewriteOrderLimit(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if c.Options.Sack != nil {
		return p, nil
	}
	nodes := slices.Clone(p.Nodes)
	changed := false
	for i, n := range nodes {
		high := limitBehindOrder(nodes, i)
		if high <= 0 || high > keptMax || shuffles(n) {
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

// limitBehindOrder is how many of what the order() at i gives can come through a limit
// behind it; none when it is -1 or 0.
func limitBehindOrder(nodes []*traversal.Node, i int) int64 {
	if nodes[i].Name() != "order" || isLocal(nodes[i]) {
		return -1
	}
	for _, n := range nodes[i+1:] {
		if r := globalRange(n); r != nil && r.High > 0 {
			return r.High
		}
		if !movable(n) || n.Spec.Kind == traversal.SideEffectStep {
			break
		}
	}
	return -1
}

// shuffles reports whether order() gives what comes at random.
func shuffles(order *traversal.Node) bool {
	return len(order.By) > 0 && order.By[len(order.By)-1].Order == "shuffle"
}
