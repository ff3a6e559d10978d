package strategy

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/traversal"
)

// identityRemoval drops identity() without labels.
//
//	V().out().identity() => V().out()
//
// Tolerates: effects, side effects and children of other steps, for nothing but its label
// can be seen of identity(); a label keeps the step.
var identityRemoval = Strategy{Name: "IdentityRemovalStrategy", On: []string{"identity"}, Category: Optimization, Default: true,
	Rewrite: func(_ *Context, p *traversal.Plan) (*traversal.Plan, error) {
		if len(p.Nodes) < 2 {
			return p, nil
		}
		var out []*traversal.Node
		for _, n := range p.Nodes {
			if n.Name() != "identity" || n.HasLabels() {
				out = append(out, n)
			}
		}
		if len(out) == len(p.Nodes) || len(out) == 0 {
			return p, nil
		}
		return p.With(out), nil
	}}

// incidentToAdjacent goes to the neighbour directly when nobody looks at the edge.
//
//	V().bothE("a").otherV()  => V().both("a")
//	V().outE().outV()        => V().outE().outV()
//	V().outE().inV()         => V().out()
//	V().outE().inV().path()  => V().outE().inV().path()
//
// Tolerates: effects, side effects and unproductive children of other steps, for the same
// edges are walked. Not where paths are shown, a closure may look, or as() names the edge.
var incidentToAdjacent = Strategy{Name: "IncidentToAdjacentStrategy", On: []string{"outE", "inE", "bothE"}, Category: Optimization, Default: true, Rewrite: rewriteIncident}

func rewriteIncident(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if c.showsPath() {
		return p, nil
	}
	var out []*traversal.Node
	for i := 0; i < len(p.Nodes); i++ {
		n := p.Nodes[i]
		h := hop(n)
		if h == nil || !h.Edge || n.HasLabels() || i+1 == len(p.Nodes) || !farEnd(h.Dir, p.Nodes[i+1].Name()) {
			out = append(out, n)
			continue
		}
		m, err := c.hop(h, false)
		if err != nil {
			return nil, err
		}
		out = append(out, m.WithLabels(p.Nodes[i+1].Labels))
		i++
	}
	if len(out) == len(p.Nodes) {
		return p, nil
	}
	return p.With(out), nil
}

func farEnd(d blueprints.Direction, step string) bool {
	return step == "otherV" || d != blueprints.Both && step == otherEnd(d)
}

// adjacentToIncident reads only edges when nobody looks at the neighbours.
//
//	V().out().count()     => V().outE().count()
//	V().filter(out("a"))  => V().filter(outE("a"))
//	V().not(out())        => V().not(outE())
//
// Tolerates: effects and side effects of other steps: what only counts or tests sees no
// difference between an edge and its far end. Not where paths are shown, a closure may
// look, or as() names the neighbour.
var adjacentToIncident = Strategy{Name: "AdjacentToIncidentStrategy", On: []string{"count", "filter", "not", "where"}, Category: Optimization, Default: true, Rewrite: rewriteAdjacent}

func rewriteAdjacent(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if c.showsPath() {
		return p, nil
	}
	nodes := append([]*traversal.Node{}, p.Nodes...)
	changed := false
	for i, n := range nodes {
		var err error
		switch {
		case i+1 < len(nodes) && nodes[i+1].Name() == "count" && !isLocal(nodes[i+1]):
			nodes[i], err = edgesOf(c, n)
		case n.Name() == "filter" || n.Name() == "not" || n.Name() == "where" && len(n.Args) == 1:
			nodes[i], err = n.MapChildren(func(q *traversal.Plan) *traversal.Plan { return lastEdges(c, q) })
		}
		if err != nil {
			return nil, err
		}
		changed = changed || nodes[i] != n
	}
	if !changed {
		return p, nil
	}
	return p.With(nodes), nil
}

func edgesOf(c *Context, n *traversal.Node) (*traversal.Node, error) {
	h := hop(n)
	if h == nil || h.Edge || n.HasLabels() {
		return n, nil
	}
	return c.hop(h, true)
}

func lastEdges(c *Context, p *traversal.Plan) *traversal.Plan {
	if len(p.Nodes) == 0 {
		return p
	}
	last := len(p.Nodes) - 1
	n, err := edgesOf(c, p.Nodes[last])
	if err != nil || n == p.Nodes[last] {
		return p
	}
	nodes := append([]*traversal.Node{}, p.Nodes...)
	nodes[last] = n
	return p.With(nodes)
}
