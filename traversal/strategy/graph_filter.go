package strategy

import "github.com/gremlind/gremlind/traversal"

// graphFilter is what withComputer(vertices, edges) leaves of the graph. It filters as
// SubgraphStrategy does; the edges are given as a walk from their vertex.
//
//	with VertexProgramStrategy(vertices: has("a"))
//	V()  => V().filter(has("a"))
//	with VertexProgramStrategy(edges: bothE("b").has("c"))
//	E()  => E().filter(hasLabel("b").has("c"))
//
// Tolerates: all that SubgraphStrategy does, whose filters and guard it sets.
var graphFilter = Strategy{Name: "VertexProgramStrategy", Category: Decoration, Whole: rewriteGraphFilter}

func rewriteGraphFilter(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	s := &subgraphCriteria{c: c, adjacent: true}
	var err error
	if s.vertices, err = c.child("vertices"); err != nil {
		return nil, err
	}
	if v, ok := c.setting("edges"); ok {
		if b, ok := v.Object().(*traversal.Bytecode); ok {
			if b = edgeTest(b); len(b.Steps) > 0 {
				s.edges, err = c.Registry.CompileChild(c.meter, b, c.Options)
			}
		}
	}
	if err != nil || s.vertices == nil && s.edges == nil {
		return p, err
	}
	return s.apply(p)
}

// edgeTest makes a test of an edge of a walk from its vertex.
func edgeTest(b *traversal.Bytecode) *traversal.Bytecode {
	if len(b.Steps) == 0 {
		return b
	}
	switch first := b.Steps[0]; first.Name {
	case "bothE", "outE", "inE":
		steps := b.Steps[1:]
		if len(first.Args) > 0 {
			steps = append([]traversal.Instruction{{Name: "hasLabel", Args: first.Args}}, steps...)
		}
		return &traversal.Bytecode{Steps: steps}
	}
	return b
}
