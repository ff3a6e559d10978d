package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

const pathSetMin = 24 // objects from which hashing beats comparing all pairs

// simple reports whether no object occurs twice.
func simple(p *traversal.PathNode) bool {
	n := 0
	for q := p; q != nil; q = q.Parent {
		n++
	}
	if n >= pathSetMin {
		seen := value.NewSet()
		for ; p != nil; p = p.Parent {
			if !seen.Add(p.Object) {
				return false
			}
		}
		return true
	}
	for ; p != nil; p = p.Parent {
		for q := p.Parent; q != nil; q = q.Parent {
			if value.Identical(p.Object, q.Object) {
				return false
			}
		}
	}
	return true
}

func openPathFilter(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	by, err := step.OpenRing(n, r)
	if err != nil {
		return nil, err
	}
	s := n.Data.(stretch)
	want := n.Name() == "simplePath"
	if len(by) == 0 && s == (stretch{}) {
		return r.Filter(up, func(t *traversal.Traverser) (bool, error) { return simple(t.History()) == want, nil }), nil
	}
	return r.Filter(up, func(t *traversal.Traverser) (bool, error) {
		p, ok, err := history(r, s, by, t)
		if err != nil || !ok {
			return false, err
		}
		return (value.NewSet(p.Objects...).Len() == len(p.Objects)) == want, nil
	}), nil
}
