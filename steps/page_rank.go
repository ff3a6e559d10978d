package steps

import (
	"errors"
	"math"
	"strconv"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/computer"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// pageRank() ranks all vertices and shows the rank as a property to the steps behind.
//
//	pageRank()     damping 0.85, 20 rounds over outgoing edges
//	pageRank(0.5)  another damping
//	.with(PageRank.edges, outE("knows")).with(PageRank.propertyName, "rank").with(PageRank.times, 5)
var pageRankSpec = traversal.Spec{
	Name: "pageRank", Class: "PageRankVertexProgramStep", Kind: traversal.BarrierStep, Mods: []string{"with"},
	Effects: traversal.ReadsGraph, HoldsChildren: true,
	Doc: "Ranks all vertices; the rank is a property for the steps behind.", Prepare: preparePageRank, Open: openPageRank, Print: printComputed,
}

const (
	pageRankKey     = "gremlin.pageRankVertexProgram.pageRank"
	pageRankAlpha   = 0.85
	pageRankTimes   = 20
	pageRankEpsilon = 0.00001
)

func preparePageRank(n *traversal.Node) error {
	o := &computerOptions{property: pageRankKey, times: pageRankTimes, alpha: pageRankAlpha}
	if len(n.Args) > 0 {
		o.alpha = toFloat(n.Value(0))
	}
	n.Data = o
	return o.read(n, "~tinkerpop.pageRank.")
}

// toFloat is a number as a double.
func toFloat(v value.Value) float64 {
	switch v.Kind() {
	case value.KindFloat, value.KindDouble:
		return v.Float64()
	}
	if d, err := value.Mul(v, value.Double(1)); err == nil && d.Kind() == value.KindDouble {
		return d.Float64()
	}
	f, err := strconv.ParseFloat(v.JavaString(), 64) // what is too large is infinite
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return math.NaN()
	}
	return f
}

func openPageRank(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	o := n.Data.(*computerOptions)
	return r.Barrier(up, false, func(all []traversal.Traverser) ([]traversal.Traverser, error) {
		g, err := readGraph(r, o.edges.or(blueprints.Out))
		if err != nil {
			return nil, err
		}
		po := computer.PageRankOptions{Alpha: o.alpha, Times: o.times, Epsilon: pageRankEpsilon}
		if seeded(r, n) {
			po.Initial = vertexBulks(g, all)
		}
		ranks, err := computer.PageRank(g, po, r.PollNow)
		if err != nil {
			return nil, err
		}
		showComputed(r, o.property, func(v blueprints.VertexID) (value.Value, bool) {
			i, ok := g.Number(v)
			if !ok {
				return value.Null, false
			}
			return value.Double(ranks[i]), true
		})
		return all, nil
	}), nil
}

// seeded reports whether the traversers before a vertex program step came there by
// more than V() and other vertex programs: then they are its start values.
func seeded(r *traversal.Run, n *traversal.Node) bool {
	for i, m := range r.Plan.Nodes {
		if m == n {
			return false
		}
		if _, program := m.Data.(*computerOptions); program {
			continue
		}
		g, start := m.Data.(*traversal.GraphStart)
		if i > 0 || !start || g.ByID || len(g.Has) > 0 {
			return true
		}
	}
	return false
}
