// Package differential compares ways to run a traversal that must give the same. A
// generator makes the traversals of every step that is registered; each runs
//
//   - with all strategies, without each of them, without any, in batches of any size, and
//     from a plan that was made for other constants;
//   - with and without a row cache, under each isolation, and over changes that its
//     transaction has made itself, beside a graph on which they were committed;
//   - as a script with closures, in a session and outside of one;
//   - under SubgraphStrategy and PartitionStrategy in place of a graph that lacks what they
//     hide, and under ReadOnlyStrategy.
//
// Results are compared with their types, and in order where a traversal orders; the insides
// of lists in order unless they were gathered from traversers. SEED chooses other traversals:
//
//	make differential SEED=n
//	make differential SEED=n REFERENCE=ws://127.0.0.1:8182/gremlin
//
// The second sends them to a real Gremlin Server too. It needs the sources gmodern, gcrew
// and gsink, with TinkerPop's samples, id managers INTEGER, INTEGER and LONG, and g, over a
// graph that it fills and empties. Left out are traversals whose results depend on an order
// that nobody promises; known_test.go lists the differences that are meant.
package differential
