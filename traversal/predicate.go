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

// Spread returns inside, outside and between as the connective of two comparisons that
// each is in TinkerPop, at every depth; other predicates as they are.
func (p *P) Spread() *P {
	pair := func(name, first, second string) *P {
		args := p.Members()
		if len(args) != 2 {
			return p
		}
		one, two := &P{Name: first, Args: args[:1]}, &P{Name: second, Args: args[1:]}
		return &P{Name: name, Args: []value.Value{one.Value(), two.Value()}}
	}
	switch p.Name {
	case "between":
		return pair("and", "gte", "lt")
	case "inside":
		return pair("and", "gt", "lt")
	case "outside":
		return pair("or", "lt", "gt")
	case "and", "or", "not":
		q := &P{Name: p.Name, Text: p.Text}
		for _, a := range p.Args {
			if inner, ok := a.Object().(*P); ok {
				a = inner.Spread().Value()
			}
			q.Args = append(q.Args, a)
		}
		return q
	}
	return p
}

// Value wraps p as an argument.
func (p *P) Value() value.Value { return value.Object(value.KindP, p) }
