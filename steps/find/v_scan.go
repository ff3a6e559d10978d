package find

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// scanCursor walks a View's iterator.
type scanCursor struct {
	r     *traversal.Run
	edges bool
	vs    blueprints.VertexIterator
	es    blueprints.EdgeIterator
	vbuf  []blueprints.VertexID
	ebuf  []blueprints.EdgeID
	last  int // how many elements the last read gave
	tests []Test
}

// scanAtFirst is how many elements a scan reads at first, whatever is asked for; it reads
// more when there were as many.
const scanAtFirst = 8

func (c *scanCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	for {
		from := len(dst)
		var err error
		if dst, err = c.fill(dst, max); err != nil || len(dst) == from {
			return dst[:from], err // what came before the error is not filtered
		}
		if dst, err = c.keep(dst, from); err != nil || len(dst) > from {
			return dst, err
		}
		if err := c.r.Poll(); err != nil {
			return dst, err
		}
	}
}

func (c *scanCursor) fill(dst []value.Value, max int) ([]value.Value, error) {
	if c.edges {
		if len(c.ebuf) < max && c.last == len(c.ebuf) {
			c.ebuf = make([]blueprints.EdgeID, min(max, 2*len(c.ebuf)+scanAtFirst))
		}
		n := c.es.Next(c.ebuf[:min(max, len(c.ebuf))])
		c.last = n
		dst = slices.Grow(dst, n)
		for _, e := range c.ebuf[:n] {
			dst = append(dst, value.EdgeRef(uint64(e)))
		}
		return dst, c.es.Err()
	}
	if len(c.vbuf) < max && c.last == len(c.vbuf) {
		c.vbuf = make([]blueprints.VertexID, min(max, 2*len(c.vbuf)+scanAtFirst))
	}
	n := c.vs.Next(c.vbuf[:min(max, len(c.vbuf))])
	c.last = n
	dst = slices.Grow(dst, n)
	for _, v := range c.vbuf[:n] {
		dst = append(dst, value.VertexRef(uint64(v)))
	}
	return dst, c.vs.Err()
}

// keep drops the elements from position from on that fail the folded filters.
func (c *scanCursor) keep(dst []value.Value, from int) ([]value.Value, error) {
	if len(c.tests) == 0 {
		return dst, nil
	}
	c.r.ReadsNext(dst[from:])
	kept := dst[:from]
	for _, v := range dst[from:] {
		ok, err := Passes(c.r, c.tests, v)
		if err != nil {
			return kept, err
		}
		if ok {
			kept = append(kept, v)
		}
	}
	return kept, nil
}

func (c *scanCursor) Close() {
	if c.edges {
		c.es.Close()
		return
	}
	c.vs.Close()
}
