//go:build race

package script

// The race detector slows code down, and has pools forget at random what they hold: a
// regular expression then takes its room anew for each match, which says nothing.
const (
	slowdown  = 20
	poolsKeep = false
)
