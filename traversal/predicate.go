package traversal

import "github.com/gremlind/gremlind/storage/value"

// P is a predicate by name: eq, neq, lt, lte, gt, gte, inside, outside, between,
// within, without, and, or, not, typeOf; with Text set: containing, startingWith,
// endingWith, their negations, regex, notRegex. The arguments of and, or and not are
// predicates of kind value.KindP; within and without hold their list flattened.
type P struct {
	Name string
	Args []value.Value
	Text bool
}

// Value wraps p as an argument.
func (p *P) Value() value.Value { return value.Object(value.KindP, p) }
