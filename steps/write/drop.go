package write

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// drop() removes elements and properties and lets nothing through.
//
//	V(1).drop()                     the vertex with its edges
//	V(1).properties("age").drop()   a property, likewise a property of a property
var Drop = traversal.Spec{
	Name: "drop", Class: "DropStep", Kind: traversal.FilterStep, Effects: traversal.WritesGraph,
	Doc: "Removes elements and properties.",
	Open: func(_ *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		m, err := r.Write()
		if err != nil {
			return nil, err
		}
		return r.Filter(up, func(t *traversal.Traverser) (bool, error) { return false, remove(r, m, t.Value) }), nil
	},
}

// remove takes v out of the graph; what is gone already stays gone.
func remove(r *traversal.Run, m blueprints.Mutator, v value.Value) error {
	switch {
	case v.Kind() == value.KindVertexProperty:
		return removeVertexProperty(r, m, v.VertexProperty())
	case v.Kind() == value.KindProperty:
		return removeProperty(r, m, v.Property())
	case v.IsStored() && v.Kind() == value.KindVertex:
		return m.RemoveVertex(blueprints.VertexID(v.Ref()))
	case v.IsStored():
		return m.RemoveEdge(blueprints.EdgeID(v.Ref()))
	}
	return fmt.Errorf("The incoming object is not removable: %s", r.Text(v))
}

func removeVertexProperty(r *traversal.Run, m blueprints.Mutator, p *value.VertexProperty) error {
	if !p.Vertex.IsStored() {
		return errors.New("Property removal is not supported")
	}
	e, err := storedProperty(r, p)
	if errors.Is(err, errPropertyGone) {
		return nil
	}
	if err != nil {
		return err
	}
	return m.RemoveVertexProperty(blueprints.VertexID(p.Vertex.Ref()), e)
}

func removeProperty(r *traversal.Run, m blueprints.Mutator, p *value.Property) error {
	if vp := p.Element.VertexProperty(); vp != nil && vp.Vertex.IsStored() {
		e, err := storedProperty(r, vp)
		if errors.Is(err, errPropertyGone) {
			return nil
		}
		if err != nil {
			return err
		}
		return m.RemoveMetaProperty(blueprints.VertexID(vp.Vertex.Ref()), e, p.Key)
	}
	if !p.Element.IsStored() || p.Element.Kind() != value.KindEdge {
		return errors.New("Property removal is not supported")
	}
	return m.RemoveEdgeProperty(blueprints.EdgeID(p.Element.Ref()), p.Key)
}
