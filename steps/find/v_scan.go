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
	vids  reading[blueprints.VertexID]
	eids  reading[blueprints.EdgeID]
	tests []Test
}

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
		ids := c.eids.room(max, &edgeRooms)
		ids = ids[:c.es.Next(ids)]
		c.eids.last = len(ids)
		dst = slices.Grow(dst, len(ids))
		for _, e := range ids {
			dst = append(dst, value.EdgeRef(uint64(e)))
		}
		return dst, c.es.Err()
	}
	ids := c.vids.room(max, &vertexRooms)
	ids = ids[:c.vs.Next(ids)]
	c.vids.last = len(ids)
	dst = slices.Grow(dst, len(ids))
	for _, v := range ids {
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
		c.eids.release(&edgeRooms)
		return
	}
	c.vs.Close()
	c.vids.release(&vertexRooms)
}
