package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// id(), label(), key() and value() give what an element or property is.
//
//	V().id()  E().label()  properties().key()  properties().value()
var (
	idSpec    = tokenSpec("id", "IdStep", "Gives the id of an element.")
	labelSpec = tokenSpec("label", "LabelStep", "Gives the label of an element.")
	keySpec   = tokenSpec("key", "PropertyKeyStep", "Gives the key of a property.")
	valueSpec = tokenSpec("value", "PropertyValueStep", "Gives the value of a property.")
)

func tokenSpec(token, class, doc string) traversal.Spec {
	return traversal.Spec{
		Name: token, Class: class, Kind: traversal.MapStep, Effects: traversal.ReadsGraph, Doc: doc,
		Open: func(_ *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
			return r.Map(up, tokenFunc(r, token)), nil
		},
		Direct: func(_ *traversal.Node, r *traversal.Run) (traversal.Func, error) {
			return tokenFunc(r, token), nil
		},
	}
}

func tokenFunc(r *traversal.Run, token string) traversal.Func {
	ofProperty := token == "key" || token == "value"
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		k := t.Kind()
		switch {
		case ofProperty && k != value.KindProperty && k != value.KindVertexProperty:
			return value.Null, false, step.NotProperty(t.Value)
		case !ofProperty && !k.IsElement():
			return value.Null, false, step.NotElement(t.Value)
		}
		v, err := r.Token(t.Value, token)
		return v, err == nil, err
	}
}
