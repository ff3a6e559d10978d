package strategy

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/traversal"
)

// edgeIndex has the edges of a vertex looked up in an edge-centric index: those that filters
// let through, and the first ones when order().by() is on the index's next key. order() stays
// behind it.
//
//	V(1).outE("rated").has("stars", gte(4)) => [GraphStep(vertex,[1]), EdgesByStep(OUT,[rated],[stars.gte(4)]) by edge-centric stars [[4, inf)]]
//	V(1).outE("rated").order().by("stars", desc).limit(3) => [GraphStep(vertex,[1]), EdgesByStep(OUT,[rated],[]) in order of edge-centric stars, first 3, OrderGlobalStep([value(stars, desc)]), RangeGlobalStep(0,3)]
//	V(1).inE("rated").has("stars", gte(4)) => [GraphStep(vertex,[1]), VertexStep(IN,[rated],edge), HasStep([stars.gte(4)])]
//
// Tolerates: bulks and paths: each vertex's edges are looked up when they would have been
// read, and has-filters, which are all that is folded in, have no labels, side effects or
// children. A label ends the folding. Edges without the key that order() is by are dropped by
// it. Of effects on the graph none that may change edges which are found and not taken yet,
// or see what was done to others: only property() and drop() of the edges themselves. Not a
// seed, with which the order of edges is the reference's.
var edgeIndex = Strategy{
	Name: "EdgeIndexStrategy", Category: Provider, Default: true, On: []string{"outE", "inE", "bothE", "toE"}, Rewrite: rewriteEdgeIndex,
}

func rewriteEdgeIndex(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if c.Graph == nil || c.root.plan.HidesProperties() || c.Options.Seeded() {
		return p, nil
	}
	defs := c.Graph.DeclaredIndexes(blueprints.EdgeClass)
	if !slices.ContainsFunc(defs, func(d *blueprints.IndexDefinition) bool { return d.Kind == keyindex.EdgeCentric }) {
		return p, nil
	}
	spec, ok := c.Registry.Lookup("~edgesBy")
	if !ok {
		return p, nil
	}
	var out []*traversal.Node
	for i := 0; i < len(p.Nodes); i++ {
		n := p.Nodes[i]
		x, next := edgesBy(defs, p.Nodes, i)
		if x == nil || !c.leavesEdges(p, next) {
			out = append(out, n)
			continue
		}
		out = append(out, (&traversal.Node{Spec: spec, Data: x}).WithLabels(p.Nodes[next-1].Labels))
		i = next - 1
	}
	if len(out) == len(p.Nodes) && slices.Equal(out, p.Nodes) {
		return p, nil
	}
	return p.With(out), nil
}

// edgesBy is what stands for the hop at i and the filters behind it, nil when no index
// serves them; next is the step behind.
func edgesBy(defs []*blueprints.IndexDefinition, nodes []*traversal.Node, i int) (x *traversal.EdgesBy, next int) {
	h, ok := nodes[i].Data.(*traversal.Hop)
	if !ok || !h.Edge || h.None || len(h.Labels) != 1 || nodes[i].Spec.Kind != traversal.FlatMapStep {
		return nil, i
	}
	x = &traversal.EdgesBy{Hop: h}
	next = i + 1
	for len(nodes[next-1].Labels) == 0 && next < len(nodes) && pureHas(nodes[next]) {
		x.Has = append(x.Has, nodes[next].Data.([]traversal.Has)...)
		next++
	}
	bestScore := 0
	for _, d := range defs {
		if !holdsEdges(d, h) {
			continue
		}
		choice, score := edgeChoice(d, h, x.Has, nodes, next)
		if score > bestScore {
			x.Index, bestScore = choice, score
		}
	}
	if x.Index == nil {
		return nil, i
	}
	return x, next
}

// leavesEdges reports whether it makes no difference in which order the edges of a walk that
// ends before the step at next are taken, and that it found them before: the traversal reads,
// or all that it does behind is about each edge for itself.
func (c *Context) leavesEdges(p *traversal.Plan, next int) bool {
	const writes = traversal.WritesGraph | traversal.Opaque | traversal.External
	if c.root.find().effects&writes == 0 {
		return true
	}
	if !p.Root {
		return false
	}
	for i, n := range p.Nodes {
		effects, parent := n.Effects(), false
		n.Children(func(child *traversal.Plan) { effects, parent = effects|child.Effects(), true })
		if i < next && effects&writes != 0 || i >= next && (parent || !slices.Contains(aboutOne, n.Name()) && !pureHas(n)) {
			return false
		}
	}
	return true
}

// aboutOne names steps that read and write nothing but what comes.
var aboutOne = []string{"property", "drop", "order", "limit", "range", "skip", "tail", "dedup", "count", "id", "label", "values",
	"valueMap", "elementMap", "identity", "discard", "barrier"}

// holdsEdges reports whether an index is about the edges of a hop.
func holdsEdges(d *blueprints.IndexDefinition, h *traversal.Hop) bool {
	if d.Kind != keyindex.EdgeCentric || d.Label != h.Labels[0] {
		return false
	}
	return d.Direction == "BOTH" || d.Direction == "OUT" && h.Dir == blueprints.Out || d.Direction == "IN" && h.Dir == blueprints.In
}

// edgeChoice binds filters to the first keys of an index, and an order() at next to the last
// key, which is bound to a range at most: edges of one value come in their order then.
func edgeChoice(d *blueprints.IndexDefinition, h *traversal.Hop, has []traversal.Has, nodes []*traversal.Node, next int) (*traversal.IndexChoice, int) {
	bound, exact, score := bindKeys(d, has)
	choice := &traversal.IndexChoice{Key: d.Keys[0], Declared: d, At: -1, LabelAt: -1, Exact: exact, Serves: bound}
	if next == len(nodes) || len(nodes[next-1].Labels) > 0 {
		return choice, score
	}
	by, limit := orderedBy(nodes, next)
	if by == nil || h.Dir == blueprints.Both || !delivers(d, by.Key, has, bound) {
		return choice, score
	}
	choice.Ordered, choice.Reverse, choice.Limit = true, by.Order == "desc", int(limit)
	return choice, score + scoreLabel
}

// delivers reports whether what the filters at bound find in an index comes in the order of a
// key: the last one of the index, which is bound to a range at most, when those before are
// bound to one value each.
func delivers(d *blueprints.IndexDefinition, key string, has []traversal.Has, bound []int) bool {
	last := len(d.Keys) - 1
	if key != d.Keys[last] || len(bound) < last {
		return false
	}
	for _, i := range bound[:last] {
		if has[i].P.Name != "eq" {
			return false
		}
	}
	return len(bound) == last || oneRange(has[bound[last]].P)
}

// oneRange reports whether one interval with bounds, of values, holds all values that p lets
// through.
func oneRange(p *traversal.P) bool {
	if _, points := Points(p); points {
		return false
	}
	ranges, _ := Ranges(p)
	return len(ranges) == 1 && ranges[0].Prefix == ""
}

// orderedBy returns the only by() of an order() of which few are wanted, when it is on a key,
// and how many.
func orderedBy(nodes []*traversal.Node, i int) (*traversal.Modulator, int64) {
	limit := limitBehindOrder(nodes, i)
	if limit <= 0 || limit > keptMax || len(nodes[i].By) != 1 {
		return nil, 0
	}
	by := nodes[i].By[0]
	if by.Kind != traversal.ByKey || by.Productive || !by.Comparator.IsNull() || shuffles(nodes[i]) {
		return nil, 0
	}
	return by, limit
}
