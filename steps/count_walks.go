package steps

import (
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/steps/walk"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// ~hopCount stands for out().out().count() and out().out().dedup().count(): it carries
// how many paths lead to each vertex from hop to hop, so that its work is the number
// of edges, however many paths there are. BulkCountStrategy makes it.
// ~degrees stands for out().count(): it sums degrees and enumerates no edge.
// DegreeCountStrategy makes it.
//
// Tolerates: bulks, which are summed as they come, and a label on count().
// BulkCountStrategy makes ~hopCount only where nothing has effects or side effects. With
// ~degrees they may lie before and behind: the graph is read for each traverser when count()
// would have read it.
var (
	hopCountSpec = traversal.Spec{
		Name: "~hopCount", Class: "HopCountStep", Kind: traversal.ReduceStep, Effects: traversal.ReadsGraph,
		Doc:  "Counts the ends of several hops, or the distinct ones, without making a traverser for each.",
		Open: openHopCount, Direct: directHopCount, Print: printHopCount,
	}
	degreesSpec = traversal.Spec{
		Name: "~degrees", Class: "DegreeCountStep", Kind: traversal.ReduceStep, Effects: traversal.ReadsGraph,
		Doc:  "Counts the edges of vertices without looking at each edge.",
		Open: openDegrees, Direct: directDegree, Print: printDegrees,
	}
)

func printHopCount(n *traversal.Node) string {
	h := n.Data.(*traversal.HopCount)
	s := "HopCountStep("
	for i := range h.Hops {
		if i > 0 {
			s += ","
		}
		s += printHop(&traversal.Node{Data: h.Hops[i]})
	}
	return s + ",distinct=" + strconv.FormatBool(h.Distinct) + ")"
}

func printDegrees(n *traversal.Node) string {
	return "DegreeCountStep" + strings.TrimPrefix(printHop(n), "VertexStep")
}

func openHopCount(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	return r.ReduceInto(up, newHopCount(n, r)), nil
}

func openDegrees(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	return r.ReduceInto(up, newDegrees(n, r)), nil
}

func directHopCount(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	return countOfOne(newHopCount(n, r)), nil
}

func directDegree(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	return countOfOne(newDegrees(n, r)), nil
}

// walkers are counted, some at a vertex at a time.
type walkers interface {
	traversal.RestartedReducer
	add(v value.Value, bulk int64) error
}

// countOfOne counts for one traverser, however many it stands for: a child traversal sees
// each alone.
func countOfOne(c walkers) traversal.Func {
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		c.Restart()
		if err := c.add(t.Value, 1); err != nil {
			return value.Null, false, err
		}
		return c.Result()
	}
}

// hopCount is a count over several hops, or of distinct ends, under way.
type hopCount struct {
	r    *traversal.Run
	h    *traversal.HopCount
	from *walk.Frontier
}

func newHopCount(n *traversal.Node, r *traversal.Run) *hopCount {
	return &hopCount{r: r, h: n.Data.(*traversal.HopCount), from: walk.New(r)}
}

// AddBatch implements traversal.Reducer.
func (c *hopCount) AddBatch(b *traversal.Batch) error {
	for i, v := range b.Objects {
		if err := c.add(v, b.Bulk(i)); err != nil {
			return err
		}
	}
	return nil
}

// add takes a start.
func (c *hopCount) add(v value.Value, bulk int64) error {
	if v.Kind() != value.KindVertex {
		return step.NotVertex(v)
	}
	if !v.IsStored() {
		return nil
	}
	return c.from.Add(blueprints.VertexID(v.Ref()), bulk)
}

// Restart implements traversal.RestartedReducer.
func (c *hopCount) Restart() { c.from.Release() }

// Result walks the hops.
func (c *hopCount) Result() (value.Value, bool, error) {
	n, err := c.walk()
	c.from.Release()
	return value.Long(n), err == nil, err
}

func (c *hopCount) walk() (int64, error) {
	last := len(c.h.Hops) - 1
	for i, h := range c.h.Hops {
		syms, none := c.r.Symbols(h.Labels)
		x := blueprints.Expansion{Dir: h.Dir, Labels: syms}
		switch {
		case none || h.None:
			return 0, nil
		case i == last && c.h.Distinct:
			return c.from.CountEnds(x)
		case i == last:
			return c.from.Count(x)
		}
		if err := c.from.Hop(x); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// degrees is a count over one hop under way: nothing is kept of the starts but those that
// are read next, many at a time.
type degrees struct {
	r     *traversal.Run
	h     *traversal.Hop
	syms  labelSymbols
	ways  walk.Ways
	ids   []blueprints.VertexID
	bulks []int64
	// few is ids and bulks at first: most counts of small requests have one start.
	few struct {
		ids   [1]blueprints.VertexID
		bulks [1]int64
	}
}

// degreesAtOnce is how many vertices are read at once, between two looks at the clock.
const degreesAtOnce = 256

func newDegrees(n *traversal.Node, r *traversal.Run) *degrees {
	d := traversal.Make[degrees](r)
	d.r, d.h = r, n.Data.(*traversal.Hop)
	d.ids, d.bulks = d.few.ids[:0], d.few.bulks[:0]
	d.syms.init(d.h.Labels, d.h.None)
	return d
}

// AddBatch implements traversal.Reducer. The edges are counted before it returns: what
// comes behind may change them.
func (d *degrees) AddBatch(b *traversal.Batch) error {
	if n := min(b.Len(), degreesAtOnce); n > cap(d.ids) {
		d.ids, d.bulks = make([]blueprints.VertexID, 0, n), make([]int64, 0, n)
	}
	for i, v := range b.Objects {
		if err := d.add(v, b.Bulk(i)); err != nil {
			return err
		}
	}
	return d.read()
}

// add takes a start.
func (d *degrees) add(v value.Value, bulk int64) error {
	if v.Kind() != value.KindVertex {
		return step.NotVertex(v)
	}
	if !v.IsStored() {
		return nil
	}
	d.ids, d.bulks = append(d.ids, blueprints.VertexID(v.Ref())), append(d.bulks, bulk)
	if len(d.ids) < degreesAtOnce {
		return nil
	}
	if err := d.r.PollNow(); err != nil {
		return err
	}
	return d.read()
}

// read counts the edges of the starts that were taken.
func (d *degrees) read() error {
	if len(d.ids) == 0 {
		return nil
	}
	syms, ok := d.syms.resolve(d.r)
	if ok {
		d.ways.Walkers = d.bulks
		x := blueprints.Expansion{Dir: d.h.Dir, Labels: syms, Want: blueprints.WantCount}
		if err := d.r.View.Expand(d.ids, x, &d.ways); err != nil {
			return err
		}
	}
	d.ids, d.bulks = d.ids[:0], d.bulks[:0]
	return d.r.Poll()
}

// Restart implements traversal.RestartedReducer.
func (d *degrees) Restart() { d.ways.N, d.ids, d.bulks = 0, d.ids[:0], d.bulks[:0] }

// Result gives the count.
func (d *degrees) Result() (value.Value, bool, error) {
	err := d.read()
	return value.Long(d.ways.N), err == nil, err
}
