package strategy

import (
	"github.com/gremlind/gremlind/traversal"
)

// bulkCount counts paths over several hops without enumerating them.
//
//	V().out().in("a").count()     => [GraphStep(vertex,[]), HopCountStep(VertexStep(OUT,vertex),VertexStep(IN,[a],vertex),distinct=false)]
//	V().out().dedup().count()     => [GraphStep(vertex,[]), HopCountStep(VertexStep(OUT,vertex),distinct=true)]
//	V().out().count()             => V().out().count()
//
// Tolerates: a label on count(). The whole traversal only reads the graph: no effects, no
// side effects, nobody who asks for traversers of bulk one, no sacks that merge. A label
// within ends the run of hops; there are no children.
var bulkCount = Strategy{Name: "BulkCountStrategy", On: []string{"count"}, Category: Provider, Default: true, Rewrite: rewriteBulkCount}

func rewriteBulkCount(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	spec, ok := c.Registry.Lookup("~hopCount")
	if !ok || c.root.find().effects&^traversal.ReadsGraph != 0 || c.root.needs&traversal.NeedOneBulk != 0 {
		return p, nil
	}
	if o := c.Options; o.Sack != nil && !o.Sack.Merge.IsNull() {
		return p, nil // sacks that do not combine are an error at a barrier
	}
	for i := range p.Nodes {
		hc, end := hopRun(p.Nodes, i)
		if hc == nil {
			continue
		}
		counted := &traversal.Node{Spec: spec, Data: hc, Labels: p.Nodes[end-1].Labels}
		out := append([]*traversal.Node{}, p.Nodes[:i]...)
		return p.With(append(append(out, counted), p.Nodes[end:]...)), nil
	}
	return p, nil
}

// hopRun recognises hops with barriers between them, perhaps dedup(), and count().
func hopRun(nodes []*traversal.Node, i int) (*traversal.HopCount, int) {
	hc := &traversal.HopCount{}
run:
	for ; i < len(nodes) && !hc.Distinct; i++ {
		n := nodes[i]
		h := hop(n)
		switch {
		case h != nil && !n.HasLabels() && (!h.Edge || countFollows(nodes, i)):
			vertices := *h
			vertices.Edge = false
			hc.Hops = append(hc.Hops, &vertices)
			continue
		case n.Name() == "barrier" && len(hc.Hops) > 0 && !n.HasLabels() && plainBarrier(n):
			continue
		case n.Name() == "dedup" && len(hc.Hops) > 0 && len(n.Args) == 0 && len(n.By) == 0 && !n.HasLabels() && !lastEdge(nodes[i-1]):
			hc.Distinct = true
			continue
		default:
			break run
		}
	}
	if i >= len(nodes) || nodes[i].Name() != "count" || isLocal(nodes[i]) || len(hc.Hops) < 2 && !hc.Distinct || len(hc.Hops) == 0 {
		return nil, 0
	}
	return hc, i + 1
}

// plainBarrier reports whether a barrier only gathers: no normSack.
func plainBarrier(n *traversal.Node) bool {
	return len(n.Args) == 0 || n.Args[0].Value.Kind().IsNumber()
}

func lastEdge(n *traversal.Node) bool {
	h := hop(n)
	return h != nil && h.Edge
}

// countFollows reports whether the edges at i are only counted.
func countFollows(nodes []*traversal.Node, i int) bool {
	return i+1 < len(nodes) && nodes[i+1].Name() == "count" && !isLocal(nodes[i+1])
}
