// Command scripts measures gremlind by the statements that people read first: those of
// TinkerPop's reference documentation, recipes and tutorials, and of the book Practical
// Gremlin, each with the answer that a real Gremlin Server gave.
//
//	go run ./conformance/scripts                          plays all against gremlind
//	go run ./conformance/scripts -filter order -v         a part of it, differences in full
//	go run ./conformance/scripts -reference ws://host/gremlin -record -docs A -book B
//	go run ./conformance/scripts -reference ws://host/gremlin -again modern
//
// Recording reads the statements anew: A is the folder docs/src of apache/tinkerpop, B the
// folder book of krlawrence/graph. The server must have the graphs graph, modern, crew and
// airroutes with the sources g, gmodern, gcrew and gair; its graph named graph is emptied and
// filled, so nobody else may use it meanwhile.
//
// A block of a page is one session. Blocks that write, or that use the graph itself, get a
// graph of their own. misses.tsv lists the statements whose answers differ, each with its
// reason; what differs and is not listed fails the run, and so does what is listed and equal.
// With -again the blocks on a graph with a listed statement, or all, are asked anew.
//
// What is compared (rules.go, canon.go):
//
//   - Elements by id and label; those that a block made itself by label alone, in maps,
//     texts and id() too. The ids of vertex properties are not compared.
//   - Results and lists in any order unless a statement orders and does not walk on from
//     there; maps, sets and trees by what they hold. Long answers are kept as a count and
//     a digest.
//   - The number of results alone where chance or a clock decides, or a variable is used
//     that they decided; and on the air routes where a statement takes some of what is not
//     ordered yet. Where chance decides the number too, that there is an answer.
//   - Of explain() the traversal as it was built: strategies are each server's own. Texts
//     without the hash codes and numbers of objects and scripts.
//   - What the reference cannot write as GraphBinary (closures, sources, text with ${}) by
//     its text: the server is asked for texts then (serializeResultToString).
//
// Of 2,593 statements 2,575 (99.3 %) are answered as recorded. A server given by -url needs
// an ioDir; the one that is started here has an empty one.
package main
