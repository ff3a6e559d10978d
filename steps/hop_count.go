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
	r     *traversal.Run
	h     *traversal.HopCount
	from  bulkTable
	to    bulkTable
	batch []blueprints.VertexID
	bulks []int64
}

// Add takes a start.
func (c *hopCounter) Add(t *traversal.Traverser) error {
	if t.Kind() != value.KindVertex {
		return castError(t.Value, "Vertex")
	}
	if t.IsStored() {
		c.from.add(t.Ref(), t.Bulk)
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
		if i == len(c.h.Hops)-1 && !c.h.Distinct {
			n, err := c.degrees(h.Dir, syms)
			return value.Long(n), err == nil, err
		}
		if err := c.hop(h.Dir, syms); err != nil {
			return value.Null, false, err
		}
	}
	return value.Long(int64(c.from.n)), true, nil
}

const hopBatch = 256 // vertices whose edges are read at once

// each visits the present vertices with their bulks, in batches.
func (c *hopCounter) each(fn func() error) error {
	flush := func() error {
		if err := c.r.PollNow(); err != nil {
			return err
		}
		err := fn()
		c.batch, c.bulks = c.batch[:0], c.bulks[:0]
		return err
	}
	for i, b := range c.from.bulks {
		if b == 0 {
			continue
		}
		c.batch, c.bulks = append(c.batch, blueprints.VertexID(c.from.keys[i])), append(c.bulks, b)
		if len(c.batch) == hopBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if len(c.batch) == 0 {
		return nil
	}
	return flush()
}

// hop moves every bulk to the neighbours.
func (c *hopCounter) hop(dir blueprints.Direction, syms []blueprints.Symbol) error {
	c.to.clear()
	add := func(i int, edges []blueprints.Adjacent) error {
		b := c.bulks[i]
		for k := range edges {
			c.to.add(uint64(edges[k].Other), b)
		}
		return nil
	}
	err := c.each(func() error { return c.r.View.AdjacentMany(c.batch, dir, syms, add) })
	c.from, c.to = c.to, c.from
	if err != nil {
		return err
	}
	return c.r.Charge(len(c.from.keys) * 16)
}

// degrees sums bulk times degree.
func (c *hopCounter) degrees(dir blueprints.Direction, syms []blueprints.Symbol) (int64, error) {
	var sum int64
	err := c.each(func() error {
		for i, v := range c.batch {
			d, err := c.r.View.Degree(v, dir, syms)
			if err != nil {
				return err
			}
			sum += d * c.bulks[i]
		}
		return nil
	})
	return sum, err
}
