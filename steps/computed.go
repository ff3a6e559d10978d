package steps

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/computer"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// What the graph computer steps share: reading the whole graph into arrays, and
// showing computed properties to the steps behind without storing them.

// computedView shows one computed vertex property on top of a View.
type computedView struct {
	blueprints.View
	key    string
	symbol blueprints.Symbol
	value  func(v blueprints.VertexID) (value.Value, bool)
}

// computedSymbols begins the symbols of computed keys, beyond those of any graph.
const computedSymbols blueprints.Symbol = 1 << 31

func showComputed(r *traversal.Run, key string, val func(blueprints.VertexID) (value.Value, bool)) {
	sym := computedSymbols
	for v, ok := r.View.(*computedView); ok; v, ok = v.View.(*computedView) {
		sym = max(sym, v.symbol+1)
	}
	r.View = &computedView{View: r.View, key: key, symbol: sym, value: val}
}

// Symbol knows the computed key, which hides a stored one.
func (c *computedView) Symbol(name string) (blueprints.Symbol, bool) {
	if name == c.key {
		return c.symbol, true
	}
	return c.View.Symbol(name)
}

// Name knows the computed key.
func (c *computedView) Name(s blueprints.Symbol) string {
	if s == c.symbol {
		return c.key
	}
	return c.View.Name(s)
}

// VertexValue answers for the computed key.
func (c *computedView) VertexValue(v blueprints.VertexID, key blueprints.Symbol) (value.Value, bool, error) {
	if key == c.symbol {
		x, ok := c.value(v)
		return x, ok, nil
	}
	return c.View.VertexValue(v, key)
}

// VertexProperties appends the computed property last.
func (c *computedView) VertexProperties(dst []blueprints.PropertyEntry, v blueprints.VertexID, keys []blueprints.Symbol) ([]blueprints.PropertyEntry, error) {
	stored := keys
	if i := slices.Index(keys, c.symbol); i >= 0 {
		stored = slices.Delete(slices.Clone(keys), i, i+1)
	}
	var err error
	if len(keys) == 0 || len(stored) > 0 {
		if dst, err = c.View.VertexProperties(dst, v, stored); err != nil {
			return dst, err
		}
	}
	if len(keys) == 0 || len(stored) < len(keys) {
		if x, ok := c.value(v); ok {
			dst = append(dst, blueprints.PropertyEntry{Key: c.symbol, Value: x})
		}
	}
	return dst, nil
}

// VertexValues answers for the computed key.
func (c *computedView) VertexValues(dst []value.Value, ends []int, vs []blueprints.VertexID, key blueprints.Symbol) ([]value.Value, []int, error) {
	if key != c.symbol {
		return c.View.VertexValues(dst, ends, vs, key)
	}
	for _, v := range vs {
		if x, ok := c.value(v); ok {
			dst = append(dst, x)
		}
		ends = append(ends, len(dst))
	}
	return dst, ends, nil
}

// ResolveVertex gives the stored vertex: computed properties stay in the request.
func (c *computedView) ResolveVertex(id uint64, withProperties bool, room *value.Element) (*value.Element, error) {
	res, ok := c.View.(value.Resolver)
	if !ok {
		return nil, errors.New("this view resolves no elements")
	}
	return res.ResolveVertex(id, withProperties, room)
}

// ResolveEdge gives the stored edge.
func (c *computedView) ResolveEdge(id uint64, withProperties bool) (*value.Element, error) {
	res, ok := c.View.(value.Resolver)
	if !ok {
		return nil, errors.New("this view resolves no elements")
	}
	return res.ResolveEdge(id, withProperties)
}

// programEdges are the edges that a vertex program goes along: those of a hop, which are
// read of many vertices at once, or those that a traversal gives for each vertex.
type programEdges struct {
	hop  *traversal.Hop
	each *traversal.Plan // nil when hop is set
	text string          // for explain(), of those that with() gave
}

// alongEdges takes the setting.
func alongEdges(p *traversal.Plan) programEdges {
	if p == nil {
		return programEdges{}
	}
	return programEdges{each: p, text: "edges=each " + p.String()}
}

// hopsMod is what ProgramEdgesStrategy puts on a vertex program whose edges are a hop.
const hopsMod = "~hops"

// takeHop makes a hop of a traversal that is one, where the plan of n says so.
func (e *programEdges) takeHop(n *traversal.Node) error {
	if len(n.ModsNamed(hopsMod)) == 0 {
		return nil
	}
	if e.each == nil || len(e.each.Nodes) != 1 {
		return traversal.ErrUnfit
	}
	h, ok := e.each.Nodes[0].Data.(*traversal.Hop)
	if !ok || !h.Edge {
		return traversal.ErrUnfit
	}
	*e = programEdges{hop: h, text: "edges=" + e.each.Nodes[0].String()}
	return nil
}

// or is e, or the hop to all edges of a direction where with() gave none.
func (e programEdges) or(d blueprints.Direction) programEdges {
	if e.hop == nil && e.each == nil {
		e.hop = &traversal.Hop{Dir: d, Edge: true}
	}
	return e
}

// printProgram shows the argument of a vertex program, and its edges.
func printProgram(n *traversal.Node, e programEdges) string {
	var parts []string
	for _, a := range n.Args {
		parts = append(parts, a.Value.JavaString())
	}
	if e.text != "" {
		parts = append(parts, e.text)
	}
	if len(parts) == 0 {
		return n.Spec.Class
	}
	return n.Spec.Class + "(" + strings.Join(parts, ",") + ")"
}

func printComputed(n *traversal.Node) string {
	o, ok := n.Data.(*computerOptions)
	if !ok {
		return n.Spec.Class
	}
	return printProgram(n, o.edges)
}

// readGraph reads all vertices and their edges.
func readGraph(r *traversal.Run, edges programEdges) (*computer.Graph, error) {
	var ids []blueprints.VertexID
	buf := make([]blueprints.VertexID, 1024)
	it := r.View.Vertices()
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		ids = append(ids, buf[:n]...)
		err := r.PollNow()
		if err == nil {
			err = r.Charge(n * vertexBytes)
		}
		if err != nil {
			it.Close()
			return nil, err
		}
	}
	if err := errors.Join(it.Err(), it.Close()); err != nil {
		return nil, err
	}
	g, err := computer.NewGraph(ids, r.Account)
	if err != nil {
		return nil, err
	}
	if edges.each != nil {
		return g, readEdges(r, g, edges.each)
	}
	return g, readHops(r, g, edges.hop)
}

func readHops(r *traversal.Run, g *computer.Graph, h *traversal.Hop) error {
	syms, none := r.Symbols(h.Labels)
	if none || h.None {
		for range g.IDs {
			g.EndVertex()
		}
		return nil
	}
	x := blueprints.Expansion{Dir: h.Dir, Labels: syms}
	add := blueprints.SinkFunc(func(_ int, e blueprints.Expanded) error {
		for _, a := range e.Edges {
			g.Add(a.Edge, a.Other)
		}
		g.EndVertex()
		return nil
	})
	for from := 0; from < g.Len(); from += 1024 {
		if err := r.PollNow(); err != nil {
			return err
		}
		part := g.IDs[from:min(from+1024, g.Len())]
		edges := len(g.Targets)
		err := r.View.Expand(part, x, add)
		if err == nil {
			err = r.Charge((len(g.Targets) - edges) * edgeBytes)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// What whole-graph arrays are charged for a vertex and an edge: their place in the graph
// and its reverse, and the arrays of the algorithm.
const (
	vertexBytes = 120
	edgeBytes   = 40
)

// readEdges asks a traversal for the edges of each vertex.
func readEdges(r *traversal.Run, g *computer.Graph, edges *traversal.Plan) error {
	pipe, err := r.OpenChild(edges)
	if err != nil {
		return err
	}
	for _, id := range g.IDs {
		t := r.Generate(value.VertexRef(uint64(id)))
		err := pipe.All(&t, func(u *traversal.Traverser) error {
			if u.Kind() != value.KindEdge || !u.IsStored() {
				return fmt.Errorf("the edges traversal must give edges, not %s", u.Kind().JavaClass())
			}
			h, err := r.Edge(u.Value)
			if err != nil {
				return err
			}
			other := h.In
			if other == id {
				other = h.Out
			}
			g.Add(h.ID, other)
			return r.Charge(edgeBytes)
		})
		if err != nil {
			return err
		}
		g.EndVertex()
	}
	return nil
}

// vertexBulks sums the bulks of the traversers at each vertex.
func vertexBulks(g *computer.Graph, all []traversal.Traverser) []float64 {
	out := make([]float64, g.Len())
	for i := range all {
		if all[i].Kind() != value.KindVertex || !all[i].IsStored() {
			continue
		}
		if n, ok := g.Number(blueprints.VertexID(all[i].Ref())); ok {
			out[n] += float64(all[i].Bulk)
		}
	}
	return out
}

// nameOrder compares vertices by the text of their ids, as vertex programs do.
func nameOrder(r *traversal.Run, g *computer.Graph) (func(a, b int32) bool, []value.Value, error) {
	ids := make([]value.Value, g.Len())
	text := make([]string, g.Len())
	for i, id := range g.IDs {
		v, err := r.View.VertexUserID(id)
		if err == nil {
			err = r.Poll()
		}
		if err != nil {
			return nil, nil, err
		}
		ids[i], text[i] = v, v.JavaString()
	}
	return func(a, b int32) bool { return text[a] < text[b] }, ids, nil
}

// computerOptions are the with() settings of a vertex program step.
type computerOptions struct {
	property string
	edges    programEdges
	times    int
	alpha    float64
}

// read takes the settings of one prefix, as "~tinkerpop.pageRank.times".
func (o *computerOptions) read(n *traversal.Node, prefix string) error {
	for _, m := range n.ModsNamed("with") {
		key := m.Args[0].Value.Str()
		var arg traversal.Arg
		if len(m.Args) > 1 {
			arg = m.Args[1]
		}
		switch key {
		case prefix + "propertyName":
			o.property = arg.Value.Str()
		case prefix + "edges":
			o.edges = alongEdges(arg.Child)
		case prefix + "times":
			o.times = int(arg.Value.Int64())
		default:
			return fmt.Errorf("%s() does not know the setting %s", n.Name(), value.Brief(key))
		}
	}
	return o.edges.takeHop(n)
}
