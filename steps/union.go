package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// union() sends each traverser into all of its traversals.
//
//	V().union(out(), in())
//	union(V().has("name", "vadas"), V().has("software", "name", "lop"))  begins with both
//
// The traversals are global: V().union(limit(1), count()) gives one vertex and the
// number of all.
var unionSpec = traversal.Spec{
	Name: "union", Class: "UnionStep", Kind: traversal.BranchStep, Start: true,
	HoldsChildren: true,
	Doc:           "Sends each traverser into all of its traversals.",
	Prepare:       prepareUnion, Open: openUnion,
}

func prepareUnion(n *traversal.Node) error {
	if err := step.PrepareChildren(0, -1)(n); err != nil {
		return err
	}
	for i := range n.Args {
		global(n.Child(i))
	}
	return nil
}

func openUnion(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	plans := make([]*traversal.Plan, len(n.Args))
	for i := range n.Args {
		plans[i] = n.Child(i)
	}
	branches, barrier, err := openBranches(r, plans)
	if err != nil {
		return nil, err
	}
	starting := up == nil
	if starting {
		up = step.Once(r, unionStarter)
	}
	s := &brancher{r: r, in: r.Input(up), branches: branches, barrier: barrier}
	s.pick = func(t *traversal.Traverser) error {
		for _, br := range branches {
			br.send(t)
		}
		return nil
	}
	if !starting {
		return s, nil
	}
	return r.Filter(s, func(t *traversal.Traverser) (bool, error) {
		_, is := t.Object().(starter)
		return !is, nil
	}), nil
}

// starter is the object of the traverser that begins a union(): it is for the steps
// inside to replace, and never comes out.
type starter struct{}

var unionStarter = value.Object(value.KindForeign, starter{})
