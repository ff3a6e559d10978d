// Package raced lets tests that try many cases one behind the other do less under the race
// detector, which makes each of them slow and looks for what happens beside each other.
package raced

// Skips reports whether the i-th case is left out: none is without the race detector, and
// with it all but every n-th.
func Skips(i, n int) bool { return detector && i%n != 0 }
