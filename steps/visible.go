package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/traversal"
)

// ~visible keeps the elements that the guards of a plan show: what SubgraphStrategy and
// PartitionStrategy put behind steps where a criterion would not see what it asks for.
//
// Tolerates: everything, for it asks the guard about an element and has no effect.
var visibleSpec = step.Filtered(traversal.Spec{
	Name: "~visible", Class: "VisibleStep", Effects: traversal.ReadsGraph,
	Doc: "Keeps the elements that a subgraph or partition shows.",
}, func(_ *traversal.Node, r *traversal.Run) (traversal.Predicate, error) {
	return func(t *traversal.Traverser) (bool, error) { return r.Shows(t.Value) }, nil
})
