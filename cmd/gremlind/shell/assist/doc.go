// Package assist is a Model Context Protocol server: it lets an assistant look at a graph.
//
// Its tools are schema, query and explain. Each call has a connection of its own out of a
// few, so that one that is cancelled takes no other with it.
//
// Unless writing is allowed a query is one traversal of gremlin-lang. It is parsed and
// compiled here (readOnly), refused when a step of its plan may do more than read, and
// what is sent is the parsed traversal written anew behind ReadOnlyStrategy, in the
// language that can say traversals alone: the text that came is never evaluated.
package assist
