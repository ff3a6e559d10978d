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
