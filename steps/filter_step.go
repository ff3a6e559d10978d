package steps

import "github.com/gremlind/gremlind/traversal"

type test = traversal.Predicate

// filtered completes the Spec of a step that is nothing but a test, so that it is a
// function in child traversals.
func filtered(s traversal.Spec, open func(*traversal.Node, *traversal.Run) (test, error)) traversal.Spec {
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
