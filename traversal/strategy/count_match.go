package strategy

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// countMatch stops counting as soon as is() can decide.
//
//	V().filter(outE().count().is(0))     => V().not(outE())
//	V().filter(outE().count().is(gt(0))) => V().filter(outE())
//	V().outE().count().is(gt(3))         => V().outE().limit(4).count().is(gt(3))
//	V().outE().count().is(lt(3))         => V().outE().limit(3).count().is(lt(3))
//
// Tolerates: effects and side effects of other steps. A child that does more than read the
// graph is counted to its end, and no limit goes behind a step that does; labels on count()
// or is() forbid it.
var countMatch = Strategy{Name: "CountStrategy", On: []string{"count"}, Category: Optimization, Default: true, Rewrite: rewriteCountMatch}

func rewriteCountMatch(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	nodes := append([]*traversal.Node{}, p.Nodes...)
	changed := false
	for i, n := range nodes {
		if n.Name() != "filter" && n.Name() != "where" || len(n.Args) != 1 || n.Child(0) == nil {
			continue
		}
		m, err := existence(c, n)
		if err != nil {
			return nil, err
		}
		if m != nil {
			nodes[i], changed = m, true
		}
	}
	limited, err := limitCounts(c, nodes)
	if err != nil {
		return nil, err
	}
	if !changed && len(limited) == len(nodes) {
		return p, nil
	}
	return p.With(limited), nil
}

// countTest recognises count().is(P) at position i and returns P's name and number.
func countTest(nodes []*traversal.Node, i int) (name string, bound int64, ok bool) {
	if i+1 >= len(nodes) || nodes[i].Name() != "count" || nodes[i+1].Name() != "is" ||
		isLocal(nodes[i]) || nodes[i].HasLabels() || nodes[i+1].HasLabels() || nodes[i+1].HasLabels() || len(nodes[i+1].Args) != 1 {
		return "", 0, false
	}
	arg := nodes[i+1].Args[0].Value
	name = "eq"
	if p, is := arg.Object().(*traversal.P); is {
		if len(p.Args) != 1 {
			return "", 0, false
		}
		name, arg = p.Name, p.Args[0]
	}
	switch arg.Kind() {
	case value.KindInt, value.KindLong, value.KindShort, value.KindByte:
		return name, arg.Int64(), true
	}
	return "", 0, false
}

// existence turns filter(x.count().is(P)) into filter(x) or not(x), nil when P asks
// for more than whether there is any.
func existence(c *Context, n *traversal.Node) (*traversal.Node, error) {
	child := n.Child(0)
	last := len(child.Nodes) - 2
	if last < 1 {
		return nil, nil
	}
	name, bound, ok := countTest(child.Nodes, last)
	if !ok || child.Effects()&^traversal.ReadsGraph != 0 {
		return nil, nil
	}
	if child.Nodes[last-1].Name() == "limit" && last > 1 {
		last-- // put there by this strategy, which sees children first
	}
	rest := child.With(append([]*traversal.Node{}, child.Nodes[:last]...))
	step := ""
	switch {
	case name == "eq" && bound == 0, name == "lt" && bound == 1, name == "lte" && bound == 0:
		step = "not"
	case name == "gt" && bound == 0, name == "gte" && bound == 1, name == "neq" && bound == 0:
		step = "filter"
	default:
		return nil, nil
	}
	m, err := c.node(step, traversal.Sub(rest))
	if err != nil {
		return nil, err
	}
	return m.WithLabels(n.Labels), nil
}

// limitCounts puts a limit before count().is(P).
func limitCounts(c *Context, nodes []*traversal.Node) ([]*traversal.Node, error) {
	var out []*traversal.Node
	for i, n := range nodes {
		name, bound, ok := countTest(nodes, i)
		high := bound + 1
		if name == "lt" || name == "gte" {
			high = bound
		}
		if ok && i > 0 && high > 0 && nodes[i-1].Name() != "limit" && nodes[i-1].Effects()&^traversal.ReadsGraph == 0 {
			l, err := c.node("limit", traversal.Const(value.Long(high)))
			if err != nil {
				return nil, err
			}
			out = append(out, l)
		}
		out = append(out, n)
	}
	return out, nil
}
