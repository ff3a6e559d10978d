package strategy

import "github.com/gremlind/gremlind/traversal"

// inlineFilter takes filters out of filter() and and().
//
//	V().filter(has("a", 1))               => V().has("a", 1)
//	V().and(has("a", 1), hasLabel("b"))   => V().has("a", 1).hasLabel("b")
//	V().filter(out().has("a", 1))         => V().filter(out().has("a", 1))
//
// Tolerates: effects and side effects of other steps, for only has-filters come out, which
// have none, and no children. A label on filter() keeps it.
var inlineFilter = Strategy{Name: "InlineFilterStrategy", On: []string{"filter", "and"}, Category: Optimization, Default: true, Rewrite: rewriteInlineFilter}

func rewriteInlineFilter(_ *Context, p *traversal.Plan) (*traversal.Plan, error) {
	var out []*traversal.Node
	changed := false
	for _, n := range p.Nodes {
		inlined, ok := inlineable(n)
		if !ok {
			out = append(out, n)
			continue
		}
		changed = true
		out = append(out, inlined...)
	}
	if !changed {
		return p, nil
	}
	return p.With(out), nil
}

// inlineable returns the filters inside n when n is nothing but their conjunction.
func inlineable(n *traversal.Node) ([]*traversal.Node, bool) {
	if n.Name() != "filter" && n.Name() != "and" || n.HasLabels() || len(n.Args) == 0 {
		return nil, false
	}
	var out []*traversal.Node
	for _, a := range n.Args {
		if a.Child == nil || len(a.Child.Nodes) == 0 {
			return nil, false
		}
		for _, f := range a.Child.Nodes {
			if !pureHas(f) {
				return nil, false
			}
			out = append(out, f)
		}
	}
	return out, true
}

// pureHas reports whether a node is a has-filter: no state, no children.
func pureHas(n *traversal.Node) bool {
	_, ok := n.Data.([]traversal.Has)
	return ok && n.Spec.Kind == traversal.FilterStep
}
