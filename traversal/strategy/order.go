package strategy

// order lists the strategies as they apply: categories in turn, and within one the
// order that the reference's dependencies give.
var order = []Strategy{
	// Decoration
	connective,
	partition,
	subgraph,
	graphFilter,
	// Optimization
	productiveBy,
	inlineFilter,
	filterRanking,
	countMatch,
	identityRemoval,
	incidentToAdjacent,
	adjacentToIncident,
	repeatUnroll,
	earlyLimit,
	orderLimit,
	unseenPath,
	pathRetraction,
	lazyBarrier,
	// Provider
	graphStep,
	indexOrder,
	edgeIndex,
	bulkCount,
	matchCount,
	degreeCount,
	pathWalk,
	matchProbe,
	programEdges,
	childFunction,
	// Verification
	readOnly,
	lambdaRestriction,
	edgeLabelVerification,
	reservedKeysVerification,
	standardVerification,
	vertexProgramRestriction,
}

// accepted names strategies of the reference that change nothing here: what they do
// for TinkerPop's engine is built into this one, or has no meaning outside the JVM.
var accepted = map[string]bool{
	"ByModulatorOptimizationStrategy": true, // by(values("k")) is a function, see ChildFunctionStrategy
	"ComputerFinalizationStrategy":    true,
	"ComputerVerificationStrategy":    true,
	"PathProcessorStrategy":           true,
	"ElementIdStrategy":               true, // user-supplied ids are native
	"EventStrategy":                   true,
	"GraphFilterStrategy":             true,
	"HaltedTraverserStrategy":         true, // results are detached at the wire
	"MatchAlgorithmStrategy":          true, // match() orders its patterns itself
	"MatchPredicateStrategy":          true,
	"MessagePassingReductionStrategy": true,
	"OptionsStrategy":                 true, // folded by the compiler
	"ProfileStrategy":                 true,
	"ReferenceElementStrategy":        true,
	"RequirementsStrategy":            true,
	"SackStrategy":                    true, // folded by the compiler
	"SeedStrategy":                    true, // read by the run
	"SideEffectStrategy":              true,
	"TinkerGraphCountStrategy":        true,
	"TinkerGraphStepStrategy":         true,
	"GValueReductionStrategy":         true,
	"ProviderGValueReductionStrategy": true,
}
