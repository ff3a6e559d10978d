package strategy

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
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
//	with SubgraphStrategy(vertexProperties: has("c"))
//	V().properties("k") => V().properties("k").filter(has("c"))
//	V().values("k")     => V().properties("k").filter(has("c")).value()
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
	return c.eachPlan(p, s.rewrite)
}

func (s *subgraphCriteria) rewrite(p *traversal.Plan) (*traversal.Plan, error) {
	var out []*traversal.Node
	from := unknownElement
	for _, n := range p.Nodes {
		nodes, err := s.node(n, from)
		if err != nil {
			return nil, err
		}
		out, from = append(out, nodes...), elementType(n, from)
	}
	return p.With(out), nil
}

// node returns what n becomes; from is what reaches n: 'v'ertices, 'p'roperties or
// edges, or 'x' for not known.
func (s *subgraphCriteria) node(n *traversal.Node, from byte) ([]*traversal.Node, error) {
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
	case s.vertexPs != nil && from != 'p':
		return s.properties(n, from)
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
		f, err := s.c.filter(crit)
		if err != nil {
			return nil, err
		}
		last := len(nodes) - 1
		nodes[last], f = moveLabels(nodes[last], f)
		nodes = append(nodes, f)
	}
	return nodes, nil
}

// endpoint makes step().filter(vertices).
func (s *subgraphCriteria) endpoint(step string) (*traversal.Plan, error) {
	v, err := s.c.node(step)
	if err != nil {
		return nil, err
	}
	f, err := s.c.filter(s.vertices)
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
	e, err := s.c.node(hopName(h.Dir, true), n.Args...)
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

// unknownElement is the elementType of what may be anything.
const unknownElement byte = 'x'

// elementType is what comes out of n when from goes in: 'v' vertices, 'p' edges or
// properties.
func elementType(n *traversal.Node, from byte) byte {
	g, h := graphStart(n), hop(n)
	switch {
	case n.Spec.Kind == traversal.FilterStep || n.Spec.Kind == traversal.SideEffectStep:
		return from
	case g != nil && !g.Edges, endVertex(n), h != nil && !h.Edge:
		return 'v'
	case h != nil, n.Name() == "properties", n.Name() == "values", n.Name() == "valueMap",
		n.Name() == "propertyMap", n.Name() == "elementMap":
		return 'p'
	}
	return unknownElement
}

// properties filters what properties(), values(), the property maps and by("key") read.
func (s *subgraphCriteria) properties(n *traversal.Node, from byte) ([]*traversal.Node, error) {
	switch n.Name() {
	case "properties":
		f, err := s.propertyFilter(from)
		if err != nil {
			return nil, err
		}
		n, f = moveLabels(n, f)
		return []*traversal.Node{n, f}, nil
	case "values":
		nodes, err := s.filteredValues(n.Args, from)
		if err != nil {
			return nil, err
		}
		nodes[len(nodes)-1] = nodes[len(nodes)-1].WithLabels(n.Labels)
		return nodes, nil
	case "valueMap", "propertyMap":
		return s.propertyMap(n, from)
	}
	return s.byKeys(n, from)
}

func (s *subgraphCriteria) propertyFilter(from byte) (*traversal.Node, error) {
	if from == 'v' {
		return s.c.filter(s.vertexPs)
	}
	return s.c.node("~filterVertexProperty", traversal.Sub(s.vertexPs))
}

func (s *subgraphCriteria) filteredValues(args []traversal.Arg, from byte) ([]*traversal.Node, error) {
	props, err := s.c.node("properties", args...)
	if err != nil {
		return nil, err
	}
	f, err := s.propertyFilter(from)
	if err != nil {
		return nil, err
	}
	val, err := s.c.node("value")
	return []*traversal.Node{props, f, val}, err
}

// propertyMap hands the map step a traversal that gives its properties.
func (s *subgraphCriteria) propertyMap(n *traversal.Node, from byte) ([]*traversal.Node, error) {
	var keys []traversal.Arg
	for _, a := range n.Args {
		if a.Child == nil && a.Value.Str() != "" {
			keys = append(keys, a)
		}
	}
	nodes, err := s.filteredValues(keys, from)
	if err != nil {
		return nil, err
	}
	c := *n
	c.Mods = append(append([]traversal.Mod{}, n.Mods...), traversal.Mod{
		Name: "~properties", Args: []traversal.Arg{traversal.Sub(s.c.plan(nodes[:2]...))},
	})
	return []*traversal.Node{&c}, c.Prepare()
}

// byKeys turns by("key") into by(properties("key").filter(..).value()).
func (s *subgraphCriteria) byKeys(n *traversal.Node, from byte) ([]*traversal.Node, error) {
	changed := false
	by := make([]*traversal.Modulator, len(n.By))
	for i, m := range n.By {
		by[i] = m
		if m.Kind != traversal.ByKey {
			continue
		}
		nodes, err := s.filteredValues(stringArgs([]string{m.Key}), from)
		if err != nil {
			return nil, err
		}
		mc := *m
		mc.Kind, mc.Child = traversal.ByChild, s.c.plan(nodes...)
		by[i], changed = &mc, true
	}
	if !changed {
		return []*traversal.Node{n}, nil
	}
	c := *n
	c.By = by
	return []*traversal.Node{&c}, c.Prepare()
}
