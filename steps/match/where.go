package match

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// where() keeps traversers by comparing what labels stand for, or by a traversal.
//
//	where(P.neq("a"))               the object is not what "a" stands for
//	where("b", P.gt("a")).by("age") b's age is greater than a's
//	where(out("knows"))             as filter()
//	where(as("a").out().as("b"))    from a one gets to b
//
// by() modulators go round: first the left side, then each label of the predicate.
var Where = traversal.Spec{
	Name: "where", Class: "WherePredicateStep", Kind: traversal.FilterStep, MaxBy: -1, HoldsChildren: true,
	NeedsOf: whereNeeds, Scope: whereScope,
	Doc:     "Keeps traversers by what labels stand for, or by a traversal.",
	Prepare: prepareWhere, Open: openWhere, Print: printWhere,
}

// whereP is the Data of where(P) and where(label, P).
type whereP struct {
	start string // "" for the object itself
	on    bool   // start is set
	p     *traversal.P
}

func prepareWhere(n *traversal.Node) error {
	if len(n.Args) == 1 && n.Child(0) != nil {
		if old, ok := n.Data.(*whereTest); ok && old.plain() && !old.pending {
			// no strategy makes a label out of what was none
			n.Data = &whereTest{body: n.Child(0)}
			return nil
		}
		w, err := newWhereTest(n.Child(0))
		w.pending = hasInfix(n.Child(0))
		n.Data = w
		if err == nil && !w.plain() && !w.pending {
			if len(w.ends()) == 0 {
				return step.IllegalArgument("A where()-traversal must have at least a start or end label (i.e. variable): %s", n.Child(0))
			}
		}
		return err
	}
	w := &whereP{}
	p := n.Value(0)
	if len(n.Args) == 2 {
		start, err := step.TextArg(n, 0)
		if err != nil {
			return err
		}
		w.start, w.on, p = start, true, n.Value(1)
	}
	if p.Kind() != value.KindP || len(n.Args) > 2 {
		return fmt.Errorf("where() takes a traversal, a predicate, or a label and a predicate")
	}
	w.p = step.Predicate(p).Spread() // each label has a by() of its own
	n.Data = w
	return nil
}

func whereNeeds(n *traversal.Node) traversal.Needs {
	if w, ok := n.Data.(*whereTest); ok && w.plain() {
		return 0
	}
	return traversal.NeedLabelledPath
}

func whereScope(n *traversal.Node) ([]string, bool) {
	switch w := n.Data.(type) {
	case *whereP:
		return w.keys(), true
	case *whereTest:
		return w.ends(), !w.plain()
	}
	return nil, false
}

func printWhere(n *traversal.Node) string {
	if w, ok := n.Data.(*whereP); ok {
		start := "null"
		if w.on {
			start = w.start
		}
		return "WherePredicateStep(" + start + "," + w.p.Value().JavaString() + step.PrintBy(n) + ")"
	}
	w := n.Data.(*whereTest)
	if w.plain() {
		return "TraversalFilterStep(" + n.Child(0).String() + ")"
	}
	return "WhereTraversalStep(" + w.String() + ")"
}

func openWhere(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	if w, ok := n.Data.(*whereTest); ok {
		t, err := w.open(r, n)
		if err != nil {
			return nil, err
		}
		return r.Filter(up, t), nil
	}
	by, err := step.OpenRing(n, r)
	if err != nil {
		return nil, err
	}
	w := &wherePredicate{r: r, n: n, w: n.Data.(*whereP), by: by}
	return r.Filter(up, w.test), nil
}

// wherePredicate is a running where(P).
type wherePredicate struct {
	r  *traversal.Run
	n  *traversal.Node
	w  *whereP
	by step.Ring
}

func (s *wherePredicate) test(t *traversal.Traverser) (bool, error) {
	left, ok, err := s.left(t)
	if err != nil {
		return false, err
	}
	at := 1 // of the ring: the left side had the first by()
	p, productive, err := s.bind(s.w.p, t, &at)
	if err != nil || !ok || !productive {
		return false, err
	}
	return p(left)
}

func (s *wherePredicate) left(t *traversal.Traverser) (value.Value, bool, error) {
	if !s.w.on {
		return s.by.At(0)(t)
	}
	v, err := step.SafeScopeValue(s.r, s.n, t, s.w.start)
	if err != nil {
		return v, false, err
	}
	return step.Projected(s.r, s.by.At(0), v)
}

// bind replaces the labels of a predicate by what they stand for.
func (s *wherePredicate) bind(p *traversal.P, t *traversal.Traverser, at *int) (traversal.Test, bool, error) {
	if p.Name == "and" || p.Name == "or" {
		var tests []traversal.Test
		for _, a := range p.Args {
			test, ok, err := s.bind(step.Predicate(a), t, at)
			if err != nil || !ok {
				return nil, false, err
			}
			tests = append(tests, test)
		}
		return connect(tests, p.Name == "or"), true, nil
	}
	if p.Name == "not" && len(p.Args) == 1 && p.Args[0].Kind() == value.KindP {
		test, ok, err := s.bind(step.Predicate(p.Args[0]), t, at)
		return traversal.Not(test), ok, err
	}
	label, err := whereLabel(p)
	if err != nil {
		return nil, false, err
	}
	v, err := step.SafeScopeValue(s.r, s.n, t, label)
	if err != nil {
		return nil, false, err
	}
	v, ok, err := step.Projected(s.r, s.by.At(*at), v)
	*at++
	if err != nil || !ok {
		return nil, false, err
	}
	test, err := bound(s.r, p, v)
	return test, true, err
}
