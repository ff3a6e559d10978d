package machine

import (
	"maps"
	"slices"
	"strings"
)

// packagesOf are the packages of classes that scripts name and no value is of, with the
// simple names behind each. Recorded from the reference.
var packagesOf = map[string]string{
	"java.lang.":                               "Math Thread System StringBuilder StringBuffer Object Number Exception Throwable Error Comparable CharSequence Iterable Class Character ArithmeticException ClassCastException IllegalArgumentException IllegalStateException IndexOutOfBoundsException NullPointerException NumberFormatException RuntimeException SecurityException StringIndexOutOfBoundsException UnsupportedOperationException InterruptedException CloneNotSupportedException ArrayIndexOutOfBoundsException NegativeArraySizeException",
	"java.util.":                               "Arrays Collections Random Comparator Objects Iterator Optional TreeMap LinkedList HashMap LinkedHashMap Map List ArrayList Set HashSet LinkedHashSet Collection NoSuchElementException ConcurrentModificationException MissingFormatArgumentException UnknownFormatConversionException",
	"java.util.stream.":                        "Collectors Stream IntStream",
	"java.util.regex.":                         "Pattern Matcher",
	"java.util.concurrent.":                    "TimeUnit TimeoutException",
	"java.time.temporal.":                      "ChronoUnit",
	"java.io.":                                 "IOException FileNotFoundException UncheckedIOException",
	"groovy.lang.":                             "Closure GString MissingPropertyException MissingMethodException ReadOnlyPropertyException",
	gremlinPackage + "process.traversal.":      "AnonymousTraversalSource SackFunctions Traversal Traverser TextP IO",
	gremlinPackage + "process.traversal.step.": "TraversalOptionParent",
	gremlinPackage + "process.traversal.step.util.":                         "WithOptions",
	gremlinPackage + "process.traversal.dsl.graph.":                         "__ GraphTraversal GraphTraversalSource",
	gremlinPackage + "process.traversal.translator.":                        "GroovyTranslator",
	gremlinPackage + "process.computer.traversal.step.map.":                 "PageRank PeerPressure ShortestPath ConnectedComponent",
	gremlinPackage + "process.computer.traversal.":                          "TraversalVertexProgram",
	gremlinPackage + "process.computer.ranking.pagerank.":                   "PageRankVertexProgram",
	gremlinPackage + "process.computer.clustering.peerpressure.":            "PeerPressureVertexProgram",
	gremlinPackage + "process.computer.clustering.connected.":               "ConnectedComponentVertexProgram",
	gremlinPackage + "process.computer.search.path.":                        "ShortestPathVertexProgram",
	gremlinPackage + "structure.":                                           "Graph Element",
	gremlinPackage + "structure.io.graphson.":                               "GraphSONVersion GraphSONMapper GraphSONWriter GraphSONReader",
	gremlinPackage + "structure.io.gryo.":                                   "GryoVersion GryoMapper GryoWriter GryoReader",
	gremlinPackage + "structure.io.graphml.":                                "GraphMLWriter GraphMLReader",
	gremlinPackage + "tinkergraph.structure.":                               "TinkerGraph TinkerFactory",
	gremlinPackage + "util.":                                                "Gremlin DatetimeHelper",
	gremlinPackage + "util.function.":                                       "Lambda",
	gremlinPackage + "process.traversal.strategy.decoration.":               "ConnectiveStrategy ElementIdStrategy EventStrategy HaltedTraverserStrategy OptionsStrategy PartitionStrategy RequirementsStrategy SackStrategy SeedStrategy SideEffectStrategy SubgraphStrategy",
	gremlinPackage + "process.traversal.strategy.finalization.":             "ComputerFinalizationStrategy MatchAlgorithmStrategy ProfileStrategy ReferenceElementStrategy",
	gremlinPackage + "process.traversal.strategy.verification.":             "ComputerVerificationStrategy EdgeLabelVerificationStrategy LambdaRestrictionStrategy ReadOnlyStrategy ReservedKeysVerificationStrategy StandardVerificationStrategy VertexProgramRestrictionStrategy",
	gremlinPackage + "process.traversal.strategy.optimization.":             "AdjacentToIncidentStrategy ByModulatorOptimizationStrategy CountStrategy EarlyLimitStrategy FilterRankingStrategy GValueReductionStrategy IdentityRemovalStrategy IncidentToAdjacentStrategy InlineFilterStrategy LazyBarrierStrategy MatchPredicateStrategy OrderLimitStrategy PathProcessorStrategy PathRetractionStrategy ProductiveByStrategy RepeatUnrollStrategy",
	gremlinPackage + "process.computer.traversal.strategy.decoration.":      "VertexProgramStrategy",
	gremlinPackage + "process.computer.traversal.strategy.optimization.":    "GraphFilterStrategy MessagePassingReductionStrategy",
	gremlinPackage + "tinkergraph.process.traversal.strategy.optimization.": "TinkerGraphCountStrategy TinkerGraphStepStrategy",
}

const gremlinPackage = "org.apache.tinkerpop.gremlin."

// ClassNames are the names of classes without their packages.
func ClassNames() []string { return slices.Collect(maps.Keys(fullNames)) }

// fullNames are the names of those classes with their packages.
var fullNames = fullNamesOf(packagesOf)

func fullNamesOf(packages map[string]string) map[string]string {
	full := map[string]string{}
	for pack, names := range packages {
		for _, name := range strings.Fields(names) {
			full[name] = pack + name
		}
	}
	return full
}
