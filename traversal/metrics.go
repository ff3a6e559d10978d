package traversal

import "github.com/gremlind/gremlind/storage/value"

// Metrics is what profile() measured of one step.
type Metrics struct {
	ID, Name    string
	DurationNS  int64
	Counts      map[string]int64 // traverserCount, elementCount
	Annotations []Annotation
	Nested      []*Metrics
}

// Annotation is one remark of a step's metrics, in order.
type Annotation struct {
	Key   string
	Value value.Value
}

// TraversalMetrics is the result of profile().
type TraversalMetrics struct {
	DurationNS int64
	Metrics    []*Metrics
}

// Explanation is the result of explain().
type Explanation struct {
	Original     []string
	Intermediate []ExplainedStrategy
	Final        []string
	// Unknown are names that the traversal asks for and nothing in the graph has.
	Unknown []UnknownName
}

// UnknownName is a name that nothing in the graph has.
type UnknownName struct {
	// Kind is label, vertex label, edge label or property key.
	Kind, Name string
	// Nearest is the name that was meant; "" when none is near.
	Nearest string
}

// String is a sentence for a person.
func (u UnknownName) String() string {
	s := "Nothing in the graph has the " + u.Kind + " " + u.Name
	if u.Nearest != "" {
		s += "; did you mean " + u.Nearest + "?"
	}
	return s
}

// Bytes is about what x takes, what several strategies left as it was counted once.
func (x *Explanation) Bytes() int {
	const perText, perStrategy = 16, 64
	n := 0
	add := func(texts []string) {
		for _, s := range texts {
			n += perText + len(s)
		}
	}
	add(x.Original)
	add(x.Final)
	for _, u := range x.Unknown {
		n += perStrategy + len(u.Name) + len(u.Nearest)
	}
	for i, s := range x.Intermediate {
		n += perStrategy
		if i == 0 || len(s.Traversal) == 0 || &s.Traversal[0] != &x.Intermediate[i-1].Traversal[0] {
			add(s.Traversal)
		}
	}
	return n
}

// ExplainedStrategy is the plan after one strategy, as step strings.
type ExplainedStrategy struct {
	Strategy  string
	Category  string // one letter: D, O, P, F, V
	Traversal []string
}
