package steps

import "github.com/gremlind/gremlind/traversal"

// discard() lets nothing through: what comes before runs for its effects only.
var discardSpec = traversal.Spec{
	Name: "discard", Class: "DiscardStep", Kind: traversal.FilterStep,
	Doc:  "Lets nothing through.",
	Open: openDiscard,
}

func openDiscard(_ *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	return r.Filter(up, func(*traversal.Traverser) (bool, error) { return false, nil }), nil
}
