package differential_test

import "regexp"

// difference is one from the reference that is meant, or that no definition forbids.
type difference struct {
	reason string
	// All of these must be found.
	query, have, want *regexp.Regexp
}

func (d difference) is(query, have, want string) bool {
	for _, p := range []struct {
		re   *regexp.Regexp
		text string
	}{{d.query, query}, {d.have, have}, {d.want, want}} {
		if p.re != nil && !p.re.MatchString(p.text) {
			return false
		}
	}
	return true
}

// known are the differences that docs/compatibility.md has under "On purpose", and orders of
// Java's hash tables that show.
var known = []difference{}
