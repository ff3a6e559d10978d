package traversal

import (
	"slices"
	"strings"
)

// Suggestion is "; did you mean x?" for the name nearest to one that is unknown, "" when
// none is near. behind stands behind the name: "()" for what is called.
func Suggestion(name, behind string, known []string) string {
	if slices.Contains(known, name) {
		return "" // what is wrong is something else
	}
	if best := Nearest(name, known); best != "" {
		return "; did you mean " + best + behind + "?"
	}
	return ""
}

// Nearest returns the name that differs from a mistyped one in case only or in at most
// two letters, in one where both are short; "" when there is none.
func Nearest(name string, known []string) string {
	if len(name) > 40 {
		return ""
	}
	best, closest := "", 3
	for _, n := range known {
		d := distance(name, n)
		if strings.EqualFold(n, name) {
			d = 0
		} else if d >= slips(name, n) {
			continue
		}
		if d < closest || d == closest && n < best {
			best, closest = n, d
		}
	}
	return best
}

// slips is how many letters are too many to be a slip.
func slips(name, known string) int {
	switch {
	case len(name) < 2:
		return 0
	case max(len(name), len(known)) < 5:
		return 2
	}
	return 3
}

// distance is the number of letters to change, add, leave out or swap with their
// neighbour, at most 3.
func distance(a, b string) int {
	if len(a)-len(b) > 2 || len(b)-len(a) > 2 {
		return 3
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], 3)
}
