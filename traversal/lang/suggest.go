package lang

import (
	"sort"
	"strings"
)

// suggestion is "; did you mean x()?" for the name nearest to one that is unknown.
func suggestion(name string, known map[string]*method) string {
	names := make([]string, 0, len(known)+len(terminals))
	for n := range known {
		names = append(names, n)
	}
	for n := range terminals {
		names = append(names, n)
	}
	if best := Nearest(name, names); best != "" {
		return "; did you mean " + best + "()?"
	}
	return ""
}

// Nearest returns the name that differs from a mistyped one in case only or in at
// most two letters, "" when there is none.
func Nearest(name string, known []string) string {
	if len(name) > 40 {
		return ""
	}
	sort.Strings(known)
	best, least := "", 3
	for _, n := range known {
		if strings.EqualFold(n, name) {
			return n
		}
		if d := distance(name, n); d < least && d < len(name) {
			best, least = n, d
		}
	}
	return best
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
