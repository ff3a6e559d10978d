package steps

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/computer"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// peerPressure() clusters all vertices by votes along their edges; the id of the
// vertex that names a cluster is a property for the steps behind.
//
//	peerPressure().with(PeerPressure.propertyName, "cluster").with(PeerPressure.edges, outE("knows"))
var peerPressureSpec = traversal.Spec{
	Name: "peerPressure", Class: "PeerPressureVertexProgramStep", Kind: traversal.BarrierStep, Mods: []string{"with"},
	Effects: traversal.ReadsGraph, HoldsChildren: true,
	Doc: "Clusters all vertices by votes; the cluster is a property for the steps behind.", Prepare: preparePeerPressure, Open: openPeerPressure, Print: printComputed,
}

const (
	peerPressureKey   = "gremlin.peerPressureVertexProgram.cluster"
	peerPressureTimes = 30
)

func preparePeerPressure(n *traversal.Node) error {
	o := &computerOptions{property: peerPressureKey, times: peerPressureTimes}
	n.Data = o
	return o.read(n, "~tinkerpop.peerPressure.")
}

func openPeerPressure(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	o := n.Data.(*computerOptions)
	return r.Barrier(up, false, func(all []traversal.Traverser) ([]traversal.Traverser, error) {
		g, err := readGraph(r, o.edges.or(blueprints.Out))
		if err != nil {
			return nil, err
		}
		less, ids, err := nameOrder(r, g)
		if err != nil {
			return nil, err
		}
		var strength []float64
		if seeded(r, n) {
			strength = vertexBulks(g, all)
		} else {
			strength = make([]float64, g.Len())
			for i := range strength {
				strength[i] = 1
			}
		}
		cluster, err := computer.PeerPressure(g, o.times, strength, less, r.PollNow)
		if err != nil {
			return nil, err
		}
		showComputed(r, o.property, named(g, cluster, func(i int32) value.Value { return ids[i] }))
		return all, nil
	}), nil
}

// named shows for each vertex what stands for the vertex it was given.
func named(g *computer.Graph, of []int32, show func(int32) value.Value) func(blueprints.VertexID) (value.Value, bool) {
	return func(v blueprints.VertexID) (value.Value, bool) {
		i, ok := g.Number(v)
		if !ok {
			return value.Null, false
		}
		return show(of[i]), true
	}
}
