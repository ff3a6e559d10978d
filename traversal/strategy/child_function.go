package strategy

import (
	"slices"

	"github.com/gremlind/gremlind/traversal"
)

// childFunction calls the steps of children whose first result is asked for, where all of
// them are functions of a traverser, in place of running steps that traversers go through.
//
//	V().filter(__.out("a"))              => V().filter(__.out("a"))
//	V().where(__.has("age"))             => [GraphStep(vertex,[]), TraversalFilterStep([TraversalFilterStep([PropertiesStep([age],value)])]) calling [TraversalFilterStep([PropertiesStep([age],value)])]]
//	V().where(__.has("age").as("a"))     => V().where(__.has("age").as("a"))
//	V().local(__.label())                => V().local(__.label())
//	V().order().by(__.label())           => [GraphStep(vertex,[]), OrderGlobalStep([[LabelStep]]) calling [LabelStep]]
//	V().order().by(__.label()).profile() => V().order().by(__.label()).profile()
//
// Tolerates: unproductive steps, behind which nothing runs; side effects and effects of the
// steps, which see the traverser as running steps do. No labels within; no profile(), which
// measures steps; no split operator of a sack where several steps would split it.
var childFunction = Strategy{Name: "ChildFunctionStrategy", Category: Provider, Default: true, Whole: rewriteChildFunction}

func rewriteChildFunction(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if c.root.find().profiled {
		return p, nil
	}
	guards, err := c.calledGuards(p.Guards)
	if err != nil {
		return nil, err
	}
	q, err := c.eachPlan(p, c.callChildren)
	if err != nil || len(guards) == 0 {
		return q, err
	}
	guarded := *q
	guarded.Guards = guards
	return &guarded, nil
}

// calledGuards makes functions of the criteria of guards.
func (c *Context) calledGuards(guards []*traversal.Guard) ([]*traversal.Guard, error) {
	out := make([]*traversal.Guard, len(guards))
	for i, g := range guards {
		called := *g
		for _, p := range []**traversal.Plan{&called.Vertices, &called.Edges, &called.Properties} {
			if *p == nil {
				continue
			}
			q, err := c.eachPlan(*p, c.callChildren)
			if err != nil {
				return nil, err
			}
			*p = c.called(q)
		}
		out[i] = &called
	}
	return out, nil
}

// through names the steps whose children traversers go through, beside those whose
// children are global.
var through = []string{"flatMap", "local", "optional", "coalesce", "sideEffect", "match", "~matchCount"}

// callChildren makes functions of the children of a plan's steps.
func (c *Context) callChildren(p *traversal.Plan) (*traversal.Plan, error) {
	nodes := p.Nodes
	for i, n := range p.Nodes {
		some := false
		n.Children(func(q *traversal.Plan) { some = some || c.called(q) != q })
		if !some || slices.Contains(through, n.Name()) {
			continue
		}
		m, err := n.MapChildren(c.called)
		if err != nil {
			return nil, err
		}
		if &nodes[0] == &p.Nodes[0] {
			nodes = slices.Clone(nodes)
		}
		nodes[i] = m
	}
	if len(nodes) == 0 || &nodes[0] == &p.Nodes[0] {
		return p, nil
	}
	return p.With(nodes), nil
}

// called is a child as a function, or as it was.
func (c *Context) called(p *traversal.Plan) *traversal.Plan {
	if p.Function || p.Global || !p.Composes() || len(p.Nodes) > 1 && c.Options.Sack != nil && !c.Options.Sack.Split.IsNull() {
		return p
	}
	f := *p
	f.Function = true
	return &f
}
