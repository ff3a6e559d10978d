package match

import (
	"slices"

	"github.com/gremlind/gremlind/traversal"
)

// choose picks the pattern that t tries next.
func (s *matcher) choose(t *traversal.Traverser, done uint64) *try {
	var way *try
	for _, y := range s.tries {
		if done&y.bit != 0 || !allBound(t, y.needs) {
			continue
		}
		if y.kind != patternWay || y.end != "" && hasLabel(t, y.end) {
			return y
		}
		if way == nil {
			way = y
		}
	}
	return way
}

func allBound(t *traversal.Traverser, labels []string) bool {
	for _, l := range labels {
		if !hasLabel(t, l) {
			return false
		}
	}
	return true
}

func hasLabel(t *traversal.Traverser, label string) bool {
	_, ok := t.History().Last(label)
	return ok
}

const (
	sortAlways = 200 // results up to which the patterns are sorted each time
	sortEvery  = 250 // and how often afterwards
)

// ended counts a result and sorts the patterns by kind and by how much they multiply.
func (s *matcher) ended(y *try) {
	y.ends++
	y.multiplicity = y.ends / y.starts // endless for and() and or(): they come last
	if s.results < sortAlways || s.results%sortEvery == 0 {
		slices.SortStableFunc(s.tries, func(a, b *try) int {
			if a.kind != b.kind {
				return int(a.kind) - int(b.kind)
			}
			switch ma, mb := a.multiplicity, b.multiplicity; {
			case ma < mb:
				return -1
			case ma > mb:
				return 1
			}
			return 0
		})
	}
	s.results++
}
