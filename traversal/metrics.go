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

// ExplainedStrategy is the plan after one strategy, as step strings.
type ExplainedStrategy struct {
	Strategy  string
	Category  string // one letter: D, O, P, F, V
	Traversal []string
}
