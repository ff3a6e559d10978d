//go:build race

package main

// buildFlags are those of the built command: under the race detector it is watched too,
// and a race ends it with a failure.
var buildFlags = []string{"-race", "-tags", "invariants"}
