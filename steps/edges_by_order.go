package steps

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/find"
)

var errNoEdgeOrder = errors.New("the index does not tell the order")

// collect finds the first edges of the vertex in the order of the index that pass the
// filters, for an order() behind that keeps no more of them; those that tie come in the order
// of the edges, which a stable sort keeps. Where the index does not tell the order, for long
// texts are cut, all edges are left to walks without an order.
func (c *edgesByCursor) collect() error {
	if c.collected {
		return nil
	}
	c.collected = true
	err := c.first(c.e.x.Index.Limit)
	c.Close()
	if errors.Is(err, errNoEdgeOrder) {
		c.found = nil
		return nil
	}
	c.next = len(c.e.walks) * len(c.e.dirs) // no walk is left
	return err
}

// first finds the first n edges.
func (c *edgesByCursor) first(n int) error {
	if err := c.begin(c.e.walks[0], c.e.x.Hop.Dir); err != nil {
		return err
	}
	for len(c.found) < n {
		if err := c.e.r.Poll(); err != nil {
			return err
		}
		edges, err := c.read(n - len(c.found))
		if err != nil || len(edges) == 0 {
			return err
		}
		for _, e := range edges {
			if err := c.orderTold(e.Edge); err != nil {
				return err
			}
		}
		if c.found, err = c.keep(c.found, edges); err != nil {
			return err
		}
	}
	return nil
}

// orderTold returns an error unless an edge stands where order() puts it.
func (c *edgesByCursor) orderTold(e blueprints.EdgeID) error {
	d := c.e.x.Index.Declared
	v, ok, err := c.e.r.View.EdgeValue(e, blueprints.Symbol(d.Symbols[len(d.Symbols)-1]))
	if err == nil && (!ok || !find.OrderTold(v)) {
		err = errNoEdgeOrder
	}
	return err
}
