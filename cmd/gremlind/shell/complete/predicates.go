package complete

import (
	"slices"

	"github.com/gremlind/gremlind/traversal/lang"
)

// predicateDocs say in a line what a predicate lets through.
var predicateDocs = map[string]string{
	"between":         "between(a, b): a or more, and less than b.",
	"eq":              "eq(a): equal to a.",
	"gt":              "gt(a): more than a.",
	"gte":             "gte(a): a or more.",
	"inside":          "inside(a, b): more than a, and less than b.",
	"lt":              "lt(a): less than a.",
	"lte":             "lte(a): a or less.",
	"neq":             "neq(a): not equal to a.",
	"not":             "not(p): what the predicate p does not let through.",
	"outside":         "outside(a, b): less than a, or more than b.",
	"typeOf":          "typeOf(GType.INT): of that type.",
	"within":          "within(a, b, ...): equal to one of them.",
	"without":         "without(a, b, ...): equal to none of them.",
	"containing":      "containing('x'): a text that holds x.",
	"endingWith":      "endingWith('x'): a text that ends in x.",
	"notContaining":   "notContaining('x'): a text that does not hold x.",
	"notEndingWith":   "notEndingWith('x'): a text that does not end in x.",
	"notRegex":        "notRegex('x.*y'): a text in which the regular expression is not found.",
	"notStartingWith": "notStartingWith('x'): a text that does not begin with x.",
	"regex":           "regex('x.*y'): a text in which the regular expression is found.",
	"startingWith":    "startingWith('x'): a text that begins with x.",
}

// Predicate says what a predicate lets through, and which class it is of; "" for none.
func Predicate(name string) (class, doc string) {
	for _, class := range []string{"P", "TextP"} {
		if slices.Contains(lang.PredicateNames(class), name) {
			return class, predicateDocs[name]
		}
	}
	return "", ""
}

// predicates are those of P or TextP, in order.
func predicates(class string) []Candidate {
	var out []Candidate
	for _, name := range slices.Sorted(slices.Values(lang.PredicateNames(class))) {
		out = append(out, Candidate{Text: name, Doc: predicateDocs[name], Kind: "predicates"})
	}
	return out
}
