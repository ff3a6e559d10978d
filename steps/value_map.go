package steps

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// valueMap() and propertyMap() give the properties of an element as a map; for a
// vertex each key has a list, since it may have several.
//
//	valueMap("name")                          {name=[marko]}
//	valueMap().with(WithOptions.tokens)       id and label too
//	valueMap().by(unfold())                   each entry through by()
//
// An entry whose by() is unproductive is dropped.
var (
	valueMapSpec    = propertyMapSpecOf("valueMap", "Gives the property values of an element as a map.")
	propertyMapSpec = propertyMapSpecOf("propertyMap", "Gives the properties of an element as a map.")
)

func propertyMapSpecOf(name, doc string) traversal.Spec {
	return traversal.Spec{
		Name: name, Class: "PropertyMapStep", Kind: traversal.MapStep, Effects: traversal.ReadsGraph,
		MaxBy: 1, Mods: []string{"with"}, Doc: doc, Prepare: preparePropertyMap, Open: openPropertyMap,
		Print: func(n *traversal.Node) string {
			kind := strings.TrimSuffix(n.Name(), "Map")
			keys := n.Data.(*propertyMap).keys
			if len(keys) == 0 {
				return "PropertyMapStep(" + kind + ")"
			}
			return "PropertyMapStep([" + strings.Join(keys, ", ") + "]," + kind + ")"
		},
	}
}

// The values of WithOptions, by which with() chooses what a map tells besides
// properties.
const (
	withTokens  = "~tinkerpop.valueMap.tokens"
	withIndexer = "~tinkerpop.index.indexer"

	tokenIDs    = 1
	tokenLabels = 2
	tokenKeys   = 4
	tokenValues = 8
	tokensAll   = 15
)

// propertyMap is the Data of valueMap and propertyMap.
type propertyMap struct {
	keys   []string
	none   bool
	values bool
	tokens int64
}

func preparePropertyMap(n *traversal.Node) error {
	m := &propertyMap{values: n.Name() == "valueMap"}
	args := n
	if m.values && n.Value(0).Kind() == value.KindBool {
		if n.Value(0).Bool() {
			m.tokens = tokensAll
		}
		c := *n
		c.Args = n.Args[1:]
		args = &c
	}
	var err error
	if m.keys, m.none, err = step.KeyArgs(args); err != nil {
		return err
	}
	for _, mod := range n.Mods {
		if err := m.with(mod.Args); err != nil {
			return err
		}
	}
	n.Data = m
	return nil
}

// with applies with(WithOptions.tokens, ...); other keys configure nothing here.
func (m *propertyMap) with(args []traversal.Arg) error {
	if len(args) == 0 || args[0].Value.Str() != withTokens {
		return nil
	}
	if len(args) == 1 {
		m.tokens = tokensAll
		return nil
	}
	for _, a := range args[1:] {
		switch a.Value.Kind() {
		case value.KindBool:
			m.tokens = 0
			if a.Value.Bool() {
				m.tokens = tokensAll
			}
		case value.KindInt, value.KindLong:
			m.tokens |= a.Value.Int64()
		default:
			return fmt.Errorf("WithOptions.tokens requires Integer arguments (possible values are: WithOptions.[none|ids|labels|keys|values|all])")
		}
	}
	return nil
}

func openPropertyMap(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	m := n.Data.(*propertyMap)
	var by traversal.Func
	if len(n.By) > 0 {
		f, err := r.ByFunc(n.By[0])
		if err != nil {
			return nil, err
		}
		by = f
	}
	var room propertyRoom
	return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
		if !t.Kind().IsElement() {
			return value.Null, false, step.NotElement(t.Value)
		}
		out, err := m.of(r, t.Value, &room)
		if err == nil {
			out, err = applyBy(t, out, by)
		}
		return out.Value(), err == nil, err
	}), nil
}
