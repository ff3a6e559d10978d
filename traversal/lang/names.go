package lang

import (
	"maps"
	"slices"
	"strings"
)

// What there is, for those who say which name was meant. Each call makes a new list.

// StepNames are what may follow a step: steps, and what ends a traversal.
func StepNames() []string { return named(steps, terminals) }

// SourceNames are what may follow a traversal source.
func SourceNames() []string { return append(named(spawns, sourceMethods), "tx") }

// PredicateNames are those of P or TextP; of both for "".
func PredicateNames(class string) []string {
	switch class {
	case "P":
		return append(named(predicates), "not")
	case "TextP":
		return named(textPredicates)
	}
	return append(named(predicates, textPredicates), "not")
}

// ConstantNames are those of a class, as asc of Order.
func ConstantNames(class string) []string {
	var out []string
	for name := range longConstants {
		if c, constant, _ := strings.Cut(name, "."); c == class {
			out = append(out, constant)
		}
	}
	return out
}

// ShortNames are the constants that need no class in front.
func ShortNames() []string { return slices.Collect(maps.Keys(shortConstants)) }

// ClassNames are the names that may stand before a dot.
func ClassNames() []string {
	return append(slices.Collect(maps.Keys(constantClasses)), "P", "TextP", "__")
}

func named(tables ...map[string]*method) []string {
	var out []string
	for _, t := range tables {
		out = slices.AppendSeq(out, maps.Keys(t))
	}
	return out
}

func namesOnce(names ...string) func() []string { return func() []string { return names } }
