package graphs

import "github.com/gremlind/gremlind/traversal/script/machine"

// Add adds the methods of graphs, elements, traversals and their results to the tables.
func Add(t *machine.Tables) {
	t.Elements.Add(elementMethods())
	t.Predicates.Add(machine.Methods{"test": {1, 1, predicateTest}, "getValue": {0, 0, predicateValue}})
	t.Trees.Add(moreTreeMethods())
	t.Traversals.Add(traversalMethods())
	t.Statics.Add(graphStatics(), sampleStatics(), programStatics(), ioStatics())
	t.Metrics.Add(metricsMethods())
	t.Explained.Add(explanationMethods())
	t.Graphs.Add(graphMethods())
	t.Variables.Add(variablesMethods())
	t.Configurations.Add(configurationMethods())
	t.Computers.Add(computerMethods())
	t.Results.Add(computerResultMethods())
	t.Memories.Add(memoryMethods())
	t.Effects.Add(sideEffectMethods())
	t.Calls.Add(machine.Methods{"traversal": {0, 0, anonymousTraversal}})
}
