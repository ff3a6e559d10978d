package find

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// firstCursor gives the first elements that pass the filters in the order of the last key of a
// composite index, for an order() behind that keeps no more of them; those that tie come in
// insertion order, which a stable sort keeps. Where the index does not tell the order, for a
// vertex has several values or a long text is cut, all that pass are given instead.
//
// Tolerates: what orderedCursor does, and has-filters, which are tested where the index does
// not answer them.
type firstCursor struct {
	r     *traversal.Run
	g     *traversal.GraphStart
	tests []Test
	found []value.Value
	props []blueprints.PropertyEntry
	all   traversal.Cursor
	begun bool
}

func (c *firstCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	if !c.begun {
		c.begun = true
		err := c.collect()
		if errors.Is(err, errNoOrder) {
			c.found = nil
			c.all, err = c.without()
		}
		if err != nil {
			return dst, err
		}
	}
	if c.all != nil {
		return c.all.Next(dst, max)
	}
	n := min(max, len(c.found))
	dst, c.found = append(dst, c.found[:n]...), c.found[n:]
	return dst, nil
}

// without opens the elements without an order.
func (c *firstCursor) without() (traversal.Cursor, error) {
	plain := *c.g
	if plain.Index = nil; len(c.g.Index.Serves) > 0 {
		index := *c.g.Index
		index.Ordered, index.Reverse = false, false
		plain.Index = &index
	}
	return Open(c.r, &plain)
}

// collect finds the first elements, and errNoOrder.
func (c *firstCursor) collect() error {
	scan, err := c.open(strategy.OrderedColumns(c.g.Index, c.g.Has))
	if err != nil {
		return err
	}
	defer scan.Close()
	for len(c.found) < c.g.Index.Limit {
		from := len(c.found)
		if c.found, err = scan.Next(c.found, c.g.Index.Limit-from); err != nil || len(c.found) == from {
			return err
		}
		for _, v := range c.found[from:] {
			if err := c.told(v); err != nil {
				return err
			}
		}
		if err := c.r.Poll(); err != nil {
			return err
		}
	}
	return nil
}

// open begins a walk.
func (c *firstCursor) open(walk blueprints.IndexColumns) (*scanCursor, error) {
	s, d, exact := &scanCursor{r: c.r, edges: c.g.Edges, tests: c.tests}, c.g.Index.Declared, false
	if c.g.Edges {
		s.es = c.r.View.LookupEdgesBy(d, walk)
		exact = s.es.Exact()
	} else {
		s.vs = c.r.View.LookupVerticesBy(d, walk)
		exact = s.vs.Exact()
	}
	if exact {
		return s, nil
	}
	var err error
	s.tests, err = Compile(c.r, c.g.Has)
	return s, err
}

// told returns errNoOrder unless an element stands where order() puts it.
func (c *firstCursor) told(element value.Value) (err error) {
	var v value.Value
	var ok bool
	d := c.g.Index.Declared
	key := blueprints.Symbol(d.Symbols[len(d.Symbols)-1])
	if c.g.Edges {
		v, ok, err = c.r.View.EdgeValue(blueprints.EdgeID(element.Ref()), key)
	} else {
		c.props, err = c.r.View.VertexProperties(c.props[:0], blueprints.VertexID(element.Ref()), []blueprints.Symbol{key})
		if ok = len(c.props) == 1; ok {
			v = c.props[0].Value
		}
	}
	if err == nil && (!ok || !OrderTold(v)) {
		err = errNoOrder
	}
	return err
}

func (c *firstCursor) Close() {
	if c.all != nil {
		c.all.Close()
	}
}
