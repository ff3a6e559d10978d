package match

import (
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/traversal"
)

// patternKind is the order in which patterns are preferred.
type patternKind uint8

const (
	patternPredicate patternKind = iota // where(P)
	patternTest                         // where(traversal)
	patternWay                          // anything else
)

// pattern is one traversal of match().
type pattern struct {
	key      string // the label it starts from, "" for wherever the traverser is
	variable bool   // it began with as(key), not with where()
	end      string // the label it ends at, "" for none
	body     *traversal.Plan
	inner    *matchArgs // of and() and or(): the body begins with it
	kind     patternKind
	probed   bool     // a single hop, which need not run where both ends are bound
	local    bool     // it has a barrier, so that only its result continues the path
	needs    []string // labels that must be bound before it is tried
}

func newPattern(p *traversal.Plan) (*pattern, error) {
	if len(p.Nodes) == 0 {
		return nil, noStartLabel(p)
	}
	pt := &pattern{}
	nodes := p.Nodes
	switch first := nodes[0]; {
	case isConnective(first) && first.Name() == "not":
		w, err := notAsWhere(p, first)
		if err != nil {
			return nil, err
		}
		nodes = append([]*traversal.Node{w}, nodes[1:]...)
		pt.key = soleStart(w.Data.(*whereTest))
	case isConnective(first):
		var plans []*traversal.Plan
		for i := range first.Args {
			plans = append(plans, first.Child(i))
		}
		var err error
		if pt.inner, err = newMatch(plans, first.Name() == "or"); err != nil {
			return nil, err
		}
		m := &traversal.Node{Spec: &innerMatchSpec, Data: pt.inner}
		nodes = append([]*traversal.Node{m}, nodes[1:]...)
	case isVariableStart(first):
		pt.key, pt.variable = first.Labels[0], true
		nodes = nodes[1:]
	default:
		switch w := first.Data.(type) {
		case *whereP:
			pt.key = w.start
		case *whereTest:
			if w.plain() {
				return nil, noStartLabel(p)
			}
			pt.key = soleStart(w)
		default:
			return nil, noStartLabel(p)
		}
	}
	if err := pt.takeEnd(p, nodes); err != nil {
		return nil, err
	}
	pt.classify()
	return pt, nil
}

func noStartLabel(p *traversal.Plan) error {
	return fmt.Errorf("All match()-traversals must have a single start label (i.e. variable): %s", traversal.Brief(p))
}

// notAsWhere turns a pattern's not() into where(not()).
func notAsWhere(p *traversal.Plan, not *traversal.Node) (*traversal.Node, error) {
	child := p.With([]*traversal.Node{not})
	n := &traversal.Node{Spec: &Where, Args: []traversal.Arg{traversal.Sub(child)}}
	if err := prepareWhere(n); err != nil {
		return nil, err
	}
	if n.Data.(*whereTest).plain() {
		return nil, fmt.Errorf("A where()-traversal must have at least a start or end label (i.e. variable): %s", traversal.Brief(child))
	}
	return n, nil
}

// soleStart is the only label at which a where() starts; "" when there are several.
func soleStart(w *whereTest) string {
	var starts distinct
	w.labels(&starts, nil)
	if len(starts.list) != 1 {
		return ""
	}
	return starts.list[0]
}

// labels collects the labels at which a where() and its parts start and end.
func (w *whereTest) labels(starts, ends *distinct) {
	put := func(list *distinct, l string) {
		if list != nil && l != "" {
			list.add(l)
		}
	}
	put(starts, w.from)
	put(ends, w.to)
	for _, p := range w.parts {
		p.labels(starts, ends)
	}
}

// ends are the labels at which a where() and its parts start or end.
func (w *whereTest) ends() []string {
	var keys distinct
	w.labels(&keys, &keys)
	return keys.list
}

// takeEnd takes the label off the pattern's last step.
func (pt *pattern) takeEnd(p *traversal.Plan, nodes []*traversal.Node) error {
	if n := len(nodes); n > 0 && len(nodes[n-1].Labels) > 0 {
		last := nodes[n-1]
		if len(last.Labels) > 1 {
			return fmt.Errorf("The end step of a match()-traversal can have at most one label: %s", traversal.Brief(last))
		}
		pt.end = last.Labels[0]
		nodes = append(slices.Clone(nodes[:n-1]), last.WithLabels(nil))
	}
	pt.body = p.With(nodes)
	return nil
}

func (pt *pattern) classify() {
	pt.kind = patternWay
	for i, n := range pt.body.Nodes {
		if step.IsBarrier(n) && n.Name() != "barrier" {
			pt.local = true
		}
		if i > 0 || n.Name() != "where" {
			continue
		}
		switch w := n.Data.(type) {
		case *whereP:
			pt.kind = patternPredicate
		case *whereTest:
			if !w.plain() {
				pt.kind = patternTest
			}
		}
	}
	if pt.local {
		pt.kind = patternWay
	}
}

// require finds what must be bound first: the start, and what where() steps inside
// compare with if other patterns of m bind it. A nested and() or or() waits for its
// start too if another pattern deals with that label; the reference tries it at once
// and fails.
func (pt *pattern) require(m *matchArgs) {
	ends := m.ends
	if pt.inner != nil {
		pt.needs = pt.inner.scopeKeys()
		first := pt.inner.first
		if slices.ContainsFunc(m.patterns, func(o *pattern) bool { return o != pt && (o.key == first || o.end == first) }) {
			pt.needs = append(pt.needs, first)
		}
		return
	}
	if pt.key != "" {
		pt.needs = []string{pt.key}
	}
	pt.body.Walk(func(n *traversal.Node) {
		var keys []string
		switch w := n.Data.(type) {
		case *whereP:
			keys = w.keys()
		case *whereTest:
			keys = w.ends()
		}
		for _, k := range keys {
			if slices.Contains(ends, k) && !slices.Contains(pt.needs, k) {
				pt.needs = append(pt.needs, k)
			}
		}
	})
}

// keys are the labels that a where(P) looks at.
func (w *whereP) keys() []string {
	var keys []string
	if w.on {
		keys = append(keys, w.start)
	}
	var visit func(p *traversal.P)
	visit = func(p *traversal.P) {
		if p.Name == "and" || p.Name == "or" || p.Name == "not" {
			for _, a := range p.Args {
				visit(step.Predicate(a))
			}
			return
		}
		if l, err := whereLabel(p); err == nil {
			keys = append(keys, l)
		}
	}
	visit(w.p)
	return keys
}

// String prints a pattern as explain() shows it.
func (pt *pattern) String() string {
	s := "["
	if pt.inner == nil {
		s += "MatchStartStep(" + orNull(pt.key) + "), "
	}
	for _, n := range pt.body.Nodes {
		s += n.String() + ", "
	}
	return s + "MatchEndStep(" + orNull(pt.end) + ")]"
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return s
}
