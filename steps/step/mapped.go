package step

import (
	"github.com/gremlind/gremlind/traversal"
)

// Mapped completes the Spec of a step that replaces each object by a function of
// the traverser, alone or as the only step of a child traversal.
func Mapped(s traversal.Spec, open func(n *traversal.Node, r *traversal.Run) (traversal.Func, error)) traversal.Spec {
	s.Kind = traversal.MapStep
	s.Open = func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		f, err := open(n, r)
		if err != nil {
			return nil, err
		}
		return r.Map(up, f), nil
	}
	s.Direct = open
	return s
}

// Filtered completes the Spec of a step that is nothing but a test, so that it is a
// function in child traversals.
func Filtered(s traversal.Spec, open func(*traversal.Node, *traversal.Run) (traversal.Predicate, error)) traversal.Spec {
	s.Kind, s.Test = traversal.FilterStep, open
	s.Open = func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		passes, err := open(n, r)
		if err != nil {
			return nil, err
		}
		return r.Filter(up, passes), nil
	}
	return s
}
