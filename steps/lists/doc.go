// Package lists holds the steps that join the traverser's collection with another one:
// combine(), merge(), conjoin() and the operations of sets. What the other collection is,
// and what is refused as one, is said once, in op.go.
package lists
