package steps

import "github.com/gremlind/gremlind/traversal"

// identity() lets every traverser through unchanged.
var identitySpec = traversal.Spec{
	Name:  "identity",
	Class: "IdentityStep",
	Kind:  traversal.MapStep,
	Doc:   "Lets every traverser through unchanged.",
	Open:  openIdentity,
}

// ~start stands at the head of __.as("a"): it gives the label something to name.
var startSpec = traversal.Spec{
	Name:  "~start",
	Doc:   "Stands where a nested traversal begins.",
	Class: "StartStep",
	Kind:  traversal.MapStep,
	Open:  openIdentity,
}

func openIdentity(_ *traversal.Node, _ *traversal.Run, up traversal.Source) (traversal.Source, error) {
	return up, nil
}
