// Package graphs is the graph as scripts see it: sources and traversals that are built step
// by step and drained by next(), toList() and iterate(), elements, graph.addVertex() and its
// like, variables, features, transactions, graph computers, and graphs that scripts open.
// Everything that touches data goes to the host.
package graphs
