package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// compareBytecode tells where ours differs from gremlin-go's, "" when nowhere. It
// overlooks what Go says in its own way: the width of a number written as a plain
// literal, the order of a map and of the side effects set up beside a scenario, a
// strategy where others name its class, whether a connective of predicates is a P or
// a TextP, and in a strategy's configuration a set where the text has a list and a
// false where the text is silent.
func compareBytecode(ours, theirs *traversal.Bytecode) string {
	if d := compareInstructions(sortSideEffects(ours.Source), sortSideEffects(theirs.Source)); d != "" {
		return "source " + d
	}
	return compareInstructions(ours.Steps, theirs.Steps)
}

func compareInstructions(ours, theirs []traversal.Instruction) string {
	for i := range min(len(ours), len(theirs)) {
		o, t := ours[i], theirs[i]
		if o.Name != t.Name || len(o.Args) != len(t.Args) {
			return fmt.Sprintf("%d: %s and not %s", i+1, printInstruction(o), printInstruction(t))
		}
		for j := range o.Args {
			if d := compareArguments(o.Args[j], t.Args[j]); d != "" {
				return fmt.Sprintf("%d %s: %s", i+1, o.Name, d)
			}
		}
	}
	if len(ours) != len(theirs) {
		return fmt.Sprintf("%d instructions and not %d", len(ours), len(theirs))
	}
	return ""
}

func printInstruction(i traversal.Instruction) string {
	parts := make([]string, len(i.Args))
	for j, a := range i.Args {
		parts[j] = fmt.Sprintf("%#v", a)
	}
	return i.Name + "(" + strings.Join(parts, ", ") + ")"
}

func compareArguments(ours, theirs value.Value) string {
	switch o := ours.Object().(type) {
	case *traversal.Bytecode:
		if t, ok := theirs.Object().(*traversal.Bytecode); ok {
			return compareBytecode(o, t)
		}
	case *traversal.P:
		t, ok := theirs.Object().(*traversal.P)
		if ok && t.Name == o.Name && (t.Text == o.Text || t.Name == "and" || t.Name == "or" || t.Name == "not") {
			return compareLists(o.Args, t.Args)
		}
	case *traversal.StrategySpec:
		if t, ok := theirs.Object().(*traversal.StrategySpec); ok && t.SimpleName() == o.SimpleName() {
			return compareMaps(plainConfig(o.Config), plainConfig(t.Config))
		}
	default:
		return compareValues(ours, theirs)
	}
	return fmt.Sprintf("%#v and not %#v", ours, theirs)
}

func compareValues(ours, theirs value.Value) string {
	ok := false
	strategy, _ := theirs.Object().(*traversal.StrategySpec)
	switch {
	case ours.Kind() == value.KindClass && strategy != nil:
		ok = strategy.Class == ours.Str()
	case ours.Kind().IsNumber() && theirs.Kind().IsNumber():
		ok = value.Equal(ours, theirs) || value.Identical(ours, theirs)
	case ours.Kind() != theirs.Kind():
	case ours.Kind() == value.KindList:
		return compareLists(ours.Elems(), theirs.Elems())
	case ours.Kind() == value.KindSet:
		return compareLists(ours.Set().Elems(), theirs.Set().Elems())
	case ours.Kind() == value.KindMap:
		return compareMaps(ours.Map(), theirs.Map())
	case ours.Kind().IsElement():
		return compareValues(elementID(ours), elementID(theirs))
	default:
		ok = value.Identical(ours, theirs)
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("%#v and not %#v", ours, theirs)
}

func compareLists(ours, theirs []value.Value) string {
	if len(ours) != len(theirs) {
		return fmt.Sprintf("%s and not %s", printAll(ours), printAll(theirs))
	}
	for i := range ours {
		if d := compareArguments(ours[i], theirs[i]); d != "" {
			return d
		}
	}
	return ""
}

func compareMaps(ours, theirs *value.Map) string {
	for i := range ours.Len() {
		k, o := ours.Entry(i)
		found := "has no counterpart"
		for j := range theirs.Len() {
			if tk, t := theirs.Entry(j); compareArguments(k, tk) == "" {
				found = compareArguments(o, t)
			}
		}
		if found != "" {
			return fmt.Sprintf("entry %v: %s", k, found)
		}
	}
	if ours.Len() != theirs.Len() {
		return fmt.Sprintf("%d entries and not %d", ours.Len(), theirs.Len())
	}
	return ""
}

// plainConfig replaces the sets among a configuration's values by lists and leaves
// out what is false.
func plainConfig(m *value.Map) *value.Map {
	out := value.NewMap()
	for i := range m.Len() {
		k, v := m.Entry(i)
		if v.Set() != nil {
			v = value.List(v.Set().Elems())
		}
		if v.Kind() != value.KindBool || v.Bool() {
			out.Put(k, v)
		}
	}
	return out
}

func sortSideEffects(source []traversal.Instruction) []traversal.Instruction {
	out := slices.Clone(source)
	slices.SortStableFunc(out, func(a, b traversal.Instruction) int {
		if a.Name != "withSideEffect" || b.Name != "withSideEffect" {
			return 0
		}
		return strings.Compare(a.Args[0].Str(), b.Args[0].Str())
	})
	return out
}
