package steps

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

var errNoEdgeOrder = errors.New("the index does not tell the order")

// collect finds the first edges of the vertex in the order of the index, for an order()
// behind that keeps no more of them, and those of one value in the order of the edges, which
// a stable sort keeps. Where the index does not tell the order, for long texts are cut, all
// edges that it holds are given instead.
func (c *edgesByCursor) collect() error {
	if c.collected {
		return nil
	}
	c.collected = true
	x, walk := c.e.x.Index, c.e.walks[0]
	gather := c.ascending
	if x.Reverse {
		gather = c.descending
	}
	err := gather(walk, x.Limit)
	if errors.Is(err, errNoEdgeOrder) {
		c.found = nil
		return nil // Next walks
	}
	c.next = len(c.e.walks) * len(c.e.dirs) // no walk is left
	return err
}

// ascending finds the first n edges of a walk.
func (c *edgesByCursor) ascending(walk blueprints.IndexColumns, n int) error {
	walk.Reverse = false
	return c.each(walk, n, func(e blueprints.EdgeID) error {
		_, err := c.orderValue(e)
		c.found = append(c.found, e)
		return err
	})
}

// descending finds the last n edges of a walk, value by value, for those of one value come in
// the order of the edges.
func (c *edgesByCursor) descending(walk blueprints.IndexColumns, n int) error {
	walk.Reverse = true
	for len(c.found) < n {
		var top value.Value
		met := false
		err := c.each(walk, 1, func(e blueprints.EdgeID) (err error) {
			top, err = c.orderValue(e)
			met = true
			return err
		})
		if err != nil || !met {
			return err
		}
		before := len(c.found)
		of := blueprints.IndexColumns{Equal: append(walk.Equal[:len(walk.Equal):len(walk.Equal)], top)}
		err = c.each(of, n-before, func(e blueprints.EdgeID) error { c.found = append(c.found, e); return nil })
		if err != nil {
			return err
		}
		if len(c.found) == before {
			return errNoEdgeOrder // a value that does not equal itself
		}
		walk.Range.Max, walk.Range.HasMax, walk.Range.MaxOpen = top, true, true
	}
	return nil
}

// each gives fn the first n edges of a walk, which has to be exact.
func (c *edgesByCursor) each(walk blueprints.IndexColumns, n int, fn func(blueprints.EdgeID) error) error {
	if err := c.e.r.Poll(); err != nil {
		return err
	}
	it := c.e.r.View.LookupEdgesOf(c.v, c.e.x.Hop.Dir, c.e.x.Index.Declared, walk)
	defer it.Close()
	if err := it.Err(); err != nil {
		return err
	}
	if !it.Exact() {
		return errNoEdgeOrder
	}
	if c.buf == nil {
		c.buf = make([]blueprints.EdgeID, min(n, 1024))
	}
	for n > 0 {
		got := it.Next(c.buf[:min(n, len(c.buf))])
		if got == 0 {
			return it.Err()
		}
		for _, e := range c.buf[:got] {
			if err := fn(e); err != nil {
				return err
			}
		}
		n -= got
	}
	return nil
}

// orderValue is the value of an edge by which it stands where it does.
func (c *edgesByCursor) orderValue(e blueprints.EdgeID) (value.Value, error) {
	d := c.e.x.Index.Declared
	v, ok, err := c.e.r.View.EdgeValue(e, blueprints.Symbol(d.Symbols[len(d.Symbols)-1]))
	if err != nil {
		return v, err
	}
	_, exact, err := value.AppendOrdered(nil, v)
	if !ok || !exact || err != nil || v.IsNull() {
		return v, errNoEdgeOrder
	}
	return v, nil
}
