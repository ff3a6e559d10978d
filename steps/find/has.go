package find

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// has() keeps the elements that have a property, or whose property satisfies a
// predicate.
//
//	has("age")                     the property exists
//	has("age", 29)                 one of its values equals 29
//	has("age", P.gt(30))           one of its values satisfies the predicate
//	has("person", "age", P.gt(30)) and the label is "person"
//	has(T.id, 1)                   the id, label, key or value does
var Has = step.Filtered(traversal.Spec{
	Name: "has", Class: "HasStep", Effects: traversal.ReadsGraph,
	Doc:     "Keeps elements whose properties, id or label satisfy a predicate.",
	Prepare: prepareHas, Print: printHas,
}, hasTestOf)

// nothing is a predicate that holds for no value.
var nothing = &traversal.P{Name: "within"}

// exists is the Data of has("key"): no predicate, so no strategy folds it.
type exists struct {
	key  string
	none bool // has(null): nothing has it
}

func prepareHas(n *traversal.Node) error {
	key, last := n.Value(0), len(n.Args)-1
	if last > 0 && n.Child(last) != nil {
		// in the reference a traversal is an object here, which no property equals
		n.Data = []traversal.Has{{Token: value.Enum(value.KindT, "label"), P: nothing}}
		return nil
	}
	switch len(n.Args) {
	case 1:
		if key.Kind() == value.KindT {
			return fmt.Errorf("has() needs a value for T.%s", key.Str())
		}
		if err := keyOrToken(key); err != nil {
			return err
		}
		n.Data = exists{key: key.Str(), none: key.IsNull()}
		return nil
	case 2:
		if err := keyOrToken(key); err != nil {
			return err
		}
		n.Data = []traversal.Has{hasOn(key, n.Value(1))}
		return nil
	case 3:
		for i, what := range []string{"label", "property key"} {
			if k := n.Value(i).Kind(); k != value.KindString && k != value.KindNull && !(i == 0 && k == value.KindP) {
				return step.IllegalArgument("has(label, key, value) takes a String as %s, not %s", what, n.Value(i).Brief())
			}
		}
		label := traversal.Has{Token: value.Enum(value.KindT, "label"), P: step.Predicate(key)}
		n.Data = []traversal.Has{label, hasOn(n.Value(1), n.Value(2))}
		return nil
	}
	return fmt.Errorf("has() takes one to three arguments, not %d", len(n.Args))
}

// keyOrToken refuses what is neither a key, as in has([name: "marko"]).
func keyOrToken(key value.Value) error {
	switch key.Kind() {
	case value.KindString, value.KindT, value.KindNull:
		return nil
	}
	return step.IllegalArgument("has() takes a property key or a T, not %s", key.Brief())
}

// hasOn tests a property key or a T.
func hasOn(key, val value.Value) traversal.Has {
	h := traversal.Has{P: step.Predicate(val)}
	switch {
	case key.Kind() == value.KindT:
		h.Token = key
	case key.IsNull():
		h.P = nothing // is keyed by null
	default:
		h.Key = key.Str()
		if t, ok := strings.CutPrefix(h.Key, "~"); ok {
			if token, ok := value.ParseEnum(value.KindT, t); ok {
				h.Key, h.Token = "", token
			}
		}
	}
	return h
}

func hasTestOf(n *traversal.Node, r *traversal.Run) (traversal.Predicate, error) {
	if e, ok := n.Data.(exists); ok {
		return e.test(r), nil
	}
	tests, err := Compile(r, n.Data.([]traversal.Has))
	if err != nil {
		return nil, err
	}
	return func(t *traversal.Traverser) (bool, error) { return Passes(r, tests, t.Value) }, nil
}

func (e exists) test(r *traversal.Run) func(t *traversal.Traverser) (bool, error) {
	return func(t *traversal.Traverser) (bool, error) {
		if !t.Kind().IsElement() {
			return false, step.NotElement(t.Value)
		}
		if e.none {
			return false, nil
		}
		_, ok, err := r.Property(t.Value, e.key)
		return ok, err
	}
}

func printHas(n *traversal.Node) string {
	list, ok := n.Data.([]traversal.Has)
	if !ok {
		return fmt.Sprintf("TraversalFilterStep([PropertiesStep([%s],value)])", n.Data.(exists).key)
	}
	return "HasStep(" + FiltersText(list) + ")"
}

// hasString prints filters as HasContainers print: [~label.eq(person), age.gt(30)].
// FiltersText prints filters: [key.eq(1), ...].
func FiltersText(list []traversal.Has) string {
	parts := make([]string, len(list))
	for i, h := range list {
		key := h.Key
		if !h.Token.IsNull() {
			key = "~" + h.Token.Str()
		}
		parts[i] = key + "." + h.P.Value().JavaString()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
