package merge

import (
	"errors"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// mergeTokens are the keys beside strings that the maps of a step may have, as
// messages print them.
var mergeTokens = map[string][]string{
	"mergeV": {"id", "label"},
	"mergeE": {"id", "label", "IN", "OUT"},
}

// validateMerge checks the map of mergeV, mergeE or their option(onCreate).
func validateMerge(op string, m *value.Map) error {
	for i := 0; i < m.Len(); i++ {
		k, v := m.Entry(i)
		if k.Kind().IsEnum() && v.IsNull() {
			return step.IllegalArgument("%s() does not allow null Map values - check: %s", op, k.Brief())
		}
		if k.Kind() == value.KindString {
			if err := blueprints.ValidateKey(k.Str()); err != nil {
				return err
			}
			continue
		}
		if !allowedToken(op, k) {
			return step.IllegalArgument("%s() and option(onCreate) args expect keys in Map to be either String or [%s] - check: %s",
				op, strings.Join(mergeTokens[op], ", "), k.Brief())
		}
		if err := validateToken(op, k, v); err != nil {
			return err
		}
	}
	return nil
}

func allowedToken(op string, k value.Value) bool {
	if k.Kind() != value.KindT && k.Kind() != value.KindDirection {
		return false
	}
	for _, t := range mergeTokens[op] {
		if t == k.Str() {
			return true
		}
	}
	return false
}

func validateToken(op string, k, v value.Value) error {
	switch k.Str() {
	case "label":
		if v.Kind() != value.KindString {
			return step.IllegalArgument("%s() and option(onCreate) args expect T.label value to be of String - found: %s", op, step.SimpleClass(v))
		}
		return blueprints.ValidateLabel(v.Str())
	case "OUT":
		if v.Kind() == value.KindMerge && v.Str() != "outV" {
			return step.IllegalArgument("Only Merge.outV token may be used for Direction.OUT, found: %s", v.Str())
		}
	case "IN":
		if v.Kind() == value.KindMerge && v.Str() != "inV" {
			return step.IllegalArgument("Only Merge.inV token may be used for Direction.IN, found: %s", v.Str())
		}
	}
	return nil
}

// validateOnMatch checks the map of option(onMatch): an element that exists keeps
// its id and label.
func validateOnMatch(m *value.Map) error {
	for _, k := range m.Keys() {
		if k.Kind() != value.KindString {
			return step.IllegalArgument("option(onMatch) expects keys in Map to be of String - check: %s", k.Brief())
		}
		if err := blueprints.ValidateKey(k.Str()); err != nil {
			return err
		}
	}
	return nil
}

// withCardinality applies option(Merge, Map, Cardinality): every property without a
// cardinality of its own takes that one.
func withCardinality(m, cardinality value.Value) value.Value {
	if m.Kind() != value.KindMap || cardinality.Kind() != value.KindCardinality {
		return m
	}
	out := value.NewMapSize(m.Map().Len())
	for i := 0; i < m.Map().Len(); i++ {
		k, v := m.Map().Entry(i)
		if _, _, ok := traversal.CardinalityValue(v); !ok && k.Kind() != value.KindT {
			v = traversal.NewCardinalityValue(cardinality.Str(), v)
		}
		out.Put(k, v)
	}
	return out.Value()
}

// combined is the map that makes the element: what was looked for, ahead of what
// onCreate adds.
func combined(create, merge *value.Map) *value.Map {
	if create == nil {
		return merge
	}
	out := merge.Clone()
	for i := 0; i < create.Len(); i++ {
		k, v := create.Entry(i)
		if _, ok := merge.Get(k); !ok {
			out.Put(k, v)
		}
	}
	return out
}

// errNoVertex says that the map of option(outV) or option(inV) finds nothing: then the
// traverser has no result. It never leaves this package.
var errNoVertex = errors.New("no vertex has what option(outV) or option(inV) asks for")
