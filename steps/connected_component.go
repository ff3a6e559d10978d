package steps

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/computer"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// connectedComponent() finds the component of every vertex; its name, the least id in
// it as text, is a property for the steps behind.
//
//	connectedComponent().with(ConnectedComponent.edges, bothE("knows")).with(ConnectedComponent.propertyName, "c")
var connectedComponentSpec = traversal.Spec{
	Name: "connectedComponent", Class: "ConnectedComponentVertexProgramStep", Kind: traversal.BarrierStep, Mods: []string{"with"},
	Effects: traversal.ReadsGraph, HoldsChildren: true,
	Doc: "Finds connected components; the component is a property for the steps behind.", Prepare: prepareComponents, Open: openComponents, Print: printComputed,
}

const componentKey = "gremlin.connectedComponentVertexProgram.component"

func prepareComponents(n *traversal.Node) error {
	o := &computerOptions{property: componentKey}
	n.Data = o
	return o.read(n, "~tinkerpop.connectedComponent.")
}

func openComponents(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	o := n.Data.(*computerOptions)
	return r.Barrier(up, false, func(all []traversal.Traverser) ([]traversal.Traverser, error) {
		g, err := readGraph(r, o.edges.or(blueprints.Both))
		if err != nil {
			return nil, err
		}
		less, ids, err := nameOrder(r, g)
		if err != nil {
			return nil, err
		}
		component, err := computer.Components(g, less, r.PollNow)
		if err != nil {
			return nil, err
		}
		showComputed(r, o.property, named(g, component, func(i int32) value.Value { return value.String(ids[i].JavaString()) }))
		return all, nil
	}), nil
}
