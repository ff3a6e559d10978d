package strategy

import (
	"slices"

	"github.com/gremlind/gremlind/traversal"
)

// pathRetraction lets labels leave the path once nobody looks for them any more, and
// gathers traversers there, so that those which differed in them alone merge.
//
//	V().as("a").out().as("b").select("a").out()  neither label is on the path behind select(),
//	                                             where LazyBarrierStrategy lets it put barrier(2500)
//
// What is needed later is found as the reference finds it. That includes that a label
// used only by children of a repeat()'s body does not survive into the next pass when a
// step behind them trims the path: withoutStrategies(PathRetractionStrategy) keeps it.
//
// Tolerates: effects, side effects and unproductive children: labels are dropped whatever a
// step does, and what merges then shows in effects, as in the reference. Nothing is done
// where full paths are needed. Only the root gathers: within a repeat() a filter may look
// at what an earlier traverser of the same pass left in a side effect.
var pathRetraction = Strategy{Name: "PathRetractionStrategy", Category: Optimization, Default: true, Whole: retractPaths}

func retractPaths(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	if c.needsPath() || c.Options.Computer {
		return p, nil
	}
	nodes, some := 0, false
	p.Walk(func(n *traversal.Node) {
		nodes++
		some = some || trims(n)
	})
	if !some {
		return p, nil
	}
	r := &retraction{keep: map[*traversal.Node]labelSet{}, gather: map[*traversal.Node]bool{}, scopes: map[*traversal.Node]labelSet{}}
	r.left = retractionFree + retractionPerNode*nodes
	r.gathers = !c.Options.Without["LazyBarrierStrategy"]
	r.visit(p, nil)
	if err := c.meter.Work(retractionFree + retractionPerNode*nodes - r.left); err != nil {
		return nil, err
	}
	if r.left < 0 {
		return p, nil
	}
	return r.rewrite(c, p)
}

// What each of many steps has to keep for each of the others grows with the square of
// their number. A traversal for which it is more than this keeps all labels instead: its
// results are the same.
const (
	retractionFree    = 200_000
	retractionPerNode = 16
)

type labelSet map[string]bool

func (s labelSet) addAll(t labelSet) {
	for l := range t {
		s[l] = true
	}
}

// list returns the labels sorted; never nil.
func (s labelSet) list() []string {
	list := make([]string, 0, len(s))
	for l := range s {
		list = append(list, l)
	}
	slices.Sort(list)
	return list
}

// retraction is what was found out about the nodes of a plan.
type retraction struct {
	keep    map[*traversal.Node]labelSet // of the nodes that trim paths
	gather  map[*traversal.Node]bool     // a barrier goes behind
	scopes  map[*traversal.Node]labelSet // each is asked for by all children of its node
	gathers bool
	left    int // labels and nodes that may still be looked at
}

// spent counts work and reports whether it has become too much.
func (r *retraction) spent(n int) bool {
	r.left -= n
	return r.left < 0
}

// walk visits the nodes of p and its children while there is work left.
func (r *retraction) walk(p *traversal.Plan, fn func(*traversal.Node)) {
	for _, n := range p.Nodes {
		if r.spent(1) {
			return
		}
		fn(n)
		n.Children(func(c *traversal.Plan) { r.walk(c, fn) })
	}
}

// level is a plan on the way to a child: its node at which is the parent.
type level struct {
	plan *traversal.Plan
	at   int
}

// scope returns the labels that a node looks up; steps that write do so through their
// children too. Nobody changes the set.
func (r *retraction) scope(n *traversal.Node) labelSet {
	if known, ok := r.scopes[n]; ok {
		return known
	}
	labels := labelSet{}
	r.scopes[n] = labels
	add := func(m *traversal.Node) {
		if m.Spec.Scope != nil {
			list, _ := m.Spec.Scope(m)
			for _, l := range list {
				labels[l] = true
			}
		}
	}
	add(n)
	if n.Effects()&traversal.WritesGraph != 0 {
		n.Children(func(p *traversal.Plan) { p.Walk(add) })
	}
	return labels
}

// trims reports whether paths may lose labels behind n.
func trims(n *traversal.Node) bool {
	if n.Spec.Scope == nil {
		return false
	}
	_, yes := n.Spec.Scope(n)
	return yes
}

// visit decides for the nodes of p, then for those of its children. up are the levels
// above, the root first.
func (r *retraction) visit(p *traversal.Plan, up []level) {
	found := r.own(p, up)
	trail, inRepeat := labelSet{}, false
	for _, l := range up {
		inRepeat = inRepeat || l.plan.Nodes[l.at].Name() == "repeat"
		r.above(l, found)
		for _, n := range l.plan.Nodes[l.at:] {
			labels := r.scope(n)
			if r.spent(1 + len(labels)) {
				return
			}
			trail.addAll(labels)
		}
	}
	for _, n := range p.Nodes {
		if keep := r.keep[n]; keep != nil {
			if r.spent(len(trail) + len(found)) {
				return
			}
			keep.addAll(trail)
			if inRepeat {
				keep.addAll(found)
			}
		}
	}
	for i, n := range p.Nodes {
		n.Children(func(c *traversal.Plan) {
			if !r.spent(1 + len(up)) {
				r.visit(c, append(slices.Clone(up), level{p, i}))
			}
		})
	}
}

// own goes through p from its end: a node keeps what the nodes behind it look up. It
// returns all labels that p looks up.
func (r *retraction) own(p *traversal.Plan, up []level) labelSet {
	found := labelSet{}
	var match labelSet // what the match() keeps whose pattern p is
	if len(up) > 0 {
		if parent := up[len(up)-1]; parent.plan.Nodes[parent.at].Name() == "match" {
			match = r.scope(parent.plan.Nodes[parent.at])
		}
	}
	for i := len(p.Nodes) - 1; i >= 0; i-- {
		n := p.Nodes[i]
		labels := r.scope(n)
		switch {
		case !trims(n) || n.Name() == "match" || match != nil && n.Name() == "select":
			// match() keeps all of its own labels, and select() within it trims nothing
		case match != nil:
			r.keep[n] = labelSet{}
			r.add(n, match)
		default:
			r.add(n, found)
			r.gather[n] = r.gathers && len(up) == 0 && n.Name() != "dedup" && (!ownBarrier(p, i+1) || endsOneBulk(p, i+1))
		}
		found.addAll(labels)
	}
	return found
}

// above makes the nodes before a parent, and everything below them, keep what the child
// looks up.
func (r *retraction) above(l level, found labelSet) {
	if len(found) == 0 {
		return
	}
	children := 0
	parent := l.plan.Nodes[l.at]
	parent.Children(func(*traversal.Plan) { children++ })
	if r.spent(children) {
		return
	}
	add := func(n *traversal.Node) { r.add(n, found) }
	if children > 1 {
		parent.Children(func(p *traversal.Plan) { r.walk(p, add) })
	}
	r.walk(&traversal.Plan{Nodes: l.plan.Nodes[:l.at]}, add)
}

func (r *retraction) add(n *traversal.Node, labels labelSet) {
	if !trims(n) || n.Name() == "match" || r.spent(1+len(labels)) {
		return
	}
	if r.keep[n] == nil {
		r.keep[n] = labelSet{}
	}
	r.keep[n].addAll(labels)
}

// rewrite marks the nodes of p and its children and puts the barriers in.
func (r *retraction) rewrite(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	nodes := make([]*traversal.Node, 0, len(p.Nodes))
	for _, n := range p.Nodes {
		m, err := r.below(c, n)
		if err != nil {
			return nil, err
		}
		if keep := r.keep[n]; keep != nil {
			m = m.WithKeep(keep.list())
		}
		nodes = append(nodes, m)
		if r.gather[n] {
			b, err := c.barrier()
			if err != nil {
				return nil, err
			}
			nodes = append(nodes, b)
		}
	}
	return p.With(nodes), nil
}

// below rewrites the children of n, if any.
func (r *retraction) below(c *Context, n *traversal.Node) (*traversal.Node, error) {
	some := false
	n.Children(func(*traversal.Plan) { some = true })
	if !some {
		return n, nil
	}
	var failed error
	m, err := n.MapChildren(func(p *traversal.Plan) *traversal.Plan {
		q, err := r.rewrite(c, p)
		if err != nil {
			failed = err
			return p
		}
		return q
	})
	if failed != nil {
		return nil, failed
	}
	return m, err
}
