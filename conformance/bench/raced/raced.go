// Package raced lets tests that try many cases one behind the other do less: under the race
// detector, which makes each of them slow and looks for what happens beside each other, and
// where everybody waits for them.
package raced

import "os"

// Detector reports whether the race detector is on, which makes everything about ten times as
// slow: bounds of processor time do not fit then.
func Detector() bool { return detector }

// Skips reports whether the i-th case is left out: none is without the race detector, and
// with it all but every n-th.
func Skips(i, n int) bool { return detector && i%n != 0 }

// Times is how often something is done that is done n times without the race detector: with it
// a part-th as often, and once at least.
func Times(n, part int) int {
	if detector {
		return max(1, n/part)
	}
	return n
}

// Leaves reports whether the i-th case is left to WHOLE=1, with which make whole runs all tests
// that ask here, and make hostile, make crash, make time and make differential theirs: of n cases
// that look for the same fault in the same code, a plain run tries one. The race detector has its
// share by Skips.
func Leaves(i, n int) bool { return !detector && !whole && i%n != 0 }

// Part is how often something is done that is done n times with WHOLE=1, of many times that look
// for the same fault: in a plain run a part-th as often, and once at least. The race detector has
// its share by Times.
func Part(n, part int) int {
	if detector || whole {
		return n
	}
	return max(1, n/part)
}

// Elsewhere reports whether what another package's tests run too, over the same code and the same
// data, is left to them: in a plain run, which runs those. WHOLE=1 runs it everywhere, and so
// does ALONE=1, with which make mutants looks at what the tests of one package see.
func Elsewhere() bool { return !detector && !whole && os.Getenv("ALONE") == "" }

var whole = os.Getenv("WHOLE") != ""
