package strategy

import (
	"errors"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// subgraph shows only the vertices, edges and vertex properties that satisfy its
// criteria. An edge needs both endpoints to satisfy the vertex criterion unless
// checkAdjacentVertices is false.
//
//	with SubgraphStrategy(vertices: has("a"))
//	V()         => V().filter(has("a"))
//	V().out()   => V().filter(has("a")).out().filter(has("a"))
//	E()         => E().filter(inV().filter(has("a"))).filter(outV().filter(has("a")))
//	V().outE()  => V().filter(has("a")).outE().filter(inV().filter(has("a")))
//	with SubgraphStrategy(vertices: has("a"), checkAdjacentVertices: false)
//	E()         => E()
//	with SubgraphStrategy(edges: has("b"))
//	V().out()   => V().outE().filter(has("b")).inV()
//	V().bothE() => V().bothE().filter(has("b"))
//
// The filters are for steps that have ways of their own to what they let through, and
// for edges whose vertices are not checked. All else that reads elements, and all that
// reads properties, reads through a traversal.Guard: has(), order(), elementMap() and what a
// client gets of an element too, where the reference shows what is hidden. Writing is not
// restricted.
//
// Tolerates: any effects, side effects and children, for the guard stands beneath all
// steps. Labels go to the last of the steps that one becomes.
var subgraph = Strategy{Name: "SubgraphStrategy", Category: Decoration, Whole: rewriteSubgraph}

type subgraphCriteria struct {
	c                         *Context
	vertices, edges, vertexPs *traversal.Plan
	adjacent                  bool
}

func rewriteSubgraph(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	s := &subgraphCriteria{c: c, adjacent: c.truth("checkAdjacentVertices", true)}
	var err error
	for key, dst := range map[string]**traversal.Plan{"vertices": &s.vertices, "edges": &s.edges, "vertexProperties": &s.vertexPs} {
		if *dst, err = c.child(key); err != nil {
			return nil, err
		}
	}
	if s.vertices == nil && s.edges == nil && s.vertexPs == nil {
		return nil, errors.New("A subgraph must be filtered by a vertex, edge, or vertex property criterion")
	}
	return s.apply(p)
}

// apply rewrites the plan and its children.
func (s *subgraphCriteria) apply(p *traversal.Plan) (*traversal.Plan, error) {
	c := s.c
	var err error
	for _, crit := range []**traversal.Plan{&s.vertices, &s.edges, &s.vertexPs} {
		if *crit != nil {
			if *crit, err = c.eachPlan(*crit, func(q *traversal.Plan) (*traversal.Plan, error) { return rewriteConnective(c, q) }); err != nil {
				return nil, err
			}
		}
	}
	p, err = c.eachPlan(p, s.rewrite)
	if err != nil {
		return nil, err
	}
	return p.WithGuard(&traversal.Guard{Vertices: s.vertices, Edges: s.edges, Properties: s.vertexPs, Adjacent: s.adjacent}), nil
}

func (s *subgraphCriteria) rewrite(p *traversal.Plan) (*traversal.Plan, error) {
	var out []*traversal.Node
	for _, n := range p.Nodes {
		nodes, err := s.node(n)
		if err != nil {
			return nil, err
		}
		out = append(out, nodes...)
	}
	return p.With(out), nil
}

// node returns what n becomes.
func (s *subgraphCriteria) node(n *traversal.Node) ([]*traversal.Node, error) {
	g, h := graphStart(n), hop(n)
	switch {
	case g != nil && !g.Edges, endVertex(n), n.Name() == "addV":
		return s.after(n, s.vertices)
	case g != nil:
		return s.graphEdges(n)
	case h != nil && h.Edge:
		return s.incident(n, h)
	case h != nil:
		return s.adjacentVertices(n, h)
	case n.Name() == "addE":
		return s.after(n, s.edges)
	}
	return []*traversal.Node{n}, nil
}

// after puts filters behind n, which hand its labels on.
func (s *subgraphCriteria) after(n *traversal.Node, criteria ...*traversal.Plan) ([]*traversal.Node, error) {
	nodes := []*traversal.Node{n}
	for _, crit := range criteria {
		if crit == nil {
			continue
		}
		f, err := s.filter(crit)
		if err != nil {
			return nil, err
		}
		last := len(nodes) - 1
		nodes[last], f = moveLabels(nodes[last], f)
		nodes = append(nodes, f)
	}
	return nodes, nil
}

// ownReading names the steps that ask an element for nothing but what is its own, the
// ends of an edge included.
var ownReading = []string{"has", "hasLabel", "hasId", "hasKey", "hasValue", "hasNot", "filter", "and", "or", "not", "is",
	"properties", "values", "id", "label", "key", "value", "inV", "outV", "otherV"}

// filter makes filter(criterion) of criteria that ask for what is the element's own:
// indexes may answer those. Others see the whole graph, which they would not as steps of
// the plan: the guard answers.
func (s *subgraphCriteria) filter(criterion *traversal.Plan) (*traversal.Node, error) {
	own := !s.c.hidesProperties()
	criterion.Walk(func(n *traversal.Node) { own = own && slices.Contains(ownReading, n.Name()) })
	if !own {
		return s.c.node("~visible")
	}
	return s.c.filter(criterion)
}

// hidesProperties reports whether one of the traversal's strategies hides properties.
func (c *Context) hidesProperties() bool {
	return slices.ContainsFunc(c.Options.Strategies, func(s *traversal.StrategySpec) bool {
		if s.Config == nil {
			return false
		}
		criterion, _ := s.Config.Get(value.String("vertexProperties"))
		meta, _ := s.Config.Get(value.String("includeMetaProperties"))
		return !criterion.IsNull() || meta.Kind() == value.KindBool && meta.Bool()
	})
}

// endpoint makes step().filter(vertices).
func (s *subgraphCriteria) endpoint(step string) (*traversal.Plan, error) {
	v, err := s.c.node(step)
	if err != nil {
		return nil, err
	}
	f, err := s.filter(s.vertices)
	if err != nil {
		return nil, err
	}
	return s.c.plan(v, f), nil
}

func (s *subgraphCriteria) graphEdges(n *traversal.Node) ([]*traversal.Node, error) {
	criteria := []*traversal.Plan{s.edges}
	if s.adjacent && s.vertices != nil {
		for _, step := range []string{"inV", "outV"} {
			end, err := s.endpoint(step)
			if err != nil {
				return nil, err
			}
			criteria = append(criteria, end)
		}
	}
	return s.after(n, criteria...)
}

func (s *subgraphCriteria) incident(n *traversal.Node, h *traversal.Hop) ([]*traversal.Node, error) {
	criteria := []*traversal.Plan{s.edges}
	if s.adjacent && s.vertices != nil {
		end, err := s.endpoint(otherEnd(h.Dir))
		if err != nil {
			return nil, err
		}
		criteria = append(criteria, end)
	}
	return s.after(n, criteria...)
}

// otherEnd names the step from an edge to the vertex at its far end.
func otherEnd(d blueprints.Direction) string {
	switch d {
	case blueprints.Out:
		return "inV"
	case blueprints.In:
		return "outV"
	}
	return "otherV"
}

func (s *subgraphCriteria) adjacentVertices(n *traversal.Node, h *traversal.Hop) ([]*traversal.Node, error) {
	if s.edges == nil {
		return s.after(n, s.vertices)
	}
	e, err := s.c.hop(h, true)
	if err != nil {
		return nil, err
	}
	v, err := s.c.node(otherEnd(h.Dir))
	if err != nil {
		return nil, err
	}
	nodes, err := s.after(e, s.edges)
	if err != nil {
		return nil, err
	}
	tail, err := s.after(v.WithLabels(n.Labels), s.vertices)
	return append(nodes, tail...), err
}
