package steps

import (
	"strconv"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// ~hopCount stands for out().out().count() and out().out().dedup().count(): it carries
// how many paths lead to each vertex from hop to hop, so that its work is the number
// of edges, however many paths there are. BulkCountStrategy makes it.
//
// Tolerates: bulks, which are summed as they come, and a label on count().
// BulkCountStrategy makes it only where nothing has effects or side effects.
var hopCountSpec = traversal.Spec{
	Name: "~hopCount", Class: "HopCountStep", Kind: traversal.ReduceStep, Effects: traversal.ReadsGraph,
	Open: openHopCount, Direct: directHopCount, Print: printHopCount,
}

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

func openHopCount(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	h := n.Data.(*traversal.HopCount)
	return r.Reduce(up, func() traversal.Reducer { return &hopCounter{r: r, h: h} }), nil
}

func directHopCount(n *traversal.Node, r *traversal.Run) (traversal.Func, error) {
	h := n.Data.(*traversal.HopCount)
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		c := hopCounter{r: r, h: h}
		if err := c.Add(t); err != nil {
			return value.Null, false, err
		}
		return c.Result()
	}, nil
}

// hopCounter is one count under way.
type hopCounter struct {
	r        *traversal.Run
	h        *traversal.HopCount
	from, to frontier
	batch    []blueprints.VertexID
	bulks    []int64
	n        int64 // of the last hop
}

// Add takes a start.
func (c *hopCounter) Add(t *traversal.Traverser) error {
	if t.Kind() != value.KindVertex {
		return castError(t.Value, "Vertex")
	}
	if t.IsStored() {
		c.from.add(t.Ref(), c.weight(t.Bulk))
	}
	return nil
}

// weight is what a walker counts. Sums of walkers wrap as Java's long does, and a vertex
// whose walkers add up to 0 adds nothing to a sum; but where vertices are counted it is
// there, so each counts once.
func (c *hopCounter) weight(bulk int64) int64 {
	if c.h.Distinct {
		return 1
	}
	return bulk
}

// AddBatch implements traversal.Reducer.
func (c *hopCounter) AddBatch(b *traversal.Batch) error {
	for i, v := range b.Objects {
		if v.Kind() != value.KindVertex {
			return castError(v, "Vertex")
		}
		if v.IsStored() {
			c.from.add(v.Ref(), c.weight(b.Bulk(i)))
		}
	}
	return nil
}

// Result walks the hops.
func (c *hopCounter) Result() (value.Value, bool, error) {
	for i, h := range c.h.Hops {
		syms, none := c.r.Symbols(h.Labels)
		if none || h.None {
			return value.Long(0), true, nil
		}
		x := blueprints.Expansion{Dir: h.Dir, Labels: syms, Want: blueprints.WantEnds}
		if i == len(c.h.Hops)-1 {
			err := c.last(x)
			return value.Long(c.n), err == nil, err
		}
		if err := c.hop(x); err != nil {
			return value.Null, false, err
		}
	}
	return value.Null, false, nil
}

const hopBatch = 256 // vertices whose edges are read at once

// expand takes the present vertices with their bulks out, in batches, and expands them.
func (c *hopCounter) expand(x blueprints.Expansion, into blueprints.Sink) error {
	c.from.begin()
	for {
		c.batch, c.bulks = c.from.next(c.batch[:0], c.bulks[:0], hopBatch)
		if len(c.batch) == 0 {
			return nil
		}
		if err := c.r.PollNow(); err != nil {
			return err
		}
		if err := c.r.View.Expand(c.batch, x, into); err != nil {
			return err
		}
	}
}

// hop moves every bulk to the neighbours.
func (c *hopCounter) hop(x blueprints.Expansion) error {
	if err := c.expand(x, (*hopEnds)(c)); err != nil {
		return err
	}
	c.from, c.to = c.to, c.from
	return c.r.Charge(c.from.bytes())
}

// hopEnds is a hopCounter that takes neighbours.
type hopEnds hopCounter

// Take adds the bulk of a vertex to each of its neighbours.
func (c *hopEnds) Take(i int, e blueprints.Expanded) error {
	c.to.addEnds(e, (*hopCounter)(c).weight(c.bulks[i]))
	return nil
}

// last makes the last hop: it counts the vertices there, or sums bulk times degree.
func (c *hopCounter) last(x blueprints.Expansion) (err error) {
	if c.h.Distinct {
		there := &distinctEnds{}
		err = c.expand(x, there)
		c.n = there.n
	} else {
		x.Want = blueprints.WantCount
		err = c.expand(x, (*hopDegrees)(c))
	}
	if err == nil {
		c.from.release()
		c.to.release()
	}
	return err
}

// distinctEnds counts vertices, each once.
type distinctEnds struct {
	there pages
	n     int64
}

// Take counts the neighbours that are new.
func (d *distinctEnds) Take(_ int, e blueprints.Expanded) error {
	d.n += d.there.addEnds(e)
	return nil
}

// hopDegrees is a hopCounter that takes the degrees of the last hop.
type hopDegrees hopCounter

// Take adds bulk times degree.
func (c *hopDegrees) Take(i int, e blueprints.Expanded) error {
	c.n += e.Count * c.bulks[i]
	return nil
}
