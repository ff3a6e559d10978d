package main

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

const (
	strategyPackage         = "org.apache.tinkerpop.gremlin.process.traversal.strategy."
	computerStrategyPackage = "org.apache.tinkerpop.gremlin.process.computer.traversal.strategy."
)

// strategyFolders say in which Java package a strategy lives; the rest are
// optimizations.
var strategyFolders = map[string]string{
	strategyPackage + "decoration.": "ConnectiveStrategy ElementIdStrategy HaltedTraverserStrategy OptionsStrategy PartitionStrategy " +
		"RequirementsStrategy SackStrategy SeedStrategy SideEffectStrategy SubgraphStrategy RemoteStrategy EventStrategy",
	strategyPackage + "finalization.": "MatchAlgorithmStrategy ProfileStrategy ReferenceElementStrategy",
	strategyPackage + "verification.": "ComputerVerificationStrategy EdgeLabelVerificationStrategy LambdaRestrictionStrategy ReadOnlyStrategy " +
		"ReservedKeysVerificationStrategy StandardVerificationStrategy",
	computerStrategyPackage + "decoration.":   "VertexProgramStrategy",
	computerStrategyPackage + "finalization.": "ComputerFinalizationStrategy",
	computerStrategyPackage + "optimization.": "GraphFilterStrategy MessagePassingReductionStrategy",
	computerStrategyPackage + "verification.": "VertexProgramRestrictionStrategy",
}

// qualify gives strategies their Java class names, as drivers send them; text has
// only simple names.
func qualify(source []traversal.Instruction) []traversal.Instruction {
	out := make([]traversal.Instruction, len(source))
	for i, in := range source {
		out[i] = traversal.Instruction{Name: in.Name, Args: append([]value.Value{}, in.Args...)}
		for j, a := range in.Args {
			switch s := a.Object().(type) {
			case *traversal.StrategySpec:
				out[i].Args[j] = value.Object(value.KindStrategy, &traversal.StrategySpec{Class: javaClass(s.Class), Config: s.Config})
			default:
				if a.Kind() == value.KindClass {
					out[i].Args[j] = value.Class(javaClass(a.Str()))
				}
			}
		}
	}
	return out
}

func javaClass(simple string) string {
	if strings.Contains(simple, ".") {
		return simple
	}
	for folder, names := range strategyFolders {
		for _, n := range strings.Fields(names) {
			if n == simple {
				return folder + simple
			}
		}
	}
	return strategyPackage + "optimization." + simple
}
