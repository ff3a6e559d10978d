package strategy

import "github.com/gremlind/gremlind/traversal"

// degreeCount counts from what the graph keeps, without enumerating.
//
//	V().outE().count() => [GraphStep(vertex,[]), DegreeCountStep(OUT,edge)]
//	V().count()        => [TinkerCountGlobalStep(vertex,[])]
//
// Tolerates: effects and side effects elsewhere, for the graph is read when count() would
// have read it, and a label on count(). A label on the hop forbids it; there are no
// children.
var degreeCount = Strategy{Name: "DegreeCountStrategy", On: []string{"count"}, Category: Provider, Default: true, Rewrite: rewriteDegreeCount}

func rewriteDegreeCount(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	for i := 0; i+1 < len(p.Nodes); i++ {
		n, next := p.Nodes[i], p.Nodes[i+1]
		if next.Name() != "count" || isLocal(next) || n.HasLabels() {
			continue
		}
		name := ""
		switch g := graphStart(n); {
		case hop(n) != nil:
			name = "~degrees"
		case g != nil && i == 0 && p.Root && !g.ByID && countable(g):
			name = "~countElements"
		}
		spec, ok := c.Registry.Lookup(name)
		if !ok {
			continue
		}
		counted := &traversal.Node{Spec: spec, Data: n.Data, Labels: next.Labels}
		out := append([]*traversal.Node{}, p.Nodes[:i]...)
		out = append(append(out, counted), p.Nodes[i+2:]...)
		return p.With(out), nil
	}
	return p, nil
}

// countable reports whether counters answer: no filter, or labels alone.
func countable(g *traversal.GraphStart) bool {
	return len(g.Has) == 0 || len(g.Has) == 1 && g.Index != nil && g.Index.Key == "" && g.Index.At == 0
}
