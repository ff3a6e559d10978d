package complete

import "slices"

// Vocabulary is what may be proposed whatever the graph is.
type Vocabulary struct {
	Start, Inner []Candidate // behind a source and behind a step
	Predicates   []Candidate
	Enums        map[string][]Candidate // by class
}

// Vocabulary returns what the Completer was made with.
func (c *Completer) Vocabulary() Vocabulary {
	return Vocabulary{
		Start: slices.Concat(c.start, sourceSteps), Inner: slices.Concat(c.inner, terminals), Predicates: c.predicates, Enums: c.enums,
	}
}
