package methods

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// Negated is what a predicate's negation is in Java, which scripts can print: of what joins
// two predicates, the other junction of both negated. Clients send not() all the same.
func Negated(q *traversal.P) *traversal.P {
	switch q.Name {
	case "and", "or":
		return negatedJunction(otherJunction[q.Name], q.Args)
	case "between", "inside", "outside":
		if ends := bounds[q.Name]; len(q.Args) == 2 {
			var both [2]value.Value
			for i := range both {
				both[i] = (&traversal.P{Name: ends[i], Args: q.Args[i : i+1]}).Value()
			}
			return negatedJunction(ends[2], both[:])
		}
	}
	return lang.Negated(q)
}

// bounds are the predicates of both ends of a range, and what joins their negations.
var bounds = map[string][3]string{"between": {"gte", "lt", "or"}, "inside": {"gt", "lt", "or"}, "outside": {"lt", "gt", "and"}}

var otherJunction = map[string]string{"and": "or", "or": "and"}

// negatedJunction joins the negations of predicates.
func negatedJunction(name string, of []value.Value) *traversal.P {
	args := make([]value.Value, len(of))
	for i, v := range of {
		args[i] = v
		if q, ok := v.Object().(*traversal.P); ok {
			args[i] = Negated(q).Value()
		}
	}
	return &traversal.P{Name: name, Args: args}
}
