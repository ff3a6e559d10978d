package steps

import "github.com/gremlind/gremlind/traversal"

// Modulators belong to the step before them; the compiler folds them in. Which step
// takes which is declared by that step (traversal.Spec.MaxBy and Mods).
//
// to("label") modulates, to(Direction.OUT) is a step of its own: see hop.go.
var (
	asSpec     = modulator("as", "Labels the step before it.")
	bySpec     = modulator("by", "Says what the step before it projects, sorts or groups by.")
	fromSpec   = modulator("from", "Says where the edge or the path before it begins.")
	withSpec   = modulator("with", "Configures the step before it.")
	optionSpec = modulator("option", "Adds a branch to the step before it.")
	timesSpec  = modulator("times", "Says how often repeat() runs.")
	untilSpec  = modulator("until", "Says when repeat() ends.")
	emitSpec   = modulator("emit", "Says what repeat() gives on its way.")
	readSpec   = modulator("read", "Makes io() read.")
	writeSpec  = modulator("write", "Makes io() write.")
)

func modulator(name, doc string) traversal.Spec {
	return traversal.Spec{Name: name, Kind: traversal.ModulatorStep, Doc: doc}
}
