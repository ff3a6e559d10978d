package match

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// whereLabel is the label that a predicate of where() compares with: its argument, or
// the first of a collection.
func whereLabel(p *traversal.P) (string, error) {
	if len(p.Args) > 0 {
		v := p.Args[0]
		if v.Kind() == value.KindString {
			return v.Str(), nil
		}
		label := ""
		traversal.Each(v, func(e value.Value, _ int64) {
			if label == "" {
				label = e.Str()
			}
		})
		if label != "" {
			return label, nil
		}
	}
	return "", fmt.Errorf("the predicates of where() compare with labels, not with %s", p.Value().Brief())
}

// connect joins tests as and() or or() do.
func connect(tests []traversal.Test, or bool) traversal.Test {
	return func(v value.Value) (bool, error) {
		for _, t := range tests {
			if ok, err := t(v); err != nil || ok == or {
				return ok, err
			}
		}
		return !or, nil
	}
}

// bound is a predicate with another value in place of its label. Comparisons and
// memberships, by far the most frequent, need no compilation.
func bound(r *traversal.Run, p *traversal.P, with value.Value) (traversal.Test, error) {
	var test traversal.Test
	switch p.Name {
	case "eq":
		test = func(v value.Value) (bool, error) { return value.Equal(v, with), nil }
	case "neq":
		test = func(v value.Value) (bool, error) { return !value.Equal(v, with), nil }
	case "within", "without":
		want := p.Name == "within"
		if !with.Kind().IsCollection() {
			return nil, step.CastError(with, "java.util.Collection")
		}
		test = func(v value.Value) (bool, error) { return member(v, with) == want, nil }
	default:
		q := &traversal.P{Name: p.Name, Args: []value.Value{with}, Text: p.Text}
		return q.Compile(r)
	}
	return traversal.Weighed(r, traversal.WorkOf(with), test), nil
}

// member reports whether a collection has v: numbers by Gremlin equality, others by
// identity, which sets answer without looking at every element.
func member(v, in value.Value) bool {
	if !v.Kind().IsNumber() {
		switch in.Kind() {
		case value.KindBulkSet:
			return in.BulkSet().Get(v) > 0
		case value.KindSet:
			return in.Set().Has(v)
		}
	}
	found := false
	switch in.Kind() {
	case value.KindBulkSet:
		for i, s := 0, in.BulkSet(); i < s.Len() && !found; i++ {
			e, _ := s.Entry(i)
			found = value.Equal(v, e)
		}
	case value.KindList:
		for _, e := range in.Elems() {
			if value.Equal(v, e) {
				return true
			}
		}
	case value.KindSet:
		for _, e := range in.Set().Elems() {
			if value.Equal(v, e) {
				return true
			}
		}
	default:
		found = value.Equal(v, in)
	}
	return found
}
