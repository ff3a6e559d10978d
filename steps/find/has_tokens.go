package find

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// hasLabel(), hasId(), hasKey() and hasValue() test what an element or property is,
// not what it holds. Several arguments are alternatives, so is a list of ids.
//
//	hasLabel("person", "software")
//	hasId(1, 2)  hasId([1, 2])  hasId(P.gt(3))
//	properties().hasKey("age").hasValue(P.gt(30))
var (
	HasLabel = hasTokenSpec("hasLabel", "label", "Keeps elements with one of the labels.")
	HasID    = hasTokenSpec("hasId", "id", "Keeps elements with one of the ids.")
	HasKey   = hasTokenSpec("hasKey", "key", "Keeps properties with one of the keys.")
	HasValue = hasTokenSpec("hasValue", "value", "Keeps properties with one of the values.")
)

func hasTokenSpec(name, token, doc string) traversal.Spec {
	return step.Filtered(traversal.Spec{
		Name: name, Class: "HasStep", Effects: traversal.ReadsGraph,
		Doc: doc, Print: printHas,
		Prepare: func(n *traversal.Node) error {
			h := traversal.Has{Token: value.Enum(value.KindT, token), P: alternatives(n)}
			n.Data = []traversal.Has{h}
			return nil
		},
	}, hasTestOf)
}

// alternatives makes eq of one argument and within of several.
func alternatives(n *traversal.Node) *traversal.P {
	var vs []value.Value
	for _, a := range n.Args {
		vs = append(vs, a.Value)
	}
	if n.Name() == "hasId" {
		vs = unrolled(vs)
	}
	if n.Name() == "hasId" {
		vs = elementIDs(vs)
	}
	if len(vs) == 1 {
		return step.Predicate(vs[0])
	}
	return &traversal.P{Name: "within", Args: vs}
}

// unrolled are the members of the only argument; one of several stands for itself.
func unrolled(args []value.Value) []value.Value {
	if len(args) != 1 || !args[0].Kind().IsCollection() {
		return args
	}
	var vs []value.Value
	traversal.Each(args[0], func(v value.Value, _ int64) { vs = append(vs, v) })
	return vs
}

// elementIDs replaces elements that came as arguments by their ids.
func elementIDs(vs []value.Value) []value.Value {
	for i, v := range vs {
		if e := v.Detached(); e != nil {
			vs[i] = e.ID
		}
	}
	return vs
}
