package steps

import (
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// elementMap() gives an element as one flat map: id and label, the end vertices of
// an edge, then the properties, one value for each key.
//
//	elementMap()  elementMap("name", "age")
var elementMapSpec = traversal.Spec{
	Name: "elementMap", Class: "ElementMapStep", Kind: traversal.MapStep, Effects: traversal.ReadsGraph,
	Doc: "Gives an element as one flat map.",
	Prepare: func(n *traversal.Node) error {
		keys, none, err := step.KeyArgs(n)
		n.Data = &propertyKeys{keys: keys, none: none}
		return err
	},
	Open: openElementMap,
	Print: func(n *traversal.Node) string {
		return "ElementMapStep([" + strings.Join(n.Data.(*propertyKeys).keys, ", ") + "])"
	},
}

func openElementMap(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	p := n.Data.(*propertyKeys)
	all := &propertyMap{values: true, tokens: tokensAll}
	var room propertyRoom
	return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
		if !t.Kind().IsElement() {
			return value.Null, false, step.NotElement(t.Value)
		}
		m := value.NewMap()
		err := all.addTokens(r, m, t.Value)
		if err == nil && t.Kind() == value.KindEdge {
			err = addEnds(r, m, t.Value)
		}
		room.props = room.props[:0]
		if err == nil && !p.none {
			room.props, err = r.Properties(room.props, t.Value, p.keys)
		}
		all.addProperties(m, &room, false)
		return m.Value(), err == nil, err
	}), nil
}

// addEnds adds {id, label} of both end vertices, in first.
func addEnds(r *traversal.Run, m *value.Map, edge value.Value) error {
	out, in, err := r.Endpoints(edge)
	if err != nil {
		return err
	}
	for _, end := range []struct {
		dir string
		v   value.Value
	}{{"IN", in}, {"OUT", out}} {
		id, err := r.ID(end.v)
		if err != nil {
			return err
		}
		label, err := r.Label(end.v)
		if err != nil {
			return err
		}
		e := value.NewMapSize(2)
		e.Put(step.KeyID, id)
		e.Put(step.KeyLabel, value.String(label))
		m.Put(value.Enum(value.KindDirection, end.dir), e.Value())
	}
	return nil
}
