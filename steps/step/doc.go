// Package step holds what the steps of Gremlin are written with: how arguments are read and
// become operands, what by() and the labels of a scope mean, what Java's collections give,
// and the errors that clients know. The rooms of steps know this package, walk and the
// engine (traversal), and no other room but what docs/architecture.md draws.
//
//	args, operand   the arguments of a call, given as a value or as a traversal
//	by, scope       what by() makes of an object; what a label stands for
//	mapped          Specs of steps that are one function or one test
//	members         what a Java iterator over an object gives
//	barriers        which steps gather all traversers before they give any
//	errors, limits  what a step says when it cannot go on, and when it may not
package step
