// Package differential compares ways to run a traversal that must give the same: with
// all strategies, without each of them, without any, in batches of any size, from a plan
// that was made for other constants, and under a filter in place of a smaller graph. A
// generator makes the traversals of every step that is registered.
package differential
