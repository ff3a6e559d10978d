package steps

import (
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// ~degrees stands for out().count(): it sums degrees and enumerates no edge.
// ~countElements stands for V().count() and V().hasLabel("a").count(): it reads the
// graph's counters. DegreeCountStrategy makes both.
//
// Tolerates: effects and side effects before and behind it: the graph is read for each
// traverser when count() would have read it. No label and no child lies within.
var (
	degreesSpec = traversal.Spec{
		Name: "~degrees", Class: "DegreeCountStep", Kind: traversal.ReduceStep, Effects: traversal.ReadsGraph,
		Open: openDegrees, Direct: directDegree, Print: printDegrees,
	}
	countElementsSpec = traversal.Spec{
		Name: "~countElements", Class: "TinkerCountGlobalStep", Kind: traversal.ReduceStep, Start: true, Effects: traversal.ReadsGraph,
		Open: openCountElements, Print: printCountElements,
	}
)

func printDegrees(n *traversal.Node) string {
	return "DegreeCountStep" + strings.TrimPrefix(printHop(n), "VertexStep")
}

func printCountElements(n *traversal.Node) string {
	return "TinkerCountGlobalStep(" + graphStartString(n.Data.(*traversal.GraphStart)) + ")"
}

func openDegrees(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	s := traversal.Make[degreeSum](r)
	s.r, s.h = r, n.Data.(*traversal.Hop)
	return r.ReduceInto(up, s), nil
}

func directDegree(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	d := &degree{r: r, h: n.Data.(*traversal.Hop)}
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		c, err := d.of(t)
		return value.Long(c), err == nil, err
	}, nil
}

// degree counts the edges of a vertex that a hop would take.
type degree struct {
	r     *traversal.Run
	h     *traversal.Hop
	syms  []blueprints.Symbol
	none  bool
	known bool
	room  [1]blueprints.Symbol
	at    [1]blueprints.VertexID
	n     int64 // of the vertex that was counted last
}

func (d *degree) of(t *traversal.Traverser) (int64, error) {
	if t.Kind() != value.KindVertex {
		return 0, notVertex(t.Value)
	}
	if !d.known || d.r.Mutator != nil {
		d.syms, d.none = d.r.AppendSymbols(d.room[:0], d.h.Labels)
		d.known = true
	}
	if d.none || d.h.None || !t.IsStored() {
		return 0, nil
	}
	d.at[0] = blueprints.VertexID(t.Ref())
	err := d.r.View.Expand(d.at[:], blueprints.Expansion{Dir: d.h.Dir, Labels: d.syms, Want: blueprints.WantCount}, d)
	return d.n, err
}

// Take takes the count.
func (d *degree) Take(_ int, e blueprints.Expanded) error {
	d.n = e.Count
	return nil
}

type degreeSum struct {
	degree
	traversal.One
	sum int64
}

// AddBatch implements traversal.Reducer.
func (s *degreeSum) AddBatch(b *traversal.Batch) error { return s.Each(s.r, b, s) }

func (s *degreeSum) Add(t *traversal.Traverser) error {
	c, err := s.of(t)
	s.sum += c * t.Bulk
	return err
}

// Restart implements traversal.RestartedReducer.
func (s *degreeSum) Restart() { s.sum = 0 }

func (s *degreeSum) Result() (value.Value, bool, error) { return value.Long(s.sum), true, nil }

func openCountElements(n *traversal.Node, r *traversal.Run, _ traversal.Source) (traversal.Source, error) {
	g := n.Data.(*traversal.GraphStart)
	return r.Reduce(&once{r: r}, func() traversal.Reducer { return &elementCount{r: r, g: g} }), nil
}

type elementCount struct {
	r *traversal.Run
	g *traversal.GraphStart
}

func (c *elementCount) AddBatch(*traversal.Batch) error { return nil }

func (c *elementCount) Result() (value.Value, bool, error) {
	var labels []string
	if c.g.Index != nil {
		labels = c.g.Index.Labels
	}
	syms, none := c.r.Symbols(labels)
	if none || c.g.Index != nil && len(labels) == 0 {
		return value.Long(0), true, nil
	}
	count := c.r.View.VertexCount
	if c.g.Edges {
		count = c.r.View.EdgeCount
	}
	n, err := count(syms...)
	return value.Long(n), err == nil, err
}
